-- One row a URL: the last answer.
CREATE TABLE IF NOT EXISTS answer (
    url      TEXT PRIMARY KEY,
    state    TEXT NOT NULL CHECK (state IN ('alive', 'moved', 'dead')),
    status   INTEGER NOT NULL,          -- 0 where no server answered
    target   TEXT NOT NULL DEFAULT '',  -- where a moved link leads
    asked_at INTEGER NOT NULL           -- seconds since 1970, UTC
);

CREATE INDEX IF NOT EXISTS answer_by_state ON answer (state, url);

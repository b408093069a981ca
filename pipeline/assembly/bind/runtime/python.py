"""The prompts of this project, as they were built and reviewed."""

import hashlib
import json
# if lines
import re
# end
from dataclasses import dataclass
from functools import lru_cache
# if files
from importlib.resources import files
# end
# typing
# if inline

from ._data import FILES
# end
# if count

Count = Callable[[str], int]  # counts the tokens of a text, as the model does
# end
# if lines

_BREAKS = re.compile("[\n\r\v\f\x85\u2028\u2029]| [|] ")  # what a line cannot hold
# end


class PromptError(Exception):
    """A prompt cannot be loaded. Each reason has a class of its own."""


class FileError(PromptError):
    """A file is missing, or has other bytes than were built."""


class VersionError(PromptError):
    """The manifest has a version that this code does not read."""


class UnknownValueError(PromptError):
    """There is no such prompt, axis or value."""


class ExcludedError(PromptError):
    """The combination of values is excluded."""


class MissingSlotError(PromptError):
    """A slot has no value."""


class UnknownSlotError(PromptError):
    """The prompt has no such slot."""


class InvalidTextError(PromptError):
    """The value of a slot is not text, or would break the line it stands in."""


# if limits
class TooLongError(PromptError):
    """The value of a slot has more tokens than its limit."""


# end
# if count
class CountError(PromptError):
    """Tokens have to be counted, and no function for it is given."""


# end
# if fit
@dataclass(frozen=True)
class Dropped:
    """A section that found no place in the budget."""

    id: str
    phase: str
    tokens: int


# end
# if texts
@dataclass(frozen=True)
class Text:
    """A prompt as text, and the definitions of the tools that go with it."""

    name: str
    text: str
    tools: list[Any]
    tokens: int
    # if fit
    dropped: list[Dropped]
    # end


# end
# if requests
@dataclass(frozen=True)
class Request:
    """A prompt as the body of a request, which has the tools in it."""

    name: str
    body: dict[str, Any]
    tokens: int
    # if fit
    dropped: list[Dropped]
    # end


# end
# if both
Prompt = Union[Text, Request]


# end
# prompts
def load(
    prompt: str,
    values: Mapping[str, str],
    slots: Mapping[str, str],
    # if limits
    count: Optional[Count] = None,
    # end
) -> Prompt:
    """Load a prompt by its id, the values of its axes and those of its slots."""
    about, variant = _find(prompt, values)
    # if limits
    filled = _check(about, slots, variant["tokenizer"], count)
    # end
    # if unlimited
    filled = _check(about, slots)
    # end
    tables = _manifest()["tables"]
    sections = tables["sections"][variant["sections"]]
    places = tables["slots"][variant["slots"]]
    data = _verified(variant["file"], variant["sha256"])
    # if fit
    dropped: list[Dropped] = []
    if "outcome" in variant:
        outcome = tables["outcomes"][variant["outcome"]]
        for drop in outcome["dropped"]:
            dropped.append(Dropped(drop["id"], drop["phase"], drop["tokens"]))
        if sections and "notice" in outcome:  # which is a part like a section
            join = tables["compositions"][variant["composition"]]["join"]
            last, start = sections[-1], sections[-1]["end"] + len(join.encode())
            end = start + len(outcome["notice"].encode())
            notice = {**last, "join": last["end"], "start": start, "end": end}
            notice.pop("optional", None)
            sections = [*sections, notice]
    # end
    # if requests
    if "dialect" in variant:
        return Request(
            variant["name"],
            _fill_body(json.loads(data), variant["dialect"], sections, places, filled),
            variant["tokens"],
            # if fit
            dropped,
            # end
        )
    # end
    # if onlyrequests
    raise VersionError(f"{variant['name']} is text now; this code knows requests")
    # end
    # if onlytexts
    if "dialect" in variant:
        raise VersionError(f"{variant['name']} is a request now; this code knows text")
    # end
    # if texts
    return Text(
        variant["name"],
        _fill(data, sections, places, filled)[0].decode(),
        _tools(variant),
        variant["tokens"],
        # if fit
        dropped,
        # end
    )
    # end


# if fit
def fit(
    prompt: str,
    values: Mapping[str, str],
    slots: Mapping[str, str],
    count: Optional[Count] = None,
) -> Prompt:
    """Compose a prompt of the layout phases with the sizes that its slots have."""
    about, variant = _find(prompt, values)
    # if limits
    filled = _check(about, slots, variant["tokenizer"], count)
    # end
    # if unlimited
    filled = _check(about, slots)
    # end
    if "composition" not in variant:
        return load(
            prompt,
            values,
            slots,
            # if limits
            count,
            # end
        )
    if count is None:
        raise CountError(f"{prompt} is fitted to its budget: give a count")
    draft = _Draft(variant, filled, count)
    text, tools = draft.compose()
    # if fitrequests
    if "dialect" in variant:
        body = _body_of(variant["dialect"], text, tools)
        return Request(variant["name"], body, count(text), draft.dropped)
    # end
    # if onlyfitrequests
    raise VersionError(f"{variant['name']} is text now; this code knows requests")
    # end
    # if fittexts
    definitions = [tool["definition"] for tool in tools]
    return Text(variant["name"], text, definitions, count(text), draft.dropped)
    # end


# end
# if both
def _as_text(prompt: Prompt) -> Text:
    if not isinstance(prompt, Text):
        raise VersionError(f"{prompt.name} is a request now; this code knows text")
    return prompt


def _as_request(prompt: Prompt) -> Request:
    if not isinstance(prompt, Request):
        raise VersionError(f"{prompt.name} is text now; this code knows requests")
    return prompt


# end
def _read(path: str) -> bytes:
    # if files
    try:
        return (files(__name__) / "data" / path).read_bytes()
    except (LookupError, OSError) as error:
        raise FileError(f"{path}: {error}; run: promptc build") from error
    # end
    # if inline
    if path not in FILES:
        raise FileError(f"{path} is missing")
    return "".join(FILES[path]).encode()
    # end


@lru_cache(maxsize=None)
def _manifest() -> Any:
    data = _read("manifest.json")
    # if files
    sha256 = hashlib.sha256(data).hexdigest()
    if sha256.encode() != _read("manifest.sha256")[:64]:
        raise FileError("manifest.json has other bytes than were built")
    # end
    try:
        manifest = json.loads(data)
        version = manifest["version"]
    except (LookupError, TypeError, ValueError) as error:
        raise FileError("manifest.json was not written by promptc") from error
    if version != 2:
        raise VersionError(f"manifest.json has version {version}, and 2 is read")
    return manifest


@lru_cache(maxsize=None)
def _verified(path: str, sha256: str) -> bytes:
    data = _read(path)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise FileError(f"{path} has other bytes than were built")
    return data


def _tools(variant: Any) -> Any:
    file = variant.get("tools")
    return json.loads(_verified(file["file"], file["sha256"])) if file else []


def _find(prompt: str, values: Mapping[str, str]) -> tuple[Any, Any]:
    """Find the entries of a prompt and of its variant with these values."""
    about = next((p for p in _manifest()["prompts"] if p["id"] == prompt), None)
    if about is None:
        raise UnknownValueError(f"there is no prompt {prompt!r}")
    chosen = {axis["name"]: axis.get("default") for axis in about["axes"]} | {**values}
    for axis in about["axes"]:
        if chosen[axis["name"]] not in axis["values"]:
            value = chosen[axis["name"]]
            raise UnknownValueError(f"{prompt}: {axis['name']} has no value {value!r}")
    for name in values:
        if all(axis["name"] != name for axis in about["axes"]):
            raise UnknownValueError(f"{prompt} has no axis {name!r}")
    for variant in about["variants"]:
        if variant["values"] == chosen:
            return about, variant
    raise ExcludedError(f"{prompt} is not built with {chosen}")


def _check(
    about: Any,
    slots: Mapping[str, str],
    # if limits
    tokenizer: str,
    count: Optional[Count],
    # end
) -> dict[str, str]:
    """Check the values of slots, and give each slot one."""
    filled: dict[str, str] = {}
    for slot in about["slots"]:
        name = slot["name"]
        value = filled[name] = slots.get(name, "")
        if not value and not slot.get("optional"):
            raise MissingSlotError(f"{about['id']}: the slot {name!r} has no value")
        try:
            value.encode()
        except (AttributeError, UnicodeEncodeError) as error:
            raise InvalidTextError(f"the value of {name!r} is no text") from error
        # if lines
        if slot.get("in_line") and _BREAKS.search(value):
            raise InvalidTextError(f"the value of {name!r} has a line break or ' | '")
        # end
        # if limits
        limit = slot.get("max_tokens")
        if limit is None or _surely_fits(value, limit, tokenizer):
            continue
        if count is None:
            raise CountError(f"{name!r} may have over {limit} tokens: give a count")
        if (n := count(value)) > limit:
            raise TooLongError(f"the value of {name!r} has {n} tokens, over {limit}")
        # end
    for name in slots:
        if name not in filled:
            raise UnknownSlotError(f"{about['id']} has no slot {name!r}")
    return filled


# if limits
def _surely_fits(value: str, limit: int, tokenizer: str) -> bool:
    """Tell if a value is within a limit, whatever its tokens are."""
    estimators = {known["name"]: known for known in _manifest()["tokenizers"]}
    known = estimators.get(tokenizer, {"base": tokenizer, "factor": 1})
    chars = known["base"].startswith("chars/")
    return len(value if chars else value.encode()) <= int(limit / known["factor"])


# end
def _fill(
    text: bytes,
    sections: list[Any],
    places: list[Any],
    filled: Mapping[str, str],
    begun: bool = False,
) -> tuple[bytes, bool]:
    """Put values in the places of slots; a join stays where something is before it."""
    out, at = b"", 0
    for section in sections:
        start, end = section["start"], section["end"]
        join = section.get("join", start)
        begun = "join" in section and (begun or join > at)
        own = [place for place in places if start <= place["start"] < end]
        # if optional
        cuts = _cuts(section, filled)
        if any(cut["start"] == start and cut["end"] == end for cut in cuts):
            out += text[at:join]
            at = end
            continue
        # end
        # if lines
        own = sorted(cuts + own, key=lambda place: (place["start"], -place["end"]))
        # end
        out += text[at : start if begun else join]
        begun, at = True, start
        for place in own:
            # if lines
            if place["start"] < at or "name" not in place:  # it is cut
                out += text[at : place["start"]]
                at = max(at, place["end"])
                continue
            # end
            out += text[at : place["start"]] + filled[place["name"]].encode()
            at = place["end"]
        out += text[at:end]
        at = end
    # if optional
    if at and not begun and text.startswith(b"\n\n", at):
        at += 2  # the join before what a conversation says
    # end
    return out + text[at:], begun


# if optional
def _cuts(section: Any, filled: Mapping[str, str]) -> list[Any]:
    """Give the optional parts of a section whose slots have no value."""
    parts = section.get("optional", [])
    return [part for part in parts if not any(map(filled.get, part["slots"]))]


# end
# if requests
def _fill_body(
    body: Any,
    dialect: str,
    sections: list[Any],
    places: list[Any],
    filled: Mapping[str, str],
) -> Any:
    """Fill the strings of a request, and remove what then says nothing."""
    begun = False
    empty: list[list[Any]] = []
    for pointer in dict.fromkeys(section["pointer"] for section in sections):
        path = [int(p) if p.isdigit() else p for p in pointer.split("/")[1:]]
        holder = _at(body, path[:-1])
        text, begun = _fill(
            holder[path[-1]].encode(),
            [section for section in sections if section["pointer"] == pointer],
            [place for place in places if place["pointer"] == pointer],
            filled,
            begun,
        )
        holder[path[-1]] = text.decode()
        place = path[:-2] if path[-1] == "text" else path  # a list, or a string
        if not text and place not in empty:
            empty.append(place)
    for path in reversed(empty):
        _remove(body, path, dialect)
    return body


def _remove(body: Any, path: list[Any], dialect: str) -> None:
    """Remove empty texts, and their message if that says nothing else."""
    parts = _at(body, path)
    if not isinstance(parts, str):
        parts[:] = [part for part in parts if part.get("text") != ""]
        if parts:
            if dialect == "openai-chat" and [*parts[0]] == ["type", "text"]:
                if len(parts) == 1:
                    _at(body, path[:-1])[path[-1]] = parts[0]["text"]
            return
    path = path[:-1] or path
    del _at(body, path[:-1])[path[-1]]


def _at(node: Any, path: list[Any]) -> Any:
    for step in path:
        node = node[step]
    return node


# end
# if fit
class _Section:
    """A section that competes for the budget, on a step of its ladder."""

    def __init__(self, ladder: Any, tables: Any, filled: Mapping[str, str]) -> None:
        self.id, self.phase = ladder["id"], ladder["phase"]
        self.sticky: bool = ladder["sticky"]
        self.score: float = ladder["score"]
        self.join, self.needs = ladder.get("join"), ladder.get("needs", [])
        self.steps: list[Any] = ladder["steps"]
        self.step = 0
        self.texts: list[str] = []
        for step in self.steps:
            text = tables["texts"][step["text"]].encode()
            whole = [{**step, "start": 0, "end": len(text)}]
            text, _ = _fill(text, whole, tables["slots"][step["slots"]], filled)
            self.texts.append(text.decode())
            if self.texts[1:] and not text:
                break  # on this step the section is out

    @property
    def text(self) -> str:
        return self.texts[self.step]

    @property
    def can_step(self) -> bool:
        return self.step + 1 < len(self.texts)

    def tools(self, beside: bool = False) -> list[str]:
        step = self.steps[self.step]
        return [*step.get("tools", [])] if step.get("beside") or not beside else []


class _Draft:
    """A prompt of the layout phases while it is composed."""

    def __init__(self, variant: Any, filled: Mapping[str, str], count: Count) -> None:
        tables = _manifest()["tables"]
        self.rules = tables["compositions"][variant["composition"]]
        self.all = [
            _Section(tables["ladders"][row], tables, filled)
            for row in self.rules["sections"]
        ]
        self.budget, self.count = variant.get("budget", {}), count
        self.dropped: list[Dropped] = []

    def compose(self) -> tuple[str, list[Any]]:
        """Give the text, and the tools that go with it."""
        lacking: list[_Section] = []
        while True:
            here = [s for s in self.all if s not in lacking]
            text, used = self.choose(here, self.rules["notice"])
            if self.rules["notice"] and self.dropped and not self.fits(text):
                text, used = self.choose(here, False)
            tools = {name for s in used for name in s.tools()}
            unmet = [s for s in used if not tools.issuperset(s.needs)]
            if not unmet:
                beside = {name for s in used for name in s.tools(beside=True)}
                offered = self.rules.get("tools", [])
                return text, [tool for tool in offered if tool["name"] in beside]
            lacking += unmet

    def choose(self, here: list[_Section], notice: bool) -> tuple[str, list[_Section]]:
        """Keep everything if it fits, or else of each section the fullest step."""
        self.dropped = []
        for s in here:
            s.step = 0
        phases = self.rules["order"]
        walk = [s for s in here if s.text]
        walk.sort(key=lambda s: (phases.index(s.phase), -s.score, s.id))
        self.places = walk
        if self.rules["place"] == "sticky-first":
            self.places = sorted(walk, key=lambda s: not s.sticky)
        kept, left = walk, walk[:0]
        if not self.fits(self.assemble(kept, left)):
            kept, left = self.walk(walk, notice)
        used = [s for s in here if not s.text]
        used += [s for s in self.places if s.text and s in kept]
        return self.assemble(kept, left), used

    def walk(
        self, walk: list[_Section], notice: bool
    ) -> tuple[list[_Section], list[_Section]]:
        """Give what is kept, and what a notice has to name."""
        kept = [s for s in walk if s.sticky]
        while not self.fits(self.assemble(kept, [])):
            able = [s for s in kept if s.can_step]
            if not able:
                break
            min(reversed(able), key=lambda s: s.score).step += 1
        others, ended = [s for s in walk if not s.sticky], False
        left = list(others) if notice else []
        for s in others:
            rest = [o for o in left if o is not s]
            fits = self.fits(self.assemble([*kept, s], rest))
            while not fits and s.can_step and not ended:
                s.step += 1
                fits = not s.text or self.fits(self.assemble([*kept, s], rest))
            if fits and not ended:
                kept, left = [*kept, s], rest
                continue
            tokens = self.count(self.assemble([*kept, s], []))
            tokens -= self.count(self.assemble(kept, []))
            self.dropped.append(Dropped(s.id, s.phase, tokens))
            ended = self.rules["fill"] == "stop"
        return kept, left

    def fits(self, text: str) -> bool:
        chars, tokens = self.budget.get("chars"), self.budget.get("tokens")
        if chars is not None and len(text) > chars:
            return False
        return tokens is None or self.count(text) <= tokens

    def assemble(self, chosen: list[_Section], left: list[_Section]) -> str:
        """Put sections together, with a notice that names those left out."""
        text = ""
        for s in self.places:
            if s.text and s in chosen:
                join = self.rules["join"] if s.join is None else s.join
                text += join + s.text if text else s.text
        if left:
            ids = ", ".join(s.id for s in left)
            text += (self.rules["join"] if text else "") + f"[Left out to fit: {ids}]"
        return f"{text}{self.rules['end']}" if text else ""


# end
# if fitrequests
def _body_of(dialect: str, text: str, tools: list[Any]) -> dict[str, Any]:
    """Make the body of a request that says one text."""
    bodies: dict[str, dict[str, Any]] = {
        "openai-chat": {"messages": [{"role": "system", "content": text}]},
        "openai-responses": {"instructions": text},
        "anthropic": {"system": [{"type": "text", "text": text}]},
        "gemini": {"systemInstruction": {"parts": [{"text": text}]}},
    }
    body = bodies[dialect]
    if not text:
        body = {"messages": []} if "messages" in body else {}
    definitions = [tool["definition"] for tool in tools]
    if dialect == "gemini":
        plain = [tool["definition"] for tool in tools if not tool.get("own")]
        definitions = [tool["definition"] for tool in tools if tool.get("own")]
        definitions = [{"functionDeclarations": plain}] * bool(plain) + definitions
    return {**body, "tools": definitions} if tools else body


# end

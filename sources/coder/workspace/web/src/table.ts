// Shows the findings of `linkwatch --json` as a table that can be filtered.

export interface Finding {
  path: string;
  line: number;
  url: string;
  state: "moved" | "dead";
  status: number;
}

export function matches(finding: Finding, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${finding.path} ${finding.url} ${finding.state}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function render(body: HTMLTableSectionElement, findings: Finding[], query = ""): void {
  body.replaceChildren(
    ...findings.filter((finding) => matches(finding, query)).map((finding) => {
      const row = document.createElement("tr");
      row.className = finding.state;
      for (const text of [`${finding.path}:${finding.line}`, finding.url, `${finding.status || "no answer"}`]) {
        const cell = document.createElement("td");
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    }),
  );
}

// Compares what was read of literals with what TypeScript's own parser reads.
//
// Takes the path of the compiler, of a file of constants, and of JSON: by name the parts
// that were read, and of each escape how it is written and what it says. Prints what
// differs.
const fs = require("fs");
const ts = require(process.argv[2]);
const text = fs.readFileSync(process.argv[3], "utf8");
const read = JSON.parse(fs.readFileSync(process.argv[4], "utf8"));
const source = ts.createSourceFile(process.argv[3], text, ts.ScriptTarget.Latest, true);

const squeeze = (code) => code.replace(/\s+/g, " ").trim();

function parts(node) {
  if (ts.isParenthesizedExpression(node)) return parts(node.expression);
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [["text", node.text]];
  if (ts.isTemplateExpression(node)) {
    return [["text", node.head.text], ...node.templateSpans.flatMap((s) => [["hole", squeeze(s.expression.getText())], ["text", s.literal.text]])];
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) return [...parts(node.left), ...parts(node.right)];
  if (ts.isJsxElement(node)) {
    return node.children.flatMap((c) => (ts.isJsxText(c) ? [["text", lines(c.text)]] : ts.isJsxExpression(c) ? [["hole", squeeze(c.expression.getText())]] : []));
  }
  return [["hole", squeeze(node.getText())]];
}

// lines is how JSX puts the lines of a text together.
function lines(s) {
  const all = s.split("\n");
  return all.map((l, i) => (i > 0 ? l.trimStart() : l)).map((l, i) => (i < all.length - 1 ? l.trimEnd() : l)).filter((l, i) => l !== "").join(" ");
}

function merged(found) {
  const out = [];
  for (const [kind, value] of found) {
    const last = out[out.length - 1];
    if (kind === "text" && last && last[0] === "text") last[1] += value;
    else if (kind === "hole" || value !== "") out.push([kind, value]);
  }
  return out;
}

for (const problem of source.parseDiagnostics) console.log("parser:", problem.messageText, source.getLineAndCharacterOfPosition(problem.start));
for (const statement of source.statements) {
  const declaration = statement.declarationList.declarations[0];
  const name = declaration.name.text;
  const want = JSON.stringify(merged(parts(declaration.initializer)));
  const got = read[name] || { parts: [], escapes: [], line: 0 };
  const had = JSON.stringify(got.parts.map((p) => [p.kind, p.value]));
  const line = (at) => source.getLineAndCharacterOfPosition(at).line + 1;
  if (had !== want) console.log(`${name}, line ${line(declaration.getStart())}: read ${had}, want ${want}`);
  if (got.parts.length && (got.line < line(declaration.getStart()) || got.line > line(declaration.end))) console.log(`${name}: at line ${got.line}`);
  for (const [written, said] of got.escapes) {
    const one = ts.createSourceFile("one.ts", "`" + written + "`", ts.ScriptTarget.Latest).statements[0].expression;
    if (!written.startsWith("&") && one.text !== said) console.log(`${name}: ${JSON.stringify(written)} is read as ${JSON.stringify(said)}`);
  }
  delete read[name];
}
if (Object.keys(read).length) console.log("no such names:", Object.keys(read));

"""Compares what was read of literals with what Python's own parser reads.

Takes the path of a file of assignments, and of JSON: by name the parts that were read, and
of each escape how it is written and what it says. Prints what differs.
"""

import ast
import json
import sys


def parts(node):
    """Gives the texts and the expressions that a value is put together from."""
    match node:
        case ast.Constant(value=str(value)):
            return [("text", value)]
        case ast.JoinedStr(values=values):
            return [part for value in values for part in parts(value)]
        case ast.FormattedValue(value=value):
            return [("hole", ast.dump(value))]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return parts(left) + parts(right)
        case _:
            return [("hole", ast.dump(node))]


def merged(found):
    out = []
    for kind, value in found:
        if kind == "text" and out and out[-1][0] == "text":
            out[-1] = ("text", out[-1][1] + value)
        elif kind == "hole" or value:
            out.append((kind, value))
    return out


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        tree = ast.parse(file.read())
    with open(sys.argv[2], encoding="utf-8") as file:
        read = json.load(file)
    for statement in tree.body:
        name = statement.targets[0].id
        want = merged(parts(statement.value))
        got = read.pop(name, {"parts": [], "escapes": [], "line": 0})
        had = [(p["kind"], ast.dump(ast.parse(p["value"].strip(), mode="eval").body) if p["kind"] == "hole" else p["value"]) for p in got["parts"]]
        if had != want:
            print(f"{name}, line {statement.lineno}: read {had}, want {want}")
        if got["parts"] and not statement.lineno <= got["line"] <= statement.end_lineno:
            print(f"{name}: at line {got['line']}, want {statement.lineno} to {statement.end_lineno}")
        for written, said in got["escapes"]:
            if written in ("{{", "}}"):
                continue
            if ast.literal_eval('"""' + written + '"""') != said:
                print(f"{name}: {written!r} is read as {said!r}")
    if read:
        print("no such names:", sorted(read))


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make_schema.py - prints the schema of the chart's values, `config` by the program's own table of options.
#
# usage: deploy/helm/make_schema.py PROGRAM < values.schema.json > values.schema.json.new
#
# All but the keys of `config` is taken over from the input. tests/check/deploy compares. The keys are those that
# `cgtopdown serve --check-config` prints of an empty file, what each takes is in `cgtopdown help serve`: both are made from
# the program's table of options.
import json
import os
import re
import subprocess
import sys
import tempfile

# The chart sets these itself.
OWN = {"listen", "otlp", "kubelet", "host-root", "history", "metrics-dir"}


def options(program):
    """The name of each option, whether it takes a value, and its help."""
    text = subprocess.run([program, "help", "serve"], check=True, capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "80"}).stdout
    for match in re.finditer(r"^ +(?:-\w, )?--([a-z][a-z0-9-]*)( [A-Z][^\s]*)?((?:(?! +(?:-\w, )?--[a-z]).*\n)(?: {12,}\S.*\n)*)",
                             text, re.M):
        yield match[1], bool(match[2]), " ".join(match[3].split())


def keys(program):
    """What a file may have, and what holds where it has not: None for nothing."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as empty:
        said = subprocess.run([program, "serve", "--check-config", "--config", empty.name], check=True,
                              capture_output=True, text=True).stdout
    return {name: value or None for name, value in re.findall(r"^(?:# )?([a-z][a-z0-9-]*):(?: (.*))?$", said, re.M)}


def number(text):
    return float(text) if "." in text else int(text)


def schema(takes_value, text, default):
    if not takes_value:
        return {"type": "boolean"} if default == "false" else {"type": "integer", "minimum": 0}
    if "May be given several times." in text:
        return {"type": ["string", "array"], "items": {"type": "string"}}
    takes = re.search(r" Takes (.*?)(?: \(default: [^)]*\))?\.$", text)
    takes = takes[1] if takes else ""
    limits = re.fullmatch(r"(?:a number|seconds) between ([\d.]+) and ([\d.]+)", takes)
    if limits:
        kind = "integer" if takes.startswith("a number") else "number"
        return {"type": kind, "minimum": number(limits[1]), "maximum": number(limits[2])}
    if takes.startswith("a percentage between "):
        return {"type": "string", "pattern": r"^[0-9]+([.][0-9]+)?%$"}
    choices = re.split(r", | or ", takes)
    if len(choices) > 1 and all(re.fullmatch(r"[\w.-]+(?::[A-Z]+)?", choice) for choice in choices):
        if all(choice.isdigit() for choice in choices):
            return {"enum": [int(choice) for choice in choices]}
        patterns = [re.sub(r"[A-Z]+$", ".+", choice) for choice in choices]
        return {"type": "string", "pattern": f"^({'|'.join(patterns)})$"}
    return {"type": ["string", "number"]}


def main():
    defaults = keys(sys.argv[1])
    found = {name: schema(value, text, defaults[name]) for name, value, text in options(sys.argv[1]) if name in defaults}
    missing = set(defaults) - set(found)
    if missing:
        sys.exit(f"help does not explain {sorted(missing)}")
    lines = [f"        {json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(set(found) - OWN)]
    before, rest = sys.stdin.read().split('    "config": {\n', 1)
    head, rest = rest.split('      "properties": {\n', 1)
    after = rest.split("\n      }\n", 1)[1]
    print(before + '    "config": {\n' + head + '      "properties": {\n' + ",\n".join(lines) + "\n      }\n" + after, end="")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# unknown_families.py - prints the metrics that files ask for and a list of families does not have.
#
# usage: unknown_families.py FAMILIES FILE...
import re
import sys

NAME = re.compile(r"(?<![\w:])(?:cgtopdown|process)_[a-z0-9_]+(?![\w:]|\.)")


def names(path):
    with open(path, encoding="utf-8") as file:
        return set(NAME.findall(file.read()))


def main():
    known = names(sys.argv[1])
    if not known:
        print(f"{sys.argv[1]}: no family")
    for path in sys.argv[2:]:
        asked = names(path)
        if not asked:
            print(f"{path}: asks for nothing")
        for name in sorted(asked - known):
            print(f"{path}: {name}")


main()

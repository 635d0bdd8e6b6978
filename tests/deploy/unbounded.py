#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# unbounded.py - prints the panels of a dashboard whose series grow with the cluster, or that ask for a job by its name.
#
# usage: unbounded.py DASHBOARD.json
#
# A query is bounded by topk or bottomk, or if all that it keeps are labels of few values.
import json
import re
import sys

FEW = {"core", "category", "state", "kind", "source", "cause", "mechanism", "blame"}
# The whole of the query is an aggregate, or two of them with an operator between.
AGGREGATE = re.compile(r"^(?:count|sum|max|min)(?: by \([\w, ]*\) )?\(")
# The whole of it, or what it has in common with one.
FIRST = re.compile(r"(?:^|\band (?:on \([\w, ]*\) )?)(?:topk|bottomk)\(\d+, ")


def bounded(query):
    if FIRST.search(query):
        return True
    return bool(AGGREGATE.match(query)) and all(set(re.split(r", *", labels)) <= FEW for labels in re.findall(r" by \(([\w, ]+)\)", query))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        panels = json.load(file)["panels"]
    for panel in panels:
        for target in panel.get("targets", []):
            query = target["expr"]
            if not bounded(query):
                print(f"{panel['title']}: grows: {query}")
            if re.search(r"\bjob *(=|!|=~)", query):
                print(f"{panel['title']}: depends on a job's name: {query}")


main()

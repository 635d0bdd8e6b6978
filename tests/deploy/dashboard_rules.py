#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# dashboard_rules.py - the expressions of a Grafana dashboard as a file of recording rules.
#
# usage: dashboard_rules.py DASHBOARD.json [VARIABLE=VALUE...]
#
# Grafana's variables are filled in, `.*` where none is given, so that Prometheus' own tools can read the expressions.
import json
import re
import sys


def main():
    given = dict(argument.split("=", 1) for argument in sys.argv[2:])
    fill = {"__rate_interval": "1m", "__range": "1h", **given}
    with open(sys.argv[1], encoding="utf-8") as file:
        board = json.load(file)
    rules = []
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            expression = re.sub(r"\$(\w+)", lambda match: fill.get(match.group(1), ".*"), target["expr"])
            rules.append({"record": f"panel_{panel['id']}:{target['refId'].lower()}", "expr": expression,
                          "labels": {"panel": panel["title"]}})
    json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, sys.stdout, indent=1)


main()

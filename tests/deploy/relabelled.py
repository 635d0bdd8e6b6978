#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# relabelled.py - prints the labels that the PodMonitor and the documented scrape configuration take from the node's name.
#
# usage: relabelled.py RENDERED.yaml docs/metrics.md
#
# The operator gives a target namespace, pod, container and endpoint; it is an error if the PodMonitor keeps one of them,
# or if the two disagree.
import re
import subprocess
import sys

import yaml

NODE = "__meta_kubernetes_pod_node_name"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        monitor = next(o for o in yaml.safe_load_all(file) if o and o["kind"] == "PodMonitor")
    rules = monitor["spec"]["podMetricsEndpoints"][0]["relabelings"]
    kept = {"namespace", "pod", "container", "endpoint"}
    for rule in rules:
        if rule.get("action") == "labeldrop":
            kept = {label for label in kept if not re.fullmatch(rule["regex"], label)}
    if kept:
        print(f"the PodMonitor keeps {sorted(kept)}")
    by_operator = sorted(rule["targetLabel"] for rule in rules if rule.get("sourceLabels") == [NODE])
    config = yaml.safe_load(subprocess.check_output(["tests/deploy/scrape_config.py", sys.argv[2]]))
    rules = config["scrape_configs"][0]["relabel_configs"]
    by_hand = sorted(rule["target_label"] for rule in rules if rule["source_labels"] == [NODE])
    print(*by_operator)
    if by_hand != by_operator:
        print(f"docs: {by_hand}")


main()

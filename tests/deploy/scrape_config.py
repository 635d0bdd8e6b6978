#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# scrape_config.py - prints the scrape configuration that docs/metrics.md gives to copy.
#
# usage: scrape_config.py docs/metrics.md [TARGETS.json]
#
# With TARGETS.json targets come from that file, with the labels that discovery in Kubernetes would give them:
# a Prometheus of Debian knows no Kubernetes.
import re
import sys

import yaml


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        config = yaml.safe_load(re.search(r"^```yaml\n(scrape_configs:\n.*?)^```", file.read(), re.M | re.S)[1])
    if len(sys.argv) > 2:
        job = config["scrape_configs"][0]
        del job["kubernetes_sd_configs"]
        job.update(file_sd_configs=[{"files": [sys.argv[2]]}], scrape_interval="1s")
    yaml.safe_dump(config, sys.stdout, sort_keys=False)


main()

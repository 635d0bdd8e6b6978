#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# config_of.py - prints the file of settings in a rendered chart.
import sys

import yaml

with open(sys.argv[1], encoding="utf-8") as file:
    for document in yaml.safe_load_all(file):
        if document and document["kind"] == "ConfigMap" and "config.yaml" in document["data"]:
            sys.stdout.write(document["data"]["config.yaml"])

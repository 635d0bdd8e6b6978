#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# wrong_yaml.py - prints what is wrong with files of YAML documents: no YAML, a key twice, an object without a name.
import sys

import yaml


class Strict(yaml.SafeLoader):
    """Refuses a key that is there twice, of which plain YAML takes the last."""


def mapping(loader, node):
    keys = [loader.construct_object(key, deep=True) for key, _ in node.value]
    for key in keys:
        if keys.count(key) > 1:
            raise yaml.constructor.ConstructorError(None, None, f"key {key!r} is there twice", node.start_mark)
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, mapping)


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            try:
                for document in yaml.load_all(file, Strict):
                    if document and not document.get("metadata", {}).get("name"):
                        print(f"{path}: a {document.get('kind')} without a name")
            except yaml.YAMLError as error:
                print(f"{path}: {error}")


main()

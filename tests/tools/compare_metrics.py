#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""compare_metrics.py - reads both texts by Prometheus' own parsers and holds them against the view.

usage: compare_metrics.py VALUES.json PROMETHEUS OPENMETRICS; prints what differs
"""

import json
import math
import sys

from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client import parser as prometheus


def key(labels):
    # An empty label is no label, to Prometheus: it is written so that none is inherited in its place.
    return tuple(sorted((name, value) for name, value in labels.items() if value))


def read(path, parse):
    """Samples by name and labels; each is there once."""
    samples = {}
    with open(path, encoding='utf-8', newline='\n') as text:
        for family in parse(text.read()):
            if not family.documentation:
                print(f'{path}: {family.name} has no help')
            for sample in family.samples:
                where = (sample.name, key(sample.labels))
                if where in samples:
                    print(f'{path}: {where} is there twice')
                if sample.timestamp is not None:
                    print(f'{path}: {where} has a timestamp')
                samples[where] = sample.value
    return samples


def expected_of(account):
    """What the text must have of an account."""
    labels = account['labels']
    yield 'cgtopdown_cpu_seconds_total', labels, account['cpu_ns'] / 1e9
    if 'slots' in account:
        yield 'cgtopdown_pipeline_slots_total', labels, account['slots']
    for name, nodes in (('cgtopdown_slots_total', 'level1'), ('cgtopdown_l2_slots_total', 'level2')):
        for category, slots in account[nodes].items():
            yield name, {**labels, 'category': category}, slots


NAMES = {'cgtopdown_cpu_seconds_total', 'cgtopdown_pipeline_slots_total', 'cgtopdown_slots_total',
         'cgtopdown_l2_slots_total'}


def compare_accounts(path, samples, values):
    wanted = {(name, key(labels)): value
              for account in values['accounts'] for name, labels, value in expected_of(account)}
    got = {where: value for where, value in samples.items() if where[0] in NAMES}
    for where in wanted.keys() | got.keys():
        if where not in wanted or where not in got or \
                not math.isclose(wanted[where], got[where], rel_tol=1e-12):
            print(f'{path}: {where}: {got.get(where)}, not {wanted.get(where)}')


def compare_infos(path, samples, values):
    infos = [dict(labels) for name, labels in samples if name == 'cgtopdown_container_info']
    for account in values['accounts']:
        labels = account['labels']
        if labels['kind'] != 'container':
            continue
        found = [info for info in infos if labels.items() <= info.items()]
        if len(found) != 1 or found[0].get('image', '') != account['image'] or \
                found[0]['cgroup'] != account['path']:
            print(f'{path}: {labels} has no info of its own: {found}')


def compare_sum(path, samples, values):
    """Of all series, to the slot: doubles hold these."""
    if not values['slots_known']:
        return
    total = sum(value for (name, _), value in samples.items() if name in (
        'cgtopdown_pipeline_slots_total', 'cgtopdown_unattributed_slots_total',
        'cgtopdown_ended_slots_total', 'cgtopdown_held_slots', 'cgtopdown_residual_slots'))
    node = samples['cgtopdown_node_slots_total', ()]
    if total != node or node != values['node_slots']:
        print(f'{path}: slots of all series: {total}, of the node: {node}')


def compare_created(path, samples, values):
    for account in values['accounts']:
        created = samples.get(('cgtopdown_cpu_seconds_created', key(account['labels'])))
        if created != account['begun_ns'] / 1e9:
            print(f'{path}: {account["labels"]} was created {created}')


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        values = json.load(file)
    plain = read(sys.argv[2], prometheus.text_string_to_metric_families)
    other = read(sys.argv[3], openmetrics.text_string_to_metric_families)
    for path, samples in ((sys.argv[2], plain), (sys.argv[3], other)):
        compare_accounts(path, samples, values)
        compare_infos(path, samples, values)
        compare_sum(path, samples, values)
    compare_created(sys.argv[3], other, values)
    without = {where: value for where, value in other.items() if not where[0].endswith('_created')}
    if without != plain:
        print('the two texts differ:', sorted(without.items() ^ plain.items()))


main()

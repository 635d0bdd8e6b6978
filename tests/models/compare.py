# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# compare.py - holds one model against one vendor's files: event codes, width, formulas and conditions.
import math
import random
import re

import expression
import table

ROUNDS = 300
TOLERANCE = 1e-9
# In so many rounds at least a ratio must be one that nothing cut off, or nothing was compared.
TELLING_ROUNDS = 10
NAME = re.compile(r"[a-z_]+(?= >)")


class Missing(Exception):
    """The vendor's formula needs what the model does not count."""


def events_of(model):
    """Name: config, of all groups; sysfs's are 0."""
    groups = model["groups"] + [model["leader_by_code"]]
    return {event["name"]: event["config"] for group in groups for event in group}


def random_counts(model, generator):
    """So that some shares of the slots are small, some are large, and none is the whole."""
    leader = float(generator.randrange(10**6, 10**10))
    slots = leader * (model["slots_per_count"] or 1)
    counts = {}
    for event in events_of(model):
        most = slots / generator.choice((1, 4, 16, 64))
        counts[event] = math.floor(1 + most * generator.random())
    counts[model["groups"][0][0]["name"]] = leader
    counts["time_ns"] = leader
    for larger, smaller in table.AT_MOST:
        if counts.get(smaller, 0) > counts.get(larger, math.inf):
            counts[smaller] = math.floor(counts[larger] * generator.random())
    return counts


class Vendor:
    """A vendor's formulas, computed from the model's counts."""

    def __init__(self, model, document, smt_on, counts):
        self.model, self.document, self.smt_on, self.counts = model, document, smt_on, counts
        self.events = events_of(model)

    def count_of(self, event, modifiers):
        if not modifiers:
            if event in self.counts:
                return self.counts[event]
            for ours, others in table.SAME_COUNTS.items():
                if event in others and ours in self.counts:
                    return self.counts[ours]
            for source, replaced, by, _ in table.REPLACED:
                if source == self.model["source"] and replaced == event:
                    return expression.evaluate(by, lambda name: self.count_of(name, {}))
        config = self.document.config(event, modifiers)
        for ours, own_config in self.events.items():
            if config and config == own_config:
                return self.counts[ours]
        raise Missing(":".join([event, *[f"{name}={value}" for name, value in modifiers.items()]]))

    def literal_of(self, name):
        if name in ("#SMT_on", "smt_on"):
            return float(self.smt_on)
        if name == "#core_wide":  # not both threads at once, where there are two
            return float(not self.smt_on)
        if name == "threads":
            return 2.0 if self.smt_on else 1.0
        if name == "#slots":
            return float(self.model["slots_per_cycle"])
        raise Missing(name)

    def ratio(self, metric):
        return self.document.ratio(metric, self.count_of, self.literal_of)


def metric_of(document, node):
    """What the vendor calls a node, or None."""
    for name in (node, "tma_" + node, *table.NODE_NAMES.get(node, ())):
        if name in document.metrics:
            return name
    return None


def within_bounds(node, value):
    """As the program shows it."""
    if value is None or math.isnan(value):
        return None
    return min(max(value, 0.0), 1.0) if node["ratio"] else value


def differ(ours, theirs):
    ours, theirs = (None if value is None or math.isnan(value) else value for value in (ours, theirs))
    if ours is None or theirs is None:
        return ours is not theirs
    return abs(ours - theirs) > TOLERANCE * max(1, abs(theirs))


def check_codes(model, document):
    if not document.events:
        return
    for name, config in events_of(model).items():
        if not config:
            continue
        theirs = document.config(name, {})
        suffix = re.fullmatch(r"(.+)[._]c(?:mask)?_?(\d+)", name)
        if theirs is None and suffix:
            theirs = document.config(suffix[1], {"cmask": int(suffix[2])})
        if theirs is None and name not in document.events:
            yield name, f"event {name} is not in the vendor's list"
        elif theirs is not None and config not in (theirs, table.FIXED_CODES.get(theirs)):
            yield name, f"event {name} is 0x{config:x}, the vendor's 0x{theirs:x}"


def node_names(document, model):
    """What the vendor's metrics are called by us."""
    nodes = [node["name"] for node in model["nodes"]]
    # Conditions are common to designs, of which some do not count all nodes.
    names = [metric for node in model["nodes"] for metric in NAME.findall(node["condition"] or "")]
    return {metric_of(document, name): name for name in nodes + names}


def check_condition(model, document, node, generator):
    """A sentence, or None: both are to flag the same of random values."""
    text, scale, aliases = document.conditions[metric_of(document, node["name"])]
    names = node_names(document, model)
    for _ in range(ROUNDS):
        values = {name: generator.random() ** 2 for name in names.values()}

        def theirs(name):
            metric = aliases.get(name, name)
            if metric not in names:
                raise Missing(metric)
            return values[names[metric]] * scale

        try:
            flagged = expression.evaluate(text, theirs)
        except Missing as what:
            return f"the vendor's condition '{text}' also needs {what}"
        if flagged != expression.evaluate(node["condition"], values.__getitem__):
            return f"condition of {node['name']} is '{node['condition']}', the vendor's '{text}'"
    return None


def check_conditions(model, document):
    generator = random.Random(model["name"])
    for node in model["nodes"]:
        if metric_of(document, node["name"]) in document.conditions and node["condition"]:
            sentence = check_condition(model, document, node, generator)
            if sentence:
                yield node["name"] + " condition", sentence


def check_width(model, document):
    ours, theirs = model["slots_per_cycle"], document.width
    if theirs and model["slots_per_count"] and ours != theirs:
        yield "width", f"{ours} slots a cycle, the vendor's {theirs}"


def check_node(model, document, node, rounds, smt_on):
    """A sentence, or None; rounds: pairs of counts and our ratios."""
    metric = metric_of(document, node["name"])
    if not metric:
        return None if node["name"] in table.OWN else "the vendor has no such metric"
    telling = 0
    for counts, ratios in rounds:
        try:
            theirs = within_bounds(node, Vendor(model, document, smt_on, counts).ratio(metric))
        except Missing as what:
            return f"the vendor's formula also needs {what}"
        ours = within_bounds(node, ratios[node["name"]])
        if differ(ours, theirs):
            values = f"{ours} where the vendor's is {theirs}"
            return f"{values}; ours: {node['formula']}; counts: {counts}"
        telling += ours is not None and 0 < ours and (ours < 1 or not node["ratio"])
    return None if telling >= TELLING_ROUNDS else f"only {telling} rounds are between 0 and 1"


def check_nodes(model, document, evaluate):
    if not document.metrics or document.name in table.WITHOUT_TREE:
        return
    generator = random.Random(model["name"])
    counts = [random_counts(model, generator) for _ in range(ROUNDS)]
    rounds = list(zip(counts, evaluate(model["name"], counts)))
    for smt_on in {"any": (0, 1), "off": (0,), "on": (1,)}[model["smt"]]:
        for node in model["nodes"]:
            sentence = check_node(model, document, node, rounds, smt_on)
            if sentence:
                yield node["name"], f"{node['name']}, SMT {'on' if smt_on else 'off'}: {sentence}"


def compare(model, document, evaluate):
    """
    evaluate(model's name, [counts]): [our ratios by node].
    Returns disagreements, and the deliberate ones, as sentences.
    """
    found = [
        *check_codes(model, document),
        *check_width(model, document),
        *check_conditions(model, document),
        *check_nodes(model, document, evaluate),
    ]
    disagreements, deliberate = [], []
    allowed = {
        what: why
        for name, what, where, why in table.DIFFERENT
        if name == model["name"] and where == document.name
    }
    for what, sentence in found:
        if what in allowed:
            deliberate.append(f"{sentence}: {allowed[what]}")
        else:
            disagreements.append(sentence)
    for what in set(allowed) - {what for what, _ in found}:
        disagreements.append(f"{what} does not differ, but is in the table of differences")
    return disagreements, deliberate

# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# vendors.py - reads the vendors' files of events and metrics, as they lie in their public homes.
"""
    Intel   github.com/intel/perfmon       SPR/metrics/*_metrics*.json, SPR/events/*_core.json
    Linux   tools/perf/pmu-events/arch     x86/sapphirerapids/*.json, x86/amdzen4/*.json
    Arm     the telemetry-solution project data/pmu/cpu/neoverse/neoverse-*.json

They may lie anywhere below the folder that is searched, as clones of these repositories do.
"""
import json
import pathlib
import re

import expression

# What Intel's files call the fractions of PERF_METRICS, and what the kernel does.
PERF_METRICS = {
    "perf_metrics.retiring": "topdown-retiring",
    "perf_metrics.bad_speculation": "topdown-bad-spec",
    "perf_metrics.frontend_bound": "topdown-fe-bound",
    "perf_metrics.backend_bound": "topdown-be-bound",
    "perf_metrics.heavy_operations": "topdown-heavy-ops",
    "perf_metrics.branch_mispredicts": "topdown-br-mispredict",
    "perf_metrics.fetch_latency": "topdown-fetch-lat",
    "perf_metrics.memory_bound": "topdown-mem-bound",
}
# perfmon's suffixes of events, after a colon: c1 is CounterMask 1.
SUFFIXES = {"c": "cmask", "e": "edge", "i": "inv", "u": "umask"}
CONFIG_SHIFT = {"umask": 8, "edge": 18, "any": 21, "inv": 23, "cmask": 24}


def number(text):
    return int(str(text).split(",")[0] or "0", 0)


def split_event(text):
    """The event in lower case, and its modifiers: of "cpu@EVENT,cmask=0x6@" and of "EVENT:c6"."""
    modifiers = {}
    at = re.fullmatch(r"\w+@([^@]*)@\w*", text)
    if at:
        text, *terms = at[1].split(",")
        for term in terms:
            name, _, value = term.partition("=")
            modifiers[name] = number(value or 1)
    else:
        text, *terms = text.split(":")
        for term in terms:
            match = re.fullmatch(r"([ceiu])((?:0x)?[0-9a-f]+)", term)
            if match:
                modifiers[SUFFIXES[match[1]]] = number(match[2])
    name = text.lower()
    return PERF_METRICS.get(name, name), modifiers


class Document:
    """One processor's events and metrics, in one vendor's files."""

    def __init__(self, name):
        self.name = name
        self.metrics = {}  # name: (formula, what makes it a ratio, names in it that are aliases)
        self.events = {}  # name: config
        self.thresholds = {}  # name: ratio

    def config(self, event, modifiers):
        """What config the event has, or None: unknown."""
        config = self.events.get(event)
        if config is None:
            return None
        for name, value in modifiers.items():
            if name not in CONFIG_SHIFT:
                return None
            mask = 0xFF if name in ("umask", "cmask") else 1
            config = config & ~(mask << CONFIG_SHIFT[name]) | value << CONFIG_SHIFT[name]
        return config

    def ratio(self, metric, count_of, literal_of):
        """The metric's value of count_of(event, modifiers)."""
        formula, scale, aliases = self.metrics[metric]

        def value_of(name):
            if name.startswith("#") or name.endswith(")") or name in aliases.get("#", ()):
                return literal_of(name)
            name = aliases.get(name, name)
            if name.lower() in self.metrics:
                return self.ratio(name.lower(), count_of, literal_of)
            return count_of(*split_event(name))

        return expression.evaluate(formula, value_of) * scale


def encode(event):
    """An event's config, of the fields that perfmon and Linux have alike."""
    code = number(event["EventCode"])
    config = code & 0xFF | (code & 0xF00) << 24  # AMD's codes have four bits more
    config |= number(event.get("UMaskExt", 0)) << 40
    for field, name in (
        ("UMask", "umask"),
        ("EdgeDetect", "edge"),
        ("AnyThread", "any"),
        ("Invert", "inv"),
        ("CounterMask", "cmask"),
    ):
        config |= number(event.get(field, 0)) << CONFIG_SHIFT[name]
    return config


def add_events(document, events):
    for event in events:
        if "EventName" in event and "EventCode" in event:
            document.events[event["EventName"].lower()] = encode(event)


def read_linux(document, files, unit):
    """Files of tools/perf/pmu-events/arch/x86/CPU; unit: the PMU, where there are several."""
    for file in files:
        entries = json.loads(file.read_text())
        if not isinstance(entries, list):
            continue
        entries = [entry for entry in entries if entry.get("Unit", unit) == unit]
        add_events(document, entries)
        for entry in entries:
            if "MetricExpr" not in entry or "MetricName" not in entry:
                continue
            name = entry["MetricName"]
            percent = entry.get("ScaleUnit", "").startswith("1percent")
            document.metrics[name] = (entry["MetricExpr"], 0.01 if percent else 1, {})
            above = re.search(rf"\b{name} > ([\d.]+)", entry.get("MetricThreshold", ""))
            if above:
                document.thresholds[name] = float(above[1])


def read_perfmon(document, files):
    """Files of github.com/intel/perfmon, below CPU/metrics and CPU/events."""
    for file in files:
        content = json.loads(file.read_text())
        add_events(document, content.get("Events", []))
        for metric in content.get("Metrics", []):
            if metric.get("Category") != "TMA":
                continue
            name = metric["MetricName"].lower()
            aliases = {event["Alias"]: event["Name"] for event in metric["Events"]}
            aliases["#"] = [constant["Alias"] for constant in metric["Constants"]]
            percent = metric["UnitOfMeasure"] == "percent"
            document.metrics[name] = (metric["Formula"], 0.01 if percent else 1, aliases)
            threshold = metric.get("Threshold", {})
            threshold = threshold.get("BaseFormula") or threshold.get("Formula", "")
            above = re.search(re.escape(metric["LegacyName"]) + r" *> *([\d.]+)", threshold)
            if above:  # in per cent for some processors, as a ratio for others
                document.thresholds[name] = float(above[1]) / (100 if float(above[1]) >= 1 else 1)


def read_arm(document, files):
    """A file of Arm's telemetry-solution; others of the same name have no metrics."""
    for file in files:
        content = json.loads(file.read_text())
        if not content.get("metrics"):
            continue
        for name, event in content["events"].items():
            document.events[name.lower()] = number(event["code"])
        for name, metric in content["metrics"].items():
            percent = metric["units"].startswith("percent")
            document.metrics[name] = (metric["formula"], 0.01 if percent else 1, {})


class Folder:
    """All JSON files below a folder."""

    def __init__(self, path):
        self.files = sorted(pathlib.Path(path).rglob("*.json"))

    def find(self, *patterns):
        return [file for file in self.files for pattern in patterns if file.match(pattern)]

    def read(self, kind, *where):
        """The document of a line of table.py, or None if its files are not there."""
        document = Document(" ".join((kind, *where)).strip())
        if kind == "linux":
            cpu, *unit = where
            read_linux(document, self.find(f"x86/{cpu}/*.json"), (unit or [None])[0])
        elif kind == "perfmon":
            cpu, core = where
            files = self.find(f"{cpu}/metrics/*_metrics{core}.json", f"{cpu}/events/*{core}.json")
            if not core:
                files += self.find(f"{cpu}/events/*_core.json")
            read_perfmon(document, files)
        elif kind == "arm":
            read_arm(document, self.find(f"{where[0]}.json"))
        else:
            raise ValueError(f"no vendor is called '{kind}'")
        return document if document.metrics or document.events else None

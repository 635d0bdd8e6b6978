# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# vendors.py - reads the vendors' files of events and metrics, as they lie in their public homes.
"""
    Intel   github.com/intel/perfmon       SPR/metrics/*_metrics*.json, SPR/events/*_core.json
    Linux   tools/perf/pmu-events/arch     x86/sapphirerapids/*.json, x86/amdzen4/*.json,
                                           x86/mapfile.csv, arm64/ampere/ampereone/*.json
    Arm     the telemetry-solution project data/pmu/cpu/neoverse/neoverse-*.json

They may lie anywhere below the folder that is searched, as clones of these repositories do.
"""
import csv
import json
import os
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
# Events of fixed counters have no code in Linux' files since 7.0: perf's own table of them
# (tools/perf/pmu-events/jevents.py). Others on a fixed counter are known by their names only.
FIXED_EVENTS = {
    "inst_retired.any": 0xC0,
    "inst_retired.any_p": 0xC0,
    "cpu_clk_unhalted.thread": 0x3C,
    "cpu_clk_unhalted.core": 0x3C,
    "cpu_clk_unhalted.thread_any": 0x20003C,
    "cpu_clk_unhalted.ref": 0x300,
    "cpu_clk_unhalted.ref_tsc": 0x300,
}
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
        self.events = {}  # name: config; None of a fixed counter whose code nobody tells
        self.conditions = {}  # metric: (text, what makes its numbers of ratios, {name in it: metric})
        self.width = None  # slots a cycle, where a file says so

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
        """The metric's value of count_of(event, modifiers), as a ratio."""
        return self.value(metric, count_of, literal_of) * self.metrics[metric][1]

    def value(self, metric, count_of, literal_of):
        """The same as the formula has it, and so others that name it: perhaps in per cent."""
        formula, _, aliases = self.metrics[metric]

        def value_of(name):
            if name.startswith("#") or name.endswith(")") or name in aliases.get("#", ()):
                return literal_of(name)
            name = aliases.get(name, name)
            if name.lower() in self.metrics:
                return self.value(name.lower(), count_of, literal_of)
            return count_of(*split_event(name))

        return expression.evaluate(formula, value_of)


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
        name = event.get("EventName", "").lower()
        if "EventCode" in event:
            document.events[name] = encode(event)
        elif event.get("Counter", "").lower().startswith("fixed counter"):
            document.events[name] = FIXED_EVENTS.get(name)


# Metrics that multiply cycles by the width: of slots before PERF_METRICS, of E-cores, of AMD, of
# cores whose clears cost so many slots.
WIDTH_METRICS = ("tma_info_thread_slots", "tma_retiring", "total_dispatch_slots", "tma_backend_bound")
WIDTH = re.compile(
    r"(\d+) \* (?:tma_info_core_core_clks|(?:cpu_atom@)?CPU_CLK_UNHALTED\.CORE|ls_not_halted_cyc"
    r"|(?:cpu_core@)?INT_MISC\.CLEARS_COUNT)"
)


def width_of(document):
    formulas = [document.metrics[name][0] for name in WIDTH_METRICS if name in document.metrics]
    found = {int(width) for formula in formulas for width in WIDTH.findall(formula)}
    return found.pop() if len(found) == 1 else None


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
            if "MetricThreshold" in entry:
                document.conditions[name] = (entry["MetricThreshold"], 1, {})
    document.width = width_of(document)


def perfmon_condition(threshold, legacy):
    """Over aliases, or over names as on screen; numbers in per cent, or as ratios."""
    text = threshold["Formula"].replace("&&", "&")
    names = {}
    for metric in threshold.get("ThresholdMetrics", []):
        names[metric["Alias"]] = legacy.get(metric["Value"], metric["Value"])
    for number, name in enumerate(sorted(legacy, key=len, reverse=True)):
        if name in text:
            text = text.replace(name, f"metric{number}")
            names[f"metric{number}"] = legacy[name]
    numbers = [float(number) for number in re.findall(r"[<>] *([\d.]+)", text)]
    return text, 100 if max(numbers, default=0) >= 1 else 1, names


def read_perfmon(document, files):
    """Files of github.com/intel/perfmon, below CPU/metrics and CPU/events."""
    for file in files:
        content = json.loads(file.read_text())
        content = content if isinstance(content, dict) else {"Events": content}
        add_events(document, content.get("Events", []))
        metrics = content.get("Metrics", [])
        metrics = [metric for metric in metrics if "LegacyName" in metric]
        legacy = {metric["LegacyName"]: metric["MetricName"].lower() for metric in metrics}
        for metric in metrics:
            if metric.get("Category") != "TMA":
                continue
            name = metric["MetricName"].lower()
            aliases = {event["Alias"]: event["Name"] for event in metric["Events"]}
            aliases["#"] = [constant["Alias"] for constant in metric["Constants"]]
            percent = metric["UnitOfMeasure"] == "percent"
            document.metrics[name] = (metric["Formula"], 0.01 if percent else 1, aliases)
            if metric.get("Threshold", {}).get("Formula"):
                document.conditions[name] = perfmon_condition(metric["Threshold"], legacy)


def read_linux_arm(document, standard, files):
    """Files of tools/perf/pmu-events/arch/arm64/CPU; what they take from the common ones by name."""
    known = {}
    for file in standard:
        for entry in json.loads(file.read_text()):
            known[entry.get("EventName") or entry.get("MetricName")] = entry
            if "EventCode" in entry:  # the architecture's, on every core that has them
                document.events[entry["EventName"].lower()] = number(entry["EventCode"])
    for file in files:
        entries = json.loads(file.read_text())
        entries = [{**known.get(entry.get("ArchStdEvent"), {}), **entry} for entry in entries]
        for entry in entries:
            if "EventName" in entry and "EventCode" in entry:
                document.events[entry["EventName"].lower()] = number(entry["EventCode"])
            elif "MetricExpr" in entry and "MetricName" in entry:
                percent = entry.get("ScaleUnit", "").startswith("1percent")
                formula = (entry["MetricExpr"], 0.01 if percent else 1, {})
                document.metrics[entry["MetricName"].lower()] = formula


def read_arm(document, files):
    """A file of Arm's telemetry-solution; others of the same name have no metrics."""
    for file in files:
        content = json.loads(file.read_text())
        if not content.get("metrics"):
            continue
        for name, event in content["events"].items():
            document.events[name.lower()] = number(event["code"])
        document.width = content.get("product_configuration", {}).get("num_slots")
        for name, metric in content["metrics"].items():
            percent = metric["units"].startswith("percent")
            document.metrics[name] = (metric["formula"], 0.01 if percent else 1, {})


class Folder:
    """All JSON files and maps of processors below a folder, links followed."""

    def __init__(self, path):
        self.files = []
        for folder, _, names in os.walk(path, followlinks=True):
            wanted = [name for name in names if name.endswith((".json", "mapfile.csv"))]
            self.files += [pathlib.Path(folder, name) for name in wanted]
        self.files.sort()

    def processors(self):
        """Lines of Linux' map of x86: (expression for "GenuineIntel-6-55-4", CPU)."""
        for file in self.find("x86/mapfile.csv"):
            with file.open() as lines:
                for line in csv.DictReader(lines):
                    text = line["Family-model"].replace("[[:xdigit:]]", "[0-9A-F]")
                    yield re.compile(text + r"(-[0-9A-F]+)?"), line["Filename"]

    def arm_processors(self):
        """(implementer, part, core) of Linux' map of arm64, and of Arm's own."""
        for file in self.find("arm64/mapfile.csv"):
            for line in file.read_text().splitlines():
                if line.startswith("0x"):
                    midr, _, path, _ = line.split(",")
                    midr = int(midr, 16)
                    yield midr >> 24, midr >> 4 & 0xFFF, pathlib.Path(path).name
        for file in self.find("midr-mapping.json"):
            for midr, core in json.loads(file.read_text()).items():
                name = re.sub(r"_r\d+p\d+_pmu$", "", core["name"]).replace("_", "-")
                digits = midr.removeprefix("0x")
                # Of any revision, or the whole register.
                part = int(digits[-3:] if len(digits) < 8 else digits[-4:-1], 16)
                yield int(digits[:2], 16), part, name

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
        elif kind == "linux-arm":
            standard = self.find("arm64/common-and-microarch.json", "arm64/sbsa.json")
            read_linux_arm(document, standard, self.find(f"arm64/**/{where[0]}/*.json", f"arm64/{where[0]}/*.json"))
        elif kind == "arm":
            read_arm(document, self.find(f"{where[0]}.json"))
        else:
            raise ValueError(f"no vendor is called '{kind}'")
        return document if document.metrics or document.events else None

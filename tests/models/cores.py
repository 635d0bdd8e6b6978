# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# cores.py - holds the program's reader of vendors' files against another reader, core by core.
import csv
import json
import math
import os
import pathlib
import re
import shutil
import subprocess

import compare
import expression
import table
import vendors

# enum ctd_vendor_lack: what is of no core, and what a file that was left out would have.
COMPUTED, OTHER_PMU, OF_SYSTEM, BOTH_THREADS, NO_LATENCY, NO_EVENT = range(6)
NOT_OF_CORE = (OTHER_PMU, OF_SYSTEM, BOTH_THREADS)
LEAST = 0.98
# Of perf's events, whose tables are of another version, so many may have changed.
CHANGED = 0.01
ROOT = pathlib.Path(__file__).resolve().parents[2]
# CPU time of reading all files of a core.
READ_MS_MOST = 200
STEPPINGS = (0, 4, 7)
ROLES = {"Core": "cpu_core", "Atom": "cpu_atom", "LowPower_Atom": "cpu_lowpower", "": "-"}


def rows_of(file):
    with file.open() as lines:
        for row in csv.reader(lines):
            if len(row) > 3 and not row[0].startswith("#"):
                yield row + [""] * (7 - len(row))


def pmus_of(files):
    """The core types whose metrics are in the files."""
    entries = [entry for file in files for entry in json.loads(file.read_text()) if isinstance(entry, dict)]
    units = {entry.get("Unit", "-") for entry in entries if "MetricExpr" in entry}
    return sorted(units & set(ROLES.values()))


def linux_x86(folder):
    processors = list(folder.processors())
    seen = set()
    for pattern, cpu in processors:
        files = folder.find(f"x86/{cpu}/*.json")
        if not files or cpu in seen:
            continue
        vendor, family = re.match(r"(\w+)-(\d+)", pattern.pattern).groups()
        ids = (f"{vendor}-{family}-{number:X}-{step:X}" for number in range(256) for step in STEPPINGS)
        found = next(
            id for id in ids if next((name for fits, name in processors if fits.fullmatch(id)), None) == cpu
        )
        seen.add(cpu)
        for pmu in pmus_of(files):
            yield cpu, found, pmu, "perf"


def linux_arm(folder):
    for file in folder.find("arm64/mapfile.csv"):
        for row in rows_of(file):
            name = row[2].rpartition("/")[2]
            if folder.find(f"arm64/{row[2]}/*.json", f"arm64/{name}/*.json"):
                yield name, row[0], "-", "perf"


def perfmon(folder):
    seen = set()
    for file in folder.find("mapfile.csv"):
        for row in rows_of(file):
            path = file.parent / row[2].lstrip("/")
            if row[3] == "metrics" and row[2].startswith("/") and path.exists() and path not in seen:
                seen.add(path)
                yield path.stem, re.sub(r"\[(.).*?\]", r"\1", row[0]), ROLES[row[6]], "perfmon"


def arm(folder):
    for file in folder.files:
        if file.suffix != ".json" or b'"product_configuration"' not in file.read_bytes()[:8192]:
            continue
        core = json.loads(file.read_text())["product_configuration"]
        numbers = [int(core[name], 0) for name in ("implementer", "major_revision", "part_num", "minor_revision")]
        yield file.stem, "0x00000000{:02x}{:x}f{:03x}{:x}".format(*numbers), "-", "arm"


def all_cores(folder):
    """(name, id, PMU or -, format)"""
    for cores in (linux_x86, linux_arm, perfmon, arm):
        yield from cores(folder)


def read(tool, path, id, pmu, format):
    shown = subprocess.run([tool, path, id, pmu, format], check=False, capture_output=True, text=True)
    if shown.returncode:
        raise RuntimeError(f"{tool.name} {id}: {shown.returncode} {shown.stderr.strip()}")
    return json.loads(shown.stdout)


class Second:
    """The other reader: tests/models/expression.py, with what each name of an event counts."""

    def __init__(self, shown, id):
        self.metrics = {metric["name"].lower(): metric for metric in shown["metrics"]}
        self.names, self.id, self.values = shown["names"], id, {}

    def matches(self, least):
        """Of the same core, whose version is at least that."""
        least, own = int(least, 0), int(self.id, 0)
        versions = [(midr >> 20 & 0xF, midr & 0xF) for midr in (least, own)]
        return least & ~0xF0000F == own & ~0xF0000F and versions[0] <= versions[1]

    def value_of(self, name, inside):
        function = re.fullmatch(r"(\w+)\((.*)\)", name)
        if function and function[1] == "strcmp_cpuid_str":
            return float(self.matches(function[2]))
        if function:
            return float(self.names.get(function[2].replace("\\", "")) is not None)
        if name.lower() in self.metrics and name.lower() != inside:
            return self.value(name.lower())
        value = self.names[name]
        return math.nan if value is None else value

    def value(self, metric):
        if metric not in self.values:
            text = self.metrics[metric]["expression"]
            self.values[metric] = expression.evaluate(text, lambda name: self.value_of(name, metric))
        return self.values[metric]


def differences(shown, id):
    """Sentences: metrics that another reader of formulas gets another value of."""
    second = Second(shown, id)
    for name, metric in second.metrics.items():
        if metric["lack"] == COMPUTED:
            theirs = second.value(name)
            ours = math.nan if metric["value"] is None else metric["value"]
            if compare.differ(ours, theirs):
                yield f"{name} is {ours}, tests/models/expression.py has {theirs}: {metric['expression'][:200]}"
        if metric["threshold_lack"]:
            yield f"{name}: {metric['threshold_lack']}"


def wrong_codes(shown, document):
    """Sentences: events with other codes than tests/models/vendors.py has."""
    for name, config in (document.events if document else {}).items():
        event = shown["events"].get(name) or next(
            (event for other, event in shown["events"].items() if other.lower() == name), None
        )
        if config is None or not event:
            continue
        if event["config"] != vendors.FIXED_EVENTS.get(name, config):
            yield f"event {name} is 0x{event['config']:x}, vendors.py has 0x{config:x}"


def perf_codes(id):
    """
    Name: (config, config1) of what perf, the second reader of events, has built in of the processor;
    {} where it has none, or cannot run. It takes the PMU from sysfs, of which a recorded machine's
    stands in.
    """
    machine = "zen4" if id.startswith("AuthenticAMD") else "sapphire_rapids"
    devices = ROOT / f"tests/machines/{machine}/sys/bus/event_source"
    script = 'mount --bind "$0" /sys/bus/event_source && PERF_CPUID=$1 exec perf list --details pmu'
    command = ["unshare", "-m", "sh", "-c", script, devices, id]
    if id.startswith("0x") or not shutil.which("perf") or os.geteuid() != 0:
        return {}
    shown = subprocess.run(command, check=False, capture_output=True, text=True)
    codes, name = {}, None
    for line in shown.stdout.splitlines():
        heading = re.fullmatch(r"  ([a-z]\S*) *", line)
        terms = re.fullmatch(r" +cpu/(event=.*)/ *", line)
        if heading:
            name = heading[1]
        elif terms and name:
            codes[name] = encode_terms(terms[1])
            name = None
    return codes


def encode_terms(text):
    """What perf makes of "event=0xd1,period=0x186b5,umask=0x4"."""
    config = config1 = 0
    for term in text.split(","):
        name, _, value = term.partition("=")
        value = int(value or "1", 0)
        if name == "event":
            config |= value & 0xFF | (value & 0xF00) << 24
        elif name in vendors.CONFIG_SHIFT:
            config |= value << vendors.CONFIG_SHIFT[name]
        elif name in ("offcore_rsp", "ldlat", "frontend"):
            config1 = value
    return config, config1


def other_than_perf(shown, codes):
    """
    How many events perf has, too, and sentences: those that it encodes in another way. It prints the
    last 32 bits of a number only.
    """
    both, wrong = 0, []
    for name, event in shown["events"].items():
        if name.lower() not in codes:
            continue
        both += 1
        config, config1 = codes[name.lower()]
        if config != event["config"] or config1 != event["config1"] & 0xFFFFFFFF:
            wrong.append(
                f"{name} is 0x{event['config']:x} 0x{event['config1']:x}, perf has 0x{config:x} 0x{config1:x}"
            )
    return both, wrong


def fits(events, counters):
    """Can events, each a set of counters that it may be on, be counted at once?"""
    owner = {}

    def place(index, tried):
        for counter in events[index] & counters:
            if counter not in tried:
                tried.add(counter)
                if counter not in owner or place(owner[counter], tried):
                    owner[counter] = index
                    return True
        return False

    return all(place(index, set()) for index in range(len(events)))


def counters_of(shown, name, counters, intel):
    """Which counters an event of a group may be on, by its file and by the kernel; None: it takes none."""
    terms = re.split("[@:,]", re.sub("^(cpu|cpu_core|cpu_atom|cpu_lowpower)@", "", name))
    base, plain = terms[0].lower(), not any("=" in term or term in ("edge", "inv") for term in terms)
    if base.startswith(("topdown-", "perf_metrics.")):
        return None
    events = {other.lower(): event for other, event in shown["events"].items()}
    event = events.get(base, {"config": {"slots": 0x400, "cycles": 0x3C}.get(base, -1), "counters": 0})
    config = event["config"] if plain and intel else -1
    if config > 0 and config & 0xFF == 0:
        return {f"fixed {(config >> 8) - 1}"}
    listed = {number for number in range(32) if event["counters"] >> number & 1}
    everywhere = {counter for counter in counters if isinstance(counter, int)}
    fixed = {0x3C: {"fixed 1"}, 0xC0: {"fixed 0"}}.get(config)
    return everywhere | fixed if fixed else listed or everywhere


def wrong_groups(shown, id, rotation):
    """Sentences: groups that the core's counters cannot count, metrics that are not whole in theirs."""
    intel, arm = id.startswith("Genuine"), id.startswith("0x")
    counters = set(range(rotation["general"])) | {f"fixed {number}" for number in rotation["fixed"]}
    needs = {metric["name"]: set(metric["needs"]) for metric in shown["metrics"]}
    for number, group in enumerate(rotation["groups"]):
        asked = [counters_of(shown, name, counters, intel) for name in group]
        if arm:
            asked = [each | {"fixed 0"} if name.upper() == "CPU_CYCLES" else each for name, each in zip(group, asked)]
        if len(group) > 16 or not fits([each for each in asked if each is not None], counters):
            yield f"level {rotation['level']}, group {number}: {', '.join(group)} on {sorted(map(str, counters))}"
        metrics = [name for name, place in rotation["metrics"].items() if place == number]
        yield from (f"{name} is not whole in its group" for name in metrics if not needs[name] <= set(group))
    if intel and not rotation["watchdog"] and len(rotation["groups"]) > rotation["alone_groups"]:
        yield f"level {rotation['level']}: {len(rotation['groups'])} groups, {rotation['alone_groups']} as perf has them"


def other_values(shown, rotation):
    """Sentences: metrics that the counts of their own group do not give the value of all counts."""
    whole = {metric["name"]: metric["value"] for metric in shown["metrics"]}
    wrong = [f"{name} is {value} of its group, {whole[name]} of all" for name, value in rotation["values"].items() if value != whole[name]]
    if rotation["metrics"] and all(value is None for value in rotation["values"].values()):
        wrong.append(f"level {rotation['level']}: no metric has a value")
    return wrong


def check_groups(tap, core, shown, id):
    wrong = [line for rotation in shown["rotations"] if rotation for line in wrong_groups(shown, id, rotation)]
    wrong += [line for rotation in shown["rotations"] if rotation for line in other_values(shown, rotation)]
    deepest = [rotation for rotation in shown["rotations"] if rotation and not rotation["watchdog"]]
    said = ", ".join(
        f"{'all' if not rotation['level'] else 'level %d' % rotation['level']}: {len(rotation['groups'])} and {rotation['alone_groups']}"
        for rotation in deepest
    )
    left_out = [f"{name}: {why}" for rotation in deepest[:1] for name, why in rotation["left_out"].items()]
    tap.report(f"{core}: groups, and as perf has them: {said}", wrong, left_out)


def excused(folder, name, shown, metric):
    """Why a metric of the core cannot be computed from what the folder has, or None."""
    if metric["lack"] == NO_LATENCY:
        return "no file has the latency"
    if metric["lack"] != NO_EVENT:
        return None
    if any("lists of all Arm cores" in note for note in shown["notes"]):
        return "the folder has not all of Linux' lists of Arm's events"
    missing = [file for file in table.OTHER_PMU_FILES.get(name, ()) if not folder.find(f"{name}/{file}")]
    return f"the folder has no {', '.join(missing)}" if missing else None


def check(tap, tool, folder, path):
    for name, id, pmu, format in all_cores(folder):
        shown = read(tool, path, id, pmu, format)
        own = [metric for metric in shown["metrics"] if metric["lack"] not in NOT_OF_CORE]
        reasons = {metric["name"]: excused(folder, name, shown, metric) for metric in own}
        counted = [metric for metric in own if not reasons[metric["name"]]]
        computed = sum(metric["lack"] == COMPUTED for metric in counted)
        wrong = list(differences(shown, id)) + list(wrong_codes(shown, vendor_document(folder, name, pmu, format)))
        lacking = [metric for metric in counted if metric["lack"] != COMPUTED]
        if not shown["metrics"] or computed < LEAST * len(counted):
            wrong.append(f"{computed} of {len(counted)} metrics of the core can be computed")
            wrong += [f"{metric['name']}: {metric['why']}" for metric in lacking]
        remarks = [f"{metric['name']}: {metric['why']}" for metric in lacking]
        both, other = other_than_perf(shown, perf_codes(id))
        (wrong if len(other) > CHANGED * both else remarks).extend(other)
        for reason in sorted({reason for reason in reasons.values() if reason}):
            remarks.append(f"{sum(other == reason for other in reasons.values())} metrics: {reason}")
        if shown["ms"] > READ_MS_MOST:
            wrong.append(f"to read its files takes {shown['ms']:.0f} ms, and not {READ_MS_MOST} at most")
        core = f"{format} {name}{'' if pmu == '-' else ' ' + pmu}"
        metrics = f"{computed} of {len(counted)} metrics of the core and {len(shown['metrics']) - len(own)} others"
        events = f"{len(shown['events'])} events, {both - len(other)} of {both} as perf has them"
        tap.report(f"{core}: {metrics}, {events}, {shown['ms']:.0f} ms", wrong, remarks)
        check_groups(tap, core, shown, id)


def vendor_document(folder, name, pmu, format):
    """The same files by tests/models/vendors.py, as far as it reads them."""
    if format == "arm":
        return folder.read("arm", name)
    if format == "perf" and folder.find(f"x86/{name}/*.json"):
        return folder.read("linux", name, *([] if pmu == "-" else [pmu]))
    if format == "perfmon":
        return folder.read("perfmon", *perfmon_place(folder, name))
    return None


def perfmon_place(folder, name):
    """SPR and "", ADL and "_goldencove_core", of the file of metrics."""
    file = folder.find(f"*/metrics/{name}.json")[0]
    return file.parent.parent.name, name.partition("_metrics")[2]

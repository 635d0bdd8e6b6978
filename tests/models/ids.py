# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# ids.py - holds the processors that models claim against the vendors' and Linux' maps.
import table

# A stepping of each part of a model that the map tells apart.
STEPPINGS = (0, 4, 7, 11)
MODELS = range(0x100)


def linux_cpus(model):
    return {where[1] for where in table.FILES.get(model["name"], ()) if where[0] == "linux"}


def mapped_to(processors, vendor, family, number):
    """What the map has for the id: the first line that fits, for each stepping."""
    found = set()
    for stepping in STEPPINGS:
        text = f"{vendor}-{family}-{number:X}-{stepping:X}"
        for expression, cpu in processors:
            if expression.fullmatch(text):
                found.add(cpu)
                break
    return found


def excused(vendor, family, number, cpu):
    for of_vendor, of_family, first, last, of_cpu, why in table.IDS_DIFFERENT:
        if (vendor, family, cpu) == (of_vendor, of_family, of_cpu) and first <= number <= last:
            return why
    return None


def ranges(numbers):
    """0x10-0x1f, 0x30"""
    spans = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(f"0x{a:02x}" if a == b else f"0x{a:02x}-0x{b:02x}" for a, b in spans)


def look(of_vendor, processors, vendor, family, number):
    """(what is wrong with the id, the map's CPU), as often as it is."""
    claiming = [
        model
        for model in of_vendor
        for id in model["ids"]
        if id["family"] == family and id["model"] <= number <= id["model_last"]
    ]
    names = ", ".join(sorted({model["name"] for model in claiming}))
    known = set().union(*[linux_cpus(model) for model in of_vendor])
    claimed = set().union(*[linux_cpus(model) for model in claiming])
    cpus = mapped_to(processors, vendor, family, number)
    for cpu in sorted(cpus):
        if claiming and cpu not in claimed:
            yield f"{cpu} in Linux' map, not {names}", cpu
        elif not claiming and cpu in known:
            yield f"{cpu} in Linux' map, and no model's", cpu
    if claiming and not cpus:
        yield f"not in Linux' map, but {names}", ""


def differences(models, processors):
    """Sentences: ids that the map gives to another processor, and those that nobody claims."""
    found = {}  # (vendor, family, what is wrong, why it may be): models
    for vendor in ("GenuineIntel", "AuthenticAMD"):
        of_vendor = [model for model in models if model["vendor"] == vendor]
        for family in sorted({id["family"] for model in of_vendor for id in model["ids"]}):
            for number in MODELS:
                for what, cpu in look(of_vendor, processors, vendor, family, number):
                    why = excused(vendor, family, number, cpu)
                    found.setdefault((vendor, family, what, why), []).append(number)
    wrong, deliberate = [], []
    for (vendor, family, what, why), numbers in found.items():
        sentence = f"{vendor} family {family} model {ranges(numbers)} is {what}"
        if why:
            deliberate.append(f"{sentence}: {why}")
        else:
            wrong.append(sentence)
    return wrong, deliberate


def arm_differences(models, processors):
    """The same for Arm's cores, of which processors has (implementer, part, name in the map)."""
    claimed = {}
    for model in models:
        if model["name"] in table.ARM_CORES:
            for id in model["ids"]:
                claimed.setdefault((id["family"], id["model"]), set()).add(model["name"])
    known = set().union(*table.ARM_CORES.values())
    wrong = []
    for implementer, part, core in processors:
        names = claimed.get((implementer, part), set())
        what = f"implementer {implementer:#x} part {part:#x} is {core} in the map"
        if names and core not in set().union(*[table.ARM_CORES[name] for name in names]):
            wrong.append(f"{what}, not {', '.join(sorted(names))}")
        elif not names and core in known:
            wrong.append(f"{what}, and no model's")
    mapped = {(implementer, part) for implementer, part, _ in processors}
    for (implementer, part), names in claimed.items():
        if (implementer, part) not in mapped:
            what = f"implementer {implementer:#x} part {part:#x} is in no map"
            wrong.append(f"{what}, but {', '.join(sorted(names))}")
    return wrong

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# compare_stacks.py - compares stacks of a process as cgtopdown and as `perf record --call-graph dwarf` saw them.
"""usage: compare_stacks.py PID FOLDED HERTZ NAMER <PERF_SCRIPT

PERF_SCRIPT is of `perf script -F ip,sym,dso --no-inline`, FOLDED of `cgtopdown profile --sort cpu`, NAMER the program
name_addresses; the process still runs. Prints in per cent: stacks that are complete, that is, end where a thread
begins; pairs of a function and its caller that perf saw, too; and by how many standard errors the functions' parts
of the time differ (chi-square).
"""
import collections
import re
import subprocess
import sys

# Where threads begin, if it has a name.
BEGINNINGS = {"_start", "clone", "clone3", "__clone", "__clone3"}
OFTEN = 20
# What a JIT made, without symbols: also where it was mapped after the process was looked at.
JIT = "[JIT]"


def unite_jit(names):
    return [JIT if name.startswith("[memory]") or name == "[unknown]" else name for name in names]


def read_maps(pid):
    maps = []
    with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
        for line in file:
            fields = line.split()
            if "x" in fields[1]:
                start, end = (int(text, 16) for text in fields[0].split("-"))
                maps.append((start, end, int(fields[2], 16), fields[5] if len(fields) > 5 else ""))
    return maps


def to_address(offset, path, maps):
    """perf prints offsets in files."""
    for start, end, first, name in maps:
        if name == path and first <= offset < first + end - start:
            return start + offset - first
    return offset


def read_perf(pid, file):
    """Stacks of addresses; callers less 1, as they may stand behind a function that never returns."""
    maps, stacks, stack = read_maps(pid), [], []
    for line in [*file, ""]:
        match = re.match(r"\s*([0-9a-f]+) .*\((.*)\)$", line)
        if match:
            stack.append(to_address(int(match[1], 16), match[2], maps) - bool(stack))
        elif stack:
            stacks.append(stack)
            stack = []
    return stacks


def name_stacks(pid, namer, stacks):
    addresses = sorted({address for stack in stacks for address in stack if address < 1 << 48})
    lines = subprocess.run([namer, str(pid)], input="\n".join(f"{address:x}" for address in addresses), text=True,
                           stdout=subprocess.PIPE, check=True).stdout.splitlines()
    names = dict(zip(addresses, lines))
    return [unite_jit(names.get(address, "?") for address in stack) for stack in stacks]


def read_folded(path, hertz):
    """Samples by stack, innermost first, of those outside of the kernel."""
    stacks = collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            frames, cpu_ns = line.rsplit(" ", 1)
            frames = frames.split(";")[1:]
            if frames and not frames[-1].endswith("_[k]") and frames != ["[not sampled]"]:
                stacks[tuple(unite_jit(reversed(frames)))] += int(cpu_ns) * hertz / 1e9
    return stacks


def compare_parts(ours, theirs):
    """Functions that are seldom are one."""
    whole, their_whole = sum(ours.values()), sum(theirs.values())
    often = [name for name in theirs if theirs[name] >= 10 and ours[name] >= 10]
    pairs = [(ours[name], theirs[name]) for name in often]
    pairs.append((whole - sum(pair[0] for pair in pairs), their_whole - sum(pair[1] for pair in pairs)))
    scale = (their_whole / whole) ** 0.5
    chi_square = sum((one * scale - other / scale) ** 2 / (one + other) for one, other in pairs if one + other)
    return (chi_square - (len(pairs) - 1)) / max(2 * (len(pairs) - 1), 1) ** 0.5


def main():
    pid, folded, hertz, namer = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    theirs = name_stacks(pid, namer, read_perf(pid, sys.stdin))
    ours = read_folded(folded, hertz)
    if len(theirs) < 100 or sum(ours.values()) < 100:
        sys.exit(f"too few samples: {len(theirs)} of perf, {sum(ours.values()):.0f} of ours")
    # A program without symbols begins at an address; the outermost function of most stacks is it. A JIT's is no beginning.
    ends = collections.Counter(stack[-1] for stack in theirs if stack[-1] != JIT)
    beginnings = BEGINNINGS | {ends.most_common(1)[0][0]}
    # Without those that perf saw too seldom to have seen all of their callers.
    seen = collections.Counter(function for stack in theirs for function in stack[:-1])
    known = {pair for stack in theirs for pair in zip(stack, stack[1:])}
    pairs, wrong, complete = 0, collections.Counter(), 0
    for stack, samples in ours.items():
        complete += samples if stack[-1] in beginnings else 0
        for pair in zip(stack, stack[1:]):
            # What a JIT made has no table, and perf mostly no stack.
            if stack[-1] in beginnings and seen[pair[0]] >= OFTEN and JIT not in pair:
                pairs += samples
                wrong[pair] += 0 if pair in known else samples
    leaves, their_leaves = collections.Counter(), collections.Counter(stack[0] for stack in theirs)
    for stack, samples in ours.items():
        leaves[stack[0]] += samples
    complete_of_perf = 100 * sum(stack[-1] in beginnings for stack in theirs) / len(theirs)
    print(f"complete={100 * complete / sum(ours.values()):.2f} right={100 - 100 * sum(wrong.values()) / max(pairs, 1):.2f} "
          f"apart={compare_parts(leaves, their_leaves):.1f} samples={sum(ours.values()):.0f} of_perf={len(theirs)} "
          f"complete_of_perf={complete_of_perf:.2f}")
    for (function, caller), samples in wrong.most_common(5):
        if samples:
            print(f"# {100 * samples / pairs:.2f} %: perf has not seen {caller} call {function}")


if __name__ == "__main__":
    main()

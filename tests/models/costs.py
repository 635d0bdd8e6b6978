# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# costs.py - holds what a vendor's metrics cost while they are counted against what they may.
import math
import re
import subprocess

# Of 1,000 rows: CPU time of a thread, as the program measures it.
METRICS, EVALUATE_MS_MOST = 200, 5
# What may be left of the files when they have been read: what is counted, and what the allocator keeps.
LEFT_MB_MOST = 2
# The tree that has most.
ID = "GenuineIntel-6-8F-6"
ROUNDS = 3


def number(pattern, shown):
    """The number that the pattern finds in what tests/bench/vendor prints; not a number: it finds none."""
    found = re.search(pattern, shown, re.MULTILINE)
    return float(found[1]) if found else math.nan


def judge(shown):
    """Sentences: what costs more than it may; None: the files have too few metrics to tell."""
    if number(r"^(\d+) metrics", shown) < METRICS:
        return None
    wrong = []
    evaluate_ms = number(r"^\| [\d.]+ ms \| ([\d.]+) ms \| [\d.]+ \|$", shown)
    before_mb, left_mb = (number(rf"^\| {name} \| [\d.]+ MB \| ([\d.]+) MB \|$", shown) for name in ("before", "given back"))
    # Neither is so of what is not a number.
    if not evaluate_ms <= EVALUATE_MS_MOST:
        wrong.append(f"to evaluate takes {evaluate_ms} ms, and not {EVALUATE_MS_MOST} at most")
    if not left_mb - before_mb <= LEFT_MB_MOST:
        wrong.append(f"{left_mb - before_mb:.2f} MB are left of what reading took, and not {LEFT_MB_MOST} at most")
    return wrong


def check(tap, bench, path):
    sentence = f"{METRICS} metrics of 1,000 rows take {EVALUATE_MS_MOST} ms at most, and the memory of reading is given back"
    for _ in range(ROUNDS):
        run = subprocess.run([bench, path, ID], check=False, capture_output=True, text=True)
        wrong = judge(run.stdout) if run.returncode == 0 else [run.stderr.strip()]
        if not wrong:
            break
    remarks = [line for line in run.stdout.splitlines() if line]
    tap.report(sentence, wrong or (), remarks, skip=f"the folder has too few metrics of {ID}" if wrong is None else None)

# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test_checks.py - the checks read the vendors' languages, and see what is wrong.
import json
import math
import pathlib
import random
import re
import tempfile
import unittest

import compare
import cores
import costs
import expression
import ids
import table
import vendors

METRICS = [
    {"MetricName": "slots_all", "MetricExpr": "6 * cycles.any"},
    {
        "MetricName": "frontend_bound",
        "MetricExpr": "d_ratio(cpu@empty.slots\\,cmask\\=0x6@ + empty.slots, slots_all)",
        "MetricThreshold": "frontend_bound > 0.15",
        "ScaleUnit": "100%",
    },
]
EVENTS = [
    {"EventName": "CYCLES.ANY", "EventCode": "0x76"},
    {"EventName": "empty.slots", "EventCode": "0x1a0", "UMask": "0x01"},
]
MODEL = {
    "name": "zen0",
    "source": "dispatch_slots",
    "smt": "any",
    "core_scope": False,
    "slots_per_cycle": 6,
    "slots_per_count": 6,
    "leader_by_code": [],
    "groups": [
        [
            {"name": "cycles.any", "config": 0x76},
            {"name": "empty.slots", "config": 0x1000001A0},
            {"name": "empty.slots_cmask6", "config": 0x1060001A0},
        ]
    ],
    "nodes": [
        {
            "name": "frontend_bound",
            "ratio": True,
            "condition": "frontend_bound > 0.15",
            "formula": "as below",
        }
    ],
}


def ours(_, all_counts):
    return [
        {
            "frontend_bound": (counts["empty.slots"] + counts["empty.slots_cmask6"])
            / (6 * counts["cycles.any"])
        }
        for counts in all_counts
    ]


def value(text, **names):
    return expression.evaluate(text, lambda name: names[name])


class Expressions(unittest.TestCase):
    def test_operators_bind_as_perf_has_them(self):
        for text, want in (
            ("1 + 2 * 3 - 4 / 8", 6.5),
            ("10 - 3 - 2", 5),
            ("-2 * (1 - 3)", 4),
            ("7 % 4 + 0.25e-1", 3.025),
            ("min(3, max(1, 2)) + d_ratio(1, 4)", 2.25),
            ("d_ratio(1, 0)", 0),
            ("1 if 2 > 3 else 4 if 0 else 5", 5),
            ("1 | 0 ^ 1", 1),
            ("0 | 1 & 0", 0),
            ("1 if 1 < 2 & 3 > 2 else 0", 1),
            ("1 if 2 > = 2 else 0", 1),
        ):
            self.assertAlmostEqual(value(text), want, msg=text)
        self.assertTrue(math.isnan(value("1 / 0")))

    def test_names_have_escapes_and_may_be_literals(self):
        names = {"topdown-be-bound": 6, "cpu@A.B,cmask=1@": 2, "#slots": 3}
        text = "topdown\\-be\\-bound / cpu@A.B\\,cmask\\=1@ - #slots"
        self.assertEqual(expression.evaluate(text, names.__getitem__), 0)

    def test_the_side_that_does_not_count_is_not_looked_at(self):
        self.assertEqual(value("a if 1 else b", a=7), 7)

    def test_what_is_no_formula_is_refused(self):
        for text in ("1 +", "(1", "1 2", "max(1", "$", "1 if 2", ""):
            self.assertRaises(expression.Malformed, value, text)


class Events(unittest.TestCase):
    def test_modifiers_are_read_in_both_spellings(self):
        for text, want in (
            ("UOPS.ANY:c1:e1", ("uops.any", {"cmask": 1, "edge": 1})),
            ("cpu@UOPS.ANY,cmask=0x1,edge@", ("uops.any", {"cmask": 1, "edge": 1})),
            ("cpu_core@UOPS.ANY@", ("uops.any", {})),
            ("TOPDOWN.SLOTS:perf_metrics", ("topdown.slots", {})),
            ("PERF_METRICS.RETIRING", ("topdown-retiring", {})),
        ):
            self.assertEqual(vendors.split_event(text), want)

    def test_codes_are_what_the_kernel_takes(self):
        code = {"EventCode": "0xA3", "UMask": "0x14", "CounterMask": "20", "AnyThread": "1"}
        self.assertEqual(vendors.encode(code), 0x142014A3)
        self.assertEqual(vendors.encode({"EventCode": "0x1a0", "UMask": "0x1e"}), 0x100001EA0)


class Comparison(unittest.TestCase):
    def compare(self, metrics=METRICS, events=EVENTS, model=None, evaluate=ours):
        with tempfile.TemporaryDirectory() as folder:
            cpu = pathlib.Path(folder, "tools/arch/x86/amdzen0")
            cpu.mkdir(parents=True)
            (cpu / "pipeline.json").write_text(json.dumps(metrics))
            (cpu / "core.json").write_text(json.dumps(events))
            document = vendors.Folder(folder).read("linux", "amdzen0")
        return compare.compare(model or MODEL, document, evaluate)

    def only(self, found, words):
        disagreements, deliberate = found
        self.assertEqual(deliberate, [])
        self.assertEqual(len(set(line.split(",")[0] for line in disagreements)), 1, disagreements)
        for line in disagreements:
            self.assertIn(words, line)

    def test_what_agrees_is_silent(self):
        self.assertEqual(self.compare(), ([], []))

    def test_a_wrong_width_is_seen(self):
        wrong = json.loads(json.dumps(METRICS).replace("6 * cycles", "8 * cycles"))
        self.only(self.compare(metrics=wrong), "where the vendor's is")

    def test_a_small_error_is_seen(self):
        def slightly_wrong(name, all_counts):
            right = ours(name, all_counts)
            return [{"frontend_bound": r["frontend_bound"] * 1.00001} for r in right]

        self.only(self.compare(evaluate=slightly_wrong), "where the vendor's is")

    def test_no_data_is_no_number(self):
        for ours, theirs, want in (
            (math.nan, 5.0, True),
            (5.0, math.nan, True),
            (None, 0.0, True),
            (math.nan, None, False),
            (math.nan, math.nan, False),
            (5.0, 5.0, False),
        ):
            self.assertEqual(compare.differ(ours, theirs), want, (ours, theirs))

    def test_a_wrong_code_is_seen(self):
        wrong = json.loads(json.dumps(EVENTS).replace("0x76", "0x77"))
        self.only(self.compare(events=wrong), "event cycles.any is 0x76, the vendor's 0x77")

    def test_a_fixed_counter_may_have_the_code_that_the_kernel_takes(self):
        fixed = [{"EventName": "CYCLES.ANY", "EventCode": "0x00", "UMask": "0x02"}, EVENTS[1]]
        kernel = json.loads(json.dumps(MODEL).replace('"config": 118', '"config": 60'))
        self.assertEqual(self.compare(events=fixed, model=kernel), ([], []))
        self.only(self.compare(events=fixed), "event cycles.any is 0x76, the vendor's 0x200")

    def test_counts_are_such_as_a_machine_may_have(self):
        model = json.loads(json.dumps(MODEL).replace("empty.slots_cmask6", "uops_issued.any"))
        model = json.loads(json.dumps(model).replace("empty.slots", "uops_retired.retire_slots"))
        generator = random.Random(1)
        for counts in [compare.random_counts(model, generator) for _ in range(100)]:
            self.assertLessEqual(counts["uops_retired.retire_slots"], counts["uops_issued.any"])

    def test_an_unknown_event_is_seen(self):
        self.only(self.compare(events=EVENTS[1:]), "event cycles.any is not in the vendor's list")

    def test_a_wrong_threshold_is_seen(self):
        wrong = json.loads(json.dumps(METRICS).replace("> 0.15", "> 0.2"))
        self.only(self.compare(metrics=wrong), "condition of frontend_bound is")

    def test_a_condition_that_lacks_a_part_is_seen(self):
        more = json.loads(json.dumps(METRICS).replace("> 0.15", "> 0.15 | frontend_bound < 0.01"))
        self.only(self.compare(metrics=more), "condition of frontend_bound is")
        other = json.loads(json.dumps(METRICS).replace("> 0.15", "> 0.15 & other > 0.3"))
        self.only(self.compare(metrics=other), "also needs other")

    def test_the_width_is_the_vendors(self):
        slots = [{"MetricName": "total_dispatch_slots", "MetricExpr": "8 * ls_not_halted_cyc"}]
        self.only(self.compare(metrics=METRICS + slots), "6 slots a cycle")

    def test_a_fixed_counter_without_a_code_has_that_of_perfs_table(self):
        events = [{"EventName": "INST_RETIRED.ANY", "Counter": "Fixed counter 0"}, EVENTS[1]]
        metrics = json.loads(json.dumps(METRICS).replace("cycles.any", "inst_retired.any"))
        model = json.loads(json.dumps(MODEL).replace("cycles.any", "inst_retired.any"))

        def by_instructions(_, all_counts):
            renamed = [{**c, "cycles.any": c["inst_retired.any"]} for c in all_counts]
            return ours(_, renamed)

        right = json.loads(json.dumps(model).replace('"config": 118', '"config": 192'))
        found = self.compare(metrics, events, right, by_instructions)
        self.assertEqual(found, ([], []))
        found = self.compare(metrics, events, model, by_instructions)
        self.only(found, "event inst_retired.any is 0x76, the vendor's 0xc0")

    def test_a_folder_behind_a_link_is_read(self):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
            cpu = pathlib.Path(elsewhere, "arch/x86/amdzen0")
            cpu.mkdir(parents=True)
            (cpu / "pipeline.json").write_text(json.dumps(METRICS))
            pathlib.Path(folder, "linux").symlink_to(elsewhere)
            self.assertTrue(vendors.Folder(folder).read("linux", "amdzen0").metrics)

    def test_a_metric_that_the_vendor_lacks_is_seen(self):
        self.only(self.compare(metrics=METRICS[:1]), "the vendor has no such metric")

    def test_an_event_that_we_do_not_count_is_seen(self):
        wrong = json.loads(json.dumps(METRICS).replace("+ empty.slots", "+ full.slots"))
        self.only(self.compare(metrics=wrong), "also needs full.slots")

    def test_a_ratio_that_is_always_cut_off_is_not_taken_for_agreement(self):
        wrong = json.loads(json.dumps(METRICS).replace("6 * cycles", "-6 * cycles"))

        def negative(name, all_counts):
            return [{"frontend_bound": -r["frontend_bound"]} for r in ours(name, all_counts)]

        self.only(self.compare(metrics=wrong, evaluate=negative), "between 0 and 1")

    def test_a_deliberate_difference_is_told_and_an_old_one_is_seen(self):
        wrong = json.loads(json.dumps(METRICS).replace("6 * cycles", "8 * cycles"))
        line = ("zen0", "frontend_bound", "linux amdzen0", "the reason")
        table.DIFFERENT.append(line)
        try:
            disagreements, deliberate = self.compare(metrics=wrong)
            self.assertEqual(disagreements, [])
            self.assertTrue(deliberate and deliberate[0].endswith("the reason"))
            self.only(self.compare(), "is in the table of differences")
        finally:
            table.DIFFERENT.remove(line)


class Cores(unittest.TestCase):
    SHOWN = {
        "metrics": [
            {"name": "A", "expression": "b / 2", "lack": 0, "value": 3.0, "threshold_lack": None},
            {"name": "b", "expression": "X.Y + #slots", "lack": 0, "value": 6.0, "threshold_lack": None},
            {"name": "c", "expression": "has_event(Z)", "lack": 0, "value": 0.0, "threshold_lack": None},
            {"name": "d", "expression": "1 / 0", "lack": 0, "value": None, "threshold_lack": None},
            {"name": "e", "expression": "Z", "lack": 5, "value": None, "threshold_lack": None},
        ],
        "names": {"X.Y": 2.0, "#slots": 4.0, "Z": None},
        "events": {"X.Y": {"config": 0x10}},
    }

    def changed(self, old, new):
        text = json.dumps(self.SHOWN)
        self.assertIn(old, text)
        return json.loads(text.replace(old, new))

    def test_two_readers_that_agree_are_silent(self):
        self.assertEqual(list(cores.differences(self.SHOWN, "")), [])

    def test_another_value_is_seen(self):
        for old, new in (("3.0", "3.00001"), ("6.0", "null"), ('"value": null', '"value": 1.0')):
            self.assertEqual(len(list(cores.differences(self.changed(old, new), ""))), 1, old)

    def test_a_threshold_that_is_no_formula_is_seen(self):
        wrong = self.changed('3.0, "threshold_lack": null', '3.0, "threshold_lack": "byte 1"')
        self.assertEqual(list(cores.differences(wrong, "")), ["a: byte 1"])

    def test_another_code_is_seen(self):
        document = vendors.Document("any")
        document.events = {"x.y": 0x10, "other": 1}
        self.assertEqual(list(cores.wrong_codes(self.SHOWN, document)), [])
        document.events = {"x.y": 0x11}
        self.assertEqual(len(list(cores.wrong_codes(self.SHOWN, document))), 1)

    def test_arms_version_is_the_least(self):
        second = cores.Second(self.SHOWN, "0x00000000410fd491")
        for least, want in (("0x410fd490", True), ("0x410fd493", False), ("0x410fd4f0", False)):
            self.assertEqual(second.matches(least), want, least)


class Ids(unittest.TestCase):
    PROCESSORS = [
        (re.compile("AuthenticAMD-26-(0|1[0-9A-F])(-[0-9A-F]+)?"), "amdzen5"),
        (re.compile("AuthenticAMD-26-[0-9A-F]+(-[0-9A-F]+)?"), "amdzen6"),
    ]

    def differences(self, *ranges):
        ids_of = {"zen5": [], "zen6": []}
        for name, first, last in ranges:
            ids_of[name].append({"family": 26, "model": first, "model_last": last})
        models = [{"name": n, "vendor": "AuthenticAMD", "ids": i} for n, i in ids_of.items()]
        return ids.differences(models, self.PROCESSORS)

    def test_ids_as_the_map_has_them_are_silent(self):
        found = self.differences(("zen5", 0, 0), ("zen5", 0x10, 0x1F), ("zen6", 1, 0xF))
        self.assertEqual([s for s in found[0] if "no model's" not in s], [])

    def test_an_id_of_another_processor_is_seen(self):
        wrong, _ = self.differences(("zen5", 0, 0x1F), ("zen6", 0x20, 0xFF))
        self.assertIn("AuthenticAMD family 26 model 0x01-0x0f is amdzen6 in Linux' map, not zen5", wrong)

    def test_an_id_that_nobody_claims_is_seen(self):
        wrong, _ = self.differences(("zen5", 0, 0), ("zen6", 1, 0xF), ("zen6", 0x20, 0xFE))
        self.assertIn("AuthenticAMD family 26 model 0x10-0x1f is amdzen5 in Linux' map, and no model's", wrong)

    ARM = [(0x41, 0xD4F, "neoverse-n2-v2"), (0x41, 0xD4F, "neoverse-v2"), (0xC0, 0xAC3, "ampereone")]

    @staticmethod
    def arm_models(v2=0xD4F, ampere=0xAC3):
        return [
            {"name": "neoverse_v2", "ids": [{"family": 0x41, "model": v2}]},
            {"name": "ampereone", "ids": [{"family": 0xC0, "model": ampere}]},
        ]

    def test_arm_ids_as_the_maps_have_them_are_silent(self):
        self.assertEqual(ids.arm_differences(self.arm_models(), self.ARM), [])

    def test_an_arm_id_that_is_wrong_is_seen(self):
        wrong = ids.arm_differences(self.arm_models(ampere=0xAC4), self.ARM)
        self.assertIn("implementer 0xc0 part 0xac3 is ampereone in the map, and no model's", wrong)
        self.assertIn("implementer 0xc0 part 0xac4 is in no map, but ampereone", wrong)
        wrong = ids.arm_differences(self.arm_models(), [(0x41, 0xD4F, "neoverse-n1"), self.ARM[2]])
        self.assertEqual(wrong, ["implementer 0x41 part 0xd4f is neoverse-n1 in the map, not neoverse_v2"])


if __name__ == "__main__":
    unittest.main()


class Costs(unittest.TestCase):
    SHOWN = """200 metrics, 1000 rows, 26 groups of 16 events at most, median of 41 rounds in turns:

| by the table of the files | by that of what is counted | ratio |
|---|---|---|
| 9.74 ms | 4.58 ms | 1.04 |

| | allocated | resident |
|---|---|---|
| before | 0.00 MB | 1.50 MB |
| both | 1.86 MB | 9.06 MB |
| given back | 0.66 MB | 3.50 MB |
"""

    def changed(self, old, new):
        self.assertIn(old, self.SHOWN)
        return costs.judge(self.SHOWN.replace(old, new))

    def test_what_is_cheap_enough_is_silent(self):
        self.assertEqual(costs.judge(self.SHOWN), [])

    def test_slow_evaluation_is_seen(self):
        self.assertIn("5.01 ms", self.changed("4.58 ms", "5.01 ms")[0])

    def test_memory_that_is_kept_is_seen(self):
        self.assertIn("2.01 MB are left", self.changed("3.50 MB", "3.51 MB")[0])

    def test_figures_that_are_missing_are_seen(self):
        self.assertEqual(len(self.changed("| before", "| then")), 1)
        self.assertEqual(len(self.changed("| 4.58 ms | 1.04 |", "|")), 1)

    def test_too_few_metrics_tell_nothing(self):
        self.assertIsNone(self.changed("200 metrics", "15 metrics"))

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// test_bases.mjs - what the page subtracts from what; tests/check/page runs it and reads its lines.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as bases from "../../../../user/serve/web/bases.mjs";
import * as figures from "../../../../user/serve/web/figures.mjs";
import * as groups from "../../../../user/serve/web/groups.mjs";
import { runTests } from "../../../tools/run_tests.mjs";
import { makeRow, makeView } from "../../../tools/small_view.mjs";

const tests = {
	a_row_that_is_new_or_was_begun_anew_counts_from_0() {
		const base = bases.toBase(makeView(10, [makeRow("a", 5e9, 5000000000)]));
		const later = makeRow("a", 1e9, 2000000000);

		later.total.since = "2026-01-02T03:04:16.000Z";
		const found = figures.figuresOf(makeView(12, [later, makeRow("b", 1e9, 2000000000)]), base);

		assert.deepEqual(found.map((one) => one.cpus), [0.5, 0.5]);
	},
	the_base_is_as_old_as_was_asked_for_or_the_oldest() {
		const some = [1, 5, 9].map((seconds) => bases.toBase(makeView(seconds, [])));
		const other = { ...bases.toBase(makeView(3, [])), start: "another run" };
		const view = makeView(11, []);

		assert.equal(bases.findBase([other, ...some], view, 5), some[1]);
		assert.equal(bases.findBase([other, ...some], view, 60), some[0]);
		assert.equal(bases.findBase([other, ...some], view, 0), some[2]);
		assert.equal(bases.findBase([other], view, 5), null);
	},
	bases_of_a_minute_are_kept_and_few_of_them() {
		let some = [];

		for (let seconds = 1; seconds <= 300; seconds++)
			some = bases.thinOut([...some, bases.toBase(makeView(seconds, []))], makeView(seconds, []).elapsed_ns);
		const found = bases.findBase(some, makeView(300, []), 60);
		const age = (makeView(300, []).elapsed_ns - found.elapsed_ns) / 1e9;

		assert.ok(some.length < 30, `${some.length} bases`);
		assert.ok(age >= 60 && age <= 66, `${age} s`);
	},
	a_collector_stands_still_when_the_server_is_not_healthy_any_more() {
		const is_still = (interval_s, unchanged_s) => bases.isStill({ ...makeView(10, []), interval_ns: 1e9 * interval_s }, 1000 * unchanged_s);

		assert.deepEqual([0, 20, 21].map((unchanged_s) => is_still(1, unchanged_s)), [false, false, true]);
		assert.deepEqual([1210, 1211].map((unchanged_s) => is_still(120, unchanged_s)), [false, true]);
		// As health.c has it.
		const [, intervals, ns] = readFileSync("user/serve/http/health.c", "utf8").match(/HEALTHY_INTERVALS (\d+)\n#define HEALTHY_NS (\d+)ull/);

		assert.deepEqual([Number(intervals), Number(ns)], [10, 10e9]);
	},
	the_newest_base_is_kept_however_old_it_is() {
		let some = [];

		for (const seconds of [119, 239, 240, 360])
			some = bases.thinOut([...some, bases.toBase(makeView(seconds, []))], makeView(seconds + 120, []).elapsed_ns);
		assert.deepEqual(some.map((base) => base.elapsed_ns), [makeView(360, []).elapsed_ns]);
		assert.equal(bases.findBase(some, makeView(480, []), 10), some[0]);
		// Of two that are near each other it is the later one, too.
		some = bases.thinOut([100, 101].map((seconds) => bases.toBase(makeView(seconds, []))), makeView(120, []).elapsed_ns);
		assert.equal(bases.findBase(some, makeView(120, []), 0).elapsed_ns, makeView(101, []).elapsed_ns);
	},
	the_view_before_is_of_the_last_interval_or_of_the_one_before_that() {
		const base = bases.toBase(makeView(10, [])), view = (seconds, more) => ({ ...makeView(seconds, []), ...more });

		assert.equal(bases.findBefore([base], view(11)), base);
		assert.equal(bases.findBefore([base], view(12.1)), base);
		assert.equal(bases.findBefore([base], view(13)), null);
		assert.equal(bases.findBefore([], view(13)), null);
		// The page asks no more often than once a second, and an interval may take longer than it should.
		assert.equal(bases.findBefore([base], view(11.1, { interval_ns: 1e8, window_ns: 1e8 })), base);
		assert.equal(bases.findBefore([base], view(130, { interval_ns: 120e9, window_ns: 1e9 })), base);
		assert.equal(bases.findBefore([base], view(20, { window_ns: 10e9 })), base);
	},
	what_rows_did_that_ended_and_were_fetched_is_in_the_sum_and_a_row_of_its_own() {
		const total = (cpu_s) => makeRow("", 1e9 * cpu_s, 1e9 * cpu_s).total;
		const ending = (seconds, rows, fetched_s) => {
			const view = makeView(seconds, rows);

			view.core_types[0].fetched = total(fetched_s);
			return view;
		};
		const base = bases.toBase(ending(10, [makeRow("a", 5e9, 5e9), makeRow("b", 1e9, 1e9)], 100));
		const anew = makeRow("b", 2e9, 2e9);

		anew.total.since = "2026-01-02T03:04:16.000Z";
		const view = ending(20, [anew], 120), all = figures.figuresOf(view, base);

		// 20 s were fetched since, of which 6 were known before.
		assert.deepEqual(all.map((one) => [figures.nameOf(one.row), one.cpus]), [["b", 0.2], ["(ended)", 1.4]]);
		assert.equal(all[1].metrics.retiring.value, 0.6);
		assert.equal(all[1].bottleneck, "core_bound");
		assert.equal(figures.sumsOf(view, base)[0].cpus, 1.6);
		assert.deepEqual(groups.groupFigures(view, all, base, "namespace").map((one) => [figures.nameOf(one.row), one.cpus]),
			[["(ended)", 1.4], ["(no namespace)", 0.2]]);
		// Beside the last interval of rows it is of the time since the view before; of a first view nothing is known of it.
		assert.deepEqual(figures.figuresOf(view, "recent", base).map((one) => one.cpus), [0.5, 1.4]);
		assert.deepEqual(figures.figuresOf(view, "recent").map((one) => one.cpus), [0.5]);
		assert.equal(figures.sumsOf(view, "recent")[0].cpus, 0.5);
		// Since the start it is all that was fetched.
		assert.equal(figures.sumsOf(view, null)[0].cpus, 6.1);
		assert.deepEqual(figures.figuresOf(ending(20, [], 100), bases.toBase(ending(10, [], 100))), []);
	},
	what_is_added_to_the_row_of_all_others_is_not_there_twice() {
		const other = (cpu_s) => makeRow("other", 1e9 * cpu_s, null, { kind: "other", cgroup: null });
		const ending = (seconds, rows) => {
			const view = makeView(seconds, rows);

			view.core_types[0].fetched = makeRow("", 1e9, 1e9).total;
			return view;
		};
		const base = bases.toBase(ending(10, [makeRow("a", 5e9, null), other(7)])), view = ending(20, [other(14)]);

		assert.deepEqual(figures.figuresOf(view, base).map((one) => [figures.nameOf(one.row), one.cpus]), [["(other)", 0.2]]);
		assert.deepEqual(figures.figuresOf(view, "recent", base).map((one) => one.cpus), [0.2]);
		assert.equal(figures.sumsOf(view, base)[0].cpus, 0.2);
	},
	a_row_that_is_named_in_between_goes_on_from_the_one_that_it_was() {
		const held = (cgroup, cpu_s) => makeRow(`held ${cgroup}`, 1e9 * cpu_s, 1e9 * cpu_s, { cgroup });
		const named = (cgroup, cpu_s) => makeRow(`named ${cgroup}`, 1e9 * cpu_s, 1e9 * cpu_s, { kind: "container", cgroup });
		const one = { ...makeView(10, [named("/both", 7)]), held_rows: [held("/new", 1000), held("/both", 50), held("/waits", 2)] };
		const view = { ...makeView(12, [named("/new", 1001), named("/both", 57.4)]), held_rows: [held("/waits", 3)] };
		const all = figures.figuresOf(view, bases.toBase(one));

		assert.deepEqual(all.map((some) => [some.row.key, Number(some.cpus.toFixed(3))]), [["named /new", 0.5], ["named /both", 0.2], ["held /waits", 0.5]]);
		assert.equal(Number(figures.sumsOf(view, bases.toBase(one))[0].cpus.toFixed(3)), 1.2);
	},
	rows_of_two_core_types_are_not_mistaken_for_each_other() {
		const on = (core, key, cpu_s) => makeRow(key, 1e9 * cpu_s, null, { core, cgroup: "/x" });
		const hybrid = (seconds, rows, fetched_s) => {
			const view = { ...makeView(seconds, rows) };

			view.core_types = ["P", "E"].map((core, i) => ({ core, level: 0, cpus: 1, model: null, nodes: [], fetched: makeRow("", 1e9 * fetched_s[i], null).total }));
			return view;
		};
		const base = bases.toBase(hybrid(10, [on("P", "p", 5), on("E", "e", 3)], [0, 0])), view = hybrid(20, [on("E", "e", 4)], [7, 0]);

		assert.deepEqual(figures.figuresOf(view, base).map((one) => [one.row.kind, one.row.core, one.cpus]), [["cgroup", "E", 0.1], ["ended", "P", 0.2]]);
		assert.deepEqual(figures.sumsOf(view, base).map((sum) => sum.cpus), [0.2, 0.1]);
	},
};

process.exit(await runTests(tests) > 0 ? 1 : 0);

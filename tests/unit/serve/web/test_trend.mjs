// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// test_trend.mjs - what the page keeps of ten minutes; tests/check/page runs it and reads its lines.
import assert from "node:assert/strict";
import * as trends from "../../../../user/serve/web/trend.mjs";
import { runTests } from "../../../tools/run_tests.mjs";
import { makeRow, makeView } from "../../../tools/small_view.mjs";

const tests = {
	ten_minutes_are_kept_in_parts_and_gaps_stay_gaps() {
		const trend = trends.makeTrend();
		const busy = (seconds) => {
			const view = makeView(seconds, [makeRow("a", 0, null)]);

			Object.assign(view.rows[0].recent, { cpu_ns: 5e8, slots: 1000, metrics: { retiring: 0.6 } });
			return { ...view, interval_ns: 1e9 };
		};

		for (let seconds = 1; seconds <= 2000; seconds++)
			if (seconds < 1495 || seconds >= 1595)
				trends.addInterval(trend, busy(seconds));
		trends.addInterval(trend, busy(2000));
		const parts = trends.partsOf(trend, ["a"]);

		assert.equal(parts.length, 60);
		assert.equal(parts.filter((part) => part === null).length, 10);
		assert.equal(parts.at(-2).cpus, 0.5);
		assert.equal(parts.at(-2).slots, 10000);
		assert.ok(Math.abs(parts.at(-2).node_slots.retiring - 6000) < 1e-6);
		assert.equal(trends.partsOf(trend, ["a", "a"]).at(-1).cpus, 1);
		assert.equal(trends.partsOf(trend, ["b"]).at(-1), null);
		assert.ok(trend.rows.get("a").length <= 60);
	},
	a_history_fills_what_was_not_seen_and_nothing_else() {
		const trend = trends.makeTrend();
		const view = { ...makeView(1000, [makeRow("a", 0, null)]), interval_ns: 1e9 };
		const history = { since_ns: 1000e9 - 600e9, step_ns: 10e9, points: 61, window_ns: new Array(61).fill(10e9), rows: [
			{ key: "a", cpu_ns: new Array(61).fill(5e9), slots: new Array(61).fill(null), node_slots: {} },
			{ key: "b", cpu_ns: new Array(61).fill(null), slots: new Array(61).fill(2000), node_slots: { retiring: new Array(61).fill(500) } }] };

		view.time_ns = 1000e9;
		Object.assign(view.rows[0].recent, { cpu_ns: 9e8 });
		history.window_ns[30] = null;
		history.rows[1].cpu_ns[58] = 1e9;
		trends.addInterval(trend, view);
		trends.addHistory(trend, { ...history, step_ns: 60e9 });
		assert.equal(trend.is_recalled, false);
		trends.addHistory(trend, history);
		assert.equal(trend.is_recalled, true);
		const parts = trends.partsOf(trend, ["a"]);

		assert.deepEqual(parts.map((part) => part?.cpus ?? null), [...new Array(29).fill(0.5), null, ...new Array(29).fill(0.5), 0.9]);
		assert.equal(trends.partsOf(trend, ["b"]).filter((part) => part !== null).length, 1);
		assert.equal(trends.partsOf(trend, ["b"])[57].node_slots.retiring, 500);
		trends.addHistory(trend, history);
		assert.equal(trend.rows.get("a").length, 59);
		trends.addHistory(trend, { ...history, step_ns: 60e9 });
		assert.equal(trend.rows.get("a").length, 59);
	},
	what_was_there_for_a_part_of_the_time_is_spread_over_all_of_it() {
		const trend = trends.makeTrend();
		const with_rows = (seconds, keys) => ({ ...makeView(seconds, keys.map((key) => {
			const row = makeRow(key, 0, null);

			Object.assign(row.recent, { cpu_ns: 1e9, slots: 1000, metrics: { retiring: 0.6 } });
			return row;
		})), interval_ns: 1e9 });

		for (let second = 0; second < 10; second++) // a part begins at 03:20:50
			trends.addInterval(trend, with_rows(1005 + second, second < 2 ? ["long", "short"] : ["long"]));
		// For two of ten seconds it had a CPU.
		assert.equal(trends.partsOf(trend, ["long"]).at(-1).cpus, 1);
		assert.equal(trends.partsOf(trend, ["short"]).at(-1).cpus, 0.2);
		assert.equal(trends.partsOf(trend, ["long", "short"]).at(-1).cpus, 1.2);
		assert.equal(trends.partsOf(trend, ["short"]).at(-1).node_slots.retiring, 1200);
	},
	rows_whose_names_are_waited_for_have_a_trend() {
		const trend = trends.makeTrend();

		trends.addInterval(trend, { ...makeView(1000, []), held_rows: [makeRow("held", 0, null)], interval_ns: 1e9 });
		assert.equal(trends.partsOf(trend, ["held"]).at(-1).cpus, 0.5);
	},
	a_row_that_is_gone_is_forgotten_after_ten_minutes() {
		const trend = trends.makeTrend();

		trends.addInterval(trend, { ...makeView(1, [makeRow("a", 0, null)]), interval_ns: 1e9 });
		trends.addInterval(trend, { ...makeView(700, []), interval_ns: 1e9 });
		assert.equal(trend.rows.size, 0);
	},
	long_intervals_make_long_parts() {
		const trend = trends.makeTrend();

		for (let minute = 1; minute <= 20; minute++)
			trends.addInterval(trend, { ...makeView(60 * minute, [makeRow("a", 0, null)]), window_ns: 60e9, interval_ns: 60e9 });
		assert.deepEqual(trends.partsOf(trend, ["a"]).map((part) => part !== null), new Array(10).fill(true));
	},
};

process.exit(await runTests(tests) > 0 ? 1 : 0);

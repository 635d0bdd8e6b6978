// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// test_figures.mjs - what the page makes of views; tests/check/page runs it and reads its lines.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as bases from "../../../../user/serve/web/bases.mjs";
import * as figures from "../../../../user/serve/web/figures.mjs";
import * as groups from "../../../../user/serve/web/groups.mjs";
import * as neighbours from "../../../../user/serve/web/neighbours.mjs";
import * as vendors from "../../../../user/serve/web/vendor.mjs";
import { runTests } from "../../../tools/run_tests.mjs";
import { makeRow, makeView, NODES } from "../../../tools/small_view.mjs";

const tests = {
	totals_of_years_are_subtracted_to_more_digits_than_are_shown() {
		const one = makeView(10, [makeRow("a", 90071992547409930, 90071992547409930)]);
		const other = makeView(12, [makeRow("a", 90071992549409930, 90071992557409930)]);
		const [found] = figures.figuresOf(other, bases.toBase(one));

		assert.equal(figures.formatCpus(found.cpus), "<0.01");
		assert.equal(figures.formatMetric(found.metrics.retiring, "ratio"), "60.0");
		assert.equal(figures.formatMetric(found.metrics.core_bound, "ratio"), "30.0");
		assert.equal(found.bottleneck, "core_bound");
	},
	what_is_given_up_for_the_budget_is_not_known_and_never_0() {
		const budget = (given_up, changes) => ({ limit: 0.005, cost: 0.004, given_up, exceeded: false, changes });
		const waiting = (seconds, ns, of) => {
			const row = makeRow("a", 1e9 * seconds, 1e9 * seconds);

			row.total.waits = { own_ns: 0, other_ns: ns, kernel_ns: 0, idle_ns: 0, throttled_ns: 0, unknown_ns: 0, short_ns: 0 };
			return { ...makeView(seconds, [row]), budget: of };
		};
		const one = (view, base) => figures.figuresOf(view, base)[0];
		const before = waiting(10, 1e9, budget([], {})), base = bases.toBase(before);

		assert.equal(one(waiting(12, 2e9, budget([], { turns: 1, interval: 3 })), base).waits.cpus, 0.5);
		assert.equal(one(waiting(12, 1e9, budget(["waits", "level_2"], { waits: 1, level_2: 1 })), base).waits, null);
		assert.equal(one(waiting(12, 1e9, budget(["waits", "level_2"], { waits: 1, level_2: 1 })), base).metrics.core_bound.value, null);
		assert.equal(one(waiting(12, 1e9, budget(["waits", "level_2"], { waits: 1, level_2: 1 })), base).metrics.retiring.value, 0.6);
		assert.equal(figures.sumsOf(waiting(12, 1e9, budget(["waits"], { waits: 1 })), base)[0].waits, null);
		// What was counted for a part of the time is not that of all of it; all else is.
		const after = one(waiting(12, 1e9, budget([], { waits: 2 })), base);

		assert.equal(after.waits, null);
		assert.equal(after.metrics.core_bound.value, 0.3);
		assert.equal(one(waiting(12, 1e9, budget([], { level_2: 2 })), base).metrics.core_bound.value, null);
		assert.equal(one(waiting(20, 2e9, budget([], { waits: 2 })), null).waits, null);
		assert.equal(one(waiting(20, 2e9, budget([], {})), null).waits.cpus, 0.1);
	},
	waits_are_those_since_the_base_and_where_none_are_counted_nothing_is_known() {
		const waits = (other_ns, own_ns) => ({ count: 1, other_ns, own_ns, kernel_ns: 0, idle_ns: 0, throttled_ns: 0, unknown_ns: 0, short_ns: 0 });
		const row = (other_ns, own_ns) => {
			const made = makeRow("a", 1e9, 1000);

			made.total.waits = waits(other_ns, own_ns);
			return made;
		};
		const one = makeView(10, [row(1e9, 5e8)]), other = makeView(12, [row(2e9, 1.5e9), makeRow("b", 1e9, 1000)]);
		const [found, without] = figures.figuresOf(other, "recent", bases.toBase(one));

		assert.equal(found.waits.cpus, 1);
		assert.deepEqual(figures.causesOf(found.waits), [["for other cgroups", 0.5], ["for tasks of its own", 0.5]]);
		assert.equal(without.waits, null);
		assert.equal(figures.figuresOf(other, "recent")[0].waits, null);
		assert.equal(figures.formatCpus(figures.figuresOf(other, null)[0].waits.cpus), "0.29");
		assert.equal(figures.sumOf(other, other.core_types[0], other.rows, bases.toBase(one)).waits.cpus, 1);
		assert.deepEqual(figures.sortFigures([without, found], "waits", true).map((some) => some.row.key), ["a", "b"]);
	},
	what_the_other_thread_did_is_told_with_what_retired_meanwhile() {
		const part = (cpu_ns, slots, retired_slots) => ({ cpu_ns, counted_ns: cpu_ns, slots, retired_slots });
		const row = (idle, other) => {
			const made = makeRow("a", 1e9, 1000);

			made.total.smt = { idle, same: part(0, 0, 0), other, mixed: { cpu_ns: 0 } };
			return made;
		};
		const one = makeView(10, [row(part(5e8, 1000, 900), { cpu_ns: 1e8 })]);
		const other = makeView(12, [row(part(8e8, 2000, 1300), { cpu_ns: 2e8 }), makeRow("b", 1e9, 1000)]);
		const [found, without] = figures.figuresOf(other, "recent", bases.toBase(one));

		assert.deepEqual(found.siblings, [{ words: "idle", share: 0.75, retiring: 0.4 }, { words: "busy with others", share: 0.25, retiring: null }]);
		assert.equal(without.siblings, null);
		assert.equal(figures.figuresOf(other, "recent")[0].siblings, null);
		assert.equal(figures.figuresOf(other, null)[0].siblings[0].share, 0.8);
	},
	what_is_not_known_stays_unknown() {
		const [found] = figures.figuresOf(makeView(2, [makeRow("a", 1e9, null)]), null);

		assert.equal(found.cpus, 0.5);
		assert.equal(found.metrics.retiring.value, null);
		assert.equal(found.bottleneck, null);
		assert.equal(figures.formatMetric(found.metrics.retiring, "ratio"), "-");
		assert.equal(figures.formatMetric(undefined, "ratio"), "-");
	},
	a_row_that_did_not_run_since_has_no_shares_and_not_0() {
		const rows = [makeRow("a", 1e9, 2000000000)];
		const [found] = figures.figuresOf(makeView(3, rows), bases.toBase(makeView(2, rows)));

		assert.equal(found.cpus, 0);
		assert.equal(found.metrics.retiring.value, null);
	},
	few_slots_and_little_counted_time_are_marked() {
		const few = makeRow("few", 1e9, 900000), part = makeRow("part", 1e9, 2000000000), little = makeRow("little", 1e9, 2000000000);

		part.total.counted_ns = 5e8;
		little.total.counted_ns = 5e7;
		const found = figures.figuresOf(makeView(2, [few, part, little]), null);

		assert.deepEqual(found.map((one) => figures.formatMetric(one.metrics.retiring, "ratio")), ["?60.0", "~60.0", "?60.0"]);
	},
	the_recent_figures_are_the_servers_own() {
		const row = makeRow("a", 1e9, 2000000000);

		row.recent.metrics = { retiring: 0.25, backend_bound: null };
		row.recent.qualities = { retiring: "scaled" };
		const [found] = figures.figuresOf(makeView(2, [row]), "recent");

		assert.equal(found.cpus, 0.5);
		assert.equal(found.bottleneck, "core_bound");
		assert.equal(figures.formatMetric(found.metrics.retiring, "ratio"), "~25.0");
		assert.equal(figures.formatMetric(found.metrics.backend_bound, "ratio"), "-");
	},
	the_ipc_group_is_of_its_own_counts() {
		const row = makeRow("a", 1e9, 2000000000);

		row.total.ipc_group = { cycles: 2e6, instructions: 3e6, branch_misses: null, cache_misses: null, counted_ns: 1000 };
		const [found] = figures.figuresOf(makeView(2, [row]), null);

		assert.equal(figures.formatMetric(found.metrics.ipc, "per_cycle"), "1.50");
	},
	where_no_slots_are_counted_the_ipc_group_is_as_good_as_its_cycles() {
		const row = (key, cycles, counted_ns) => {
			const made = makeRow(key, 1e9, null);

			made.total.counted_ns = counted_ns;
			made.total.ipc_group = { cycles, instructions: 1.5 * cycles, branch_misses: null, cache_misses: null, counted_ns };
			return made;
		};
		const view = makeView(2, [row("all", 2e9, 1e9), row("part", 2e9, 5e8), row("little", 2e9, 5e7), row("few", 999999, 1e9), row("none", 0, 0)]);
		const shown = () => figures.figuresOf(view, null).map((one) => figures.formatMetric(one.metrics.ipc, "per_cycle"));

		assert.deepEqual(shown(), ["1.50", "~1.50", "?1.50", "?1.50", "-"]);
		assert.equal(figures.formatMetric(figures.figuresOf(view, null)[0].metrics.retiring, "ratio"), "-");
		// Where there are slots, it is they that are few or many.
		view.core_types[0].model = { slots_per_cycle: 4 };
		assert.equal(shown()[3], "1.50");
	},
	how_fast_an_idle_cpu_runs_is_not_known() {
		const rows = ["idle", "cgroup"].map((kind) => makeRow(kind, 1e9, 2000000000, { kind })), view = makeView(2, rows);

		for (const row of rows)
			row.total.ipc_group = { cycles: 2e9, instructions: 3e9, branch_misses: null, cache_misses: null, counted_ns: 1e9 };
		view.core_types[0].nodes = [...NODES, { name: "ghz", role: "ghz", level: 0, unit: "ghz" }];
		const found = figures.figuresOf(view, null);

		assert.deepEqual(found.map((one) => figures.formatMetric(one.metrics.ghz, "ghz")), ["-", "2.00"]);
		assert.deepEqual(found.map((one) => figures.formatMetric(one.metrics.ipc, "per_cycle")), ["1.50", "1.50"]);
	},
	misses_that_are_not_counted_are_not_known() {
		const row = makeRow("a", 1e9, 2000000000);
		const view = makeView(2, [row]);

		row.total.ipc_group = { cycles: 2e6, instructions: 3e6, branch_misses: null, cache_misses: 6000, counted_ns: 1000 };
		view.core_types[0].nodes = [...NODES, { name: "branch_mpki", role: "branch_mpki", level: 0, unit: "per_thousand" },
			{ name: "llc_mpki", role: "cache_mpki", level: 0, unit: "per_thousand" }];
		const [found] = figures.figuresOf(view, null);

		assert.equal(figures.formatMetric(found.metrics.branch_mpki, "per_thousand"), "-");
		assert.equal(figures.formatMetric(found.metrics.llc_mpki, "per_thousand"), "2.0");
	},
	the_sum_leaves_idle_out_and_keeps_core_types_apart() {
		const view = makeView(2, [makeRow("a", 1e9, 2000000000), makeRow("b", 1e9, 2000000000),
			makeRow("idle", 2e9, 1000000000, { kind: "idle" }), makeRow("e", 1e9, null, { core: "E-core" })]);

		view.core_types[0].core = null;
		view.core_types.push({ core: "E-core", level: 0, cpus: 1, model: null, nodes: [] });
		const sums = figures.sumsOf(view, null);

		assert.deepEqual(sums.map((sum) => sum.cpus), [1, 0.5]);
		assert.equal(sums[0].metrics.retiring.value, 0.6);
		assert.deepEqual(sums[1].metrics, {});
	},
	rows_are_sorted_with_the_unknown_behind_and_idle_last() {
		const names = (found) => found.map((one) => one.row.key).join();
		const found = figures.figuresOf(makeView(2, [makeRow("idle", 9e9, 2000000000, { kind: "idle" }),
			makeRow("none", 3e9, null), makeRow("b", 1e9, 2000000000), makeRow("a", 2e9, 2000000000)]), null);

		assert.equal(names(figures.sortFigures(found, "cpus", true)), "none,a,b,idle");
		assert.equal(names(figures.sortFigures(found, "cpus", false)), "b,a,none,idle");
		assert.equal(names(figures.sortFigures(found, "retiring", false)), "a,b,none,idle");
		assert.equal(names(figures.sortFigures(found, "name", false)), "a,b,none,idle");
	},
	a_group_is_the_sum_of_its_members() {
		const own = { kind: "container", namespace: "shop", owner_kind: "Deployment", owner: "web" };
		const view = makeView(2, [makeRow("a", 1e9, 2000000000, own), makeRow("b", 3e9, 6000000000, { ...own, owner: "cart" }),
			makeRow("c", 1e9, 2000000000), makeRow("kernel", 1e9, null, { kind: "kernel" })]);
		const all = figures.figuresOf(view, null);
		const grouped = (by) => groups.groupFigures(view, all, null, by).map((one) => [figures.nameOf(one.row), one.cpus]);

		assert.deepEqual(grouped("namespace"), [["(kernel)", 0.5], ["shop", 2], ["(no namespace)", 0.5]]);
		assert.deepEqual(grouped("owner"), [["(kernel)", 0.5], ["shop, Deployment web", 0.5], ["shop, Deployment cart", 1.5], ["(no namespace)", 0.5]]);
		assert.equal(groups.groupFigures(view, all, null, "namespace")[1].metrics.retiring.value, 0.6);
		assert.equal(groups.groupFigures(view, all, null, "namespace")[1].bottleneck, "core_bound");
	},
	without_a_view_before_sums_are_of_the_last_interval_as_rows_are() {
		const row = (key, recent, more) => makeRow(key, 1e12, 2e12, { kind: "container", namespace: "shop", ...more,
			recent: { cpu_ns: 5e8, slots: 1e9, quality: "ok", bottleneck: null, qualities: {}, metrics: { retiring: 0.6, backend_bound: 0.4 }, ...recent } });
		const sum = (...rows) => {
			const view = { ...makeView(1000, rows), budget: { given_up: [], changes: { level_2: 2, waits: 2 } } };
			const group = groups.groupFigures(view, figures.figuresOf(view, "recent"), "recent", "namespace").find((one) => one.members);
			const [all] = figures.sumsOf(view, "recent");

			assert.deepEqual([all.cpus, all.metrics, all.waits], [group.cpus, group.metrics, group.waits]);
			return [group.cpus, ...["retiring", "backend_bound", "core_bound", "ipc"].map((name) => figures.formatMetric(group.metrics[name], "ratio")), group.waits];
		};
		const idle = row("idle", {}, { kind: "idle" }), little = { slots: 3e9, metrics: { retiring: 0.2, backend_bound: 0.8, core_bound: 0.5 } };

		assert.deepEqual(sum(row("a"), idle), [0.5, "60.0", "40.0", "-", "-", null]);
		assert.deepEqual(sum(row("a", { metrics: { retiring: 0.6, backend_bound: 0.4, core_bound: 0.1 } }), row("b", little)),
			[1, "30.0", "70.0", "40.0", "-", null]);
		// As good as most of the time that they are of.
		assert.deepEqual(sum(row("a"), row("b", { quality: "scaled" })).slice(0, 2), [1, "~60.0"]);
		assert.deepEqual(sum(row("a", { quality: "low_confidence" })).slice(0, 2), [0.5, "?60.0"]);
		assert.deepEqual(sum(row("a", { slots: 1000 })).slice(0, 2), [0.5, "?60.0"]);
		assert.deepEqual(sum(row("a"), row("b", { quality: "no_data", slots: null, metrics: { retiring: null } })).slice(0, 2), [1, "~60.0"]);
		assert.deepEqual(sum(row("b", { quality: "no_data", slots: null, metrics: { retiring: null } })), [0.5, "-", "-", "-", "-", null]);
	},
	groups_of_two_core_types_are_two() {
		const view = makeView(2, [makeRow("a", 1e9, 2000000000, { kind: "container", namespace: "n" }),
			makeRow("b", 1e9, null, { kind: "container", namespace: "n", core: "E-core" })]);

		view.core_types.push({ core: "E-core", level: 0, cpus: 1, model: null, nodes: [] });
		assert.deepEqual(groups.groupFigures(view, figures.figuresOf(view, null), null, "namespace").map((one) => one.cpus), [0.5, 0.5]);
	},
	what_hardly_ran_is_folded_unless_it_is_open_or_was_asked_for() {
		const view = makeView(1000, [makeRow("a", 1e12, 2000000000), makeRow("b", 1e9, 2000000000), makeRow("c", 0, null),
			makeRow("idle", 1, null, { kind: "idle" })]);
		const all = figures.figuresOf(view, null);
		const wanted = { sort: "cpus", order: "down", idle: "folded", filter: "", open: new Set() };
		const keys = (more) => groups.chooseRows(all, { ...wanted, ...more }).rows.map((one) => one.row.key).join();

		assert.equal(keys({}), "a,idle");
		assert.equal(groups.chooseRows(all, wanted).idle, 2);
		assert.equal(keys({ open: new Set(["c"]) }), "a,c,idle");
		assert.equal(keys({ filter: "b" }), "a,b,c,idle");
		assert.equal(keys({ idle: "shown" }), "a,b,c,idle");
	},
	bottlenecks_of_small_users_and_of_idle_are_not_named() {
		const all = figures.figuresOf(makeView(10, [makeRow("a", 1e9, 2000000000), makeRow("b", 1e8, 2000000000),
			makeRow("idle", 1e10, 2000000000, { kind: "idle" })]), null);

		groups.forgetSmallBottlenecks(all, 0.05);
		assert.deepEqual(all.map((one) => one.bottleneck), ["core_bound", null, null]);
	},
	a_row_whose_own_work_changed_is_not_slowed_down() {
		const tag = (key, mechanism, blame) => ({ victim: { key }, mechanism, blame });
		const victims = neighbours.victimsOf({ tags: [tag("a", "memory", "input"), tag("b", "memory", "input"), tag("b", "run_queue", "machine"),
			tag("c", "throttling", "self"), tag("d", "smt", "neighbour")] });

		assert.deepEqual([...victims], [["b", ["run queue"]], ["c", ["throttling"]], ["d", ["smt"]]]);
		assert.equal(neighbours.victimsOf(null).size, 0);
	},
	neighbours_are_asked_for_twice_a_sample_and_where_there_are_none_hardly() {
		assert.deepEqual([{ sample_period_s: 10 }, { tags: null }, null].map(neighbours.pauseMs), [5000, Infinity, 60000]);
	},
	each_word_of_a_filter_is_to_be_found() {
		const row = { kind: "container", container: "web", namespace: "Shop", pod: "cart-0", labels: { team: "a" } };

		assert.ok(figures.isWanted(row, ""));
		assert.ok(figures.isWanted(row, "shop WEB"));
		assert.ok(figures.isWanted(row, "team=a"));
		assert.ok(!figures.isWanted(row, "shop db"));
	},
	metrics_of_vendors_are_a_tree_with_marks() {
		const metric = (name, parent, group, unit, more = {}) =>
			({ name, parent, group, unit, lack: null, help: null, threshold: null, sample_with: null, latency: null, ...more });
		const view = { vendor_metrics: [
			metric("backend", null, null, "%", { lack: "no counter" }), metric("memory", "backend", 2, "%", { help: "Waits.", threshold: "memory > 0.2" }),
			metric("core", "backend", 1, "%", { latency: "measured" }), metric("uncore", null, null, "", { lack: "of the uncore" }),
			metric("mpki", null, 1, "per_instr", { latency: "assumed" }), metric("\u202ebad", null, 1, "\u202e")] };
		const row = { recent: { vendor: { metrics: { memory: 48.04, core: -0.01, mpki: 1.23456e-5, "\u202ebad": null },
			coverage: [0.25, null], worth_a_look: ["memory"] } } };

		assert.deepEqual(vendors.linesOf(view, row).map((line) => [line.name, line.depth, line.value, line.share, line.is_hot]), [
			["backend", 0, "-", "", false], ["memory", 1, "48.0 %", "", true], ["core", 1, "0.0 % +", "25 %", false],
			["mpki", 0, "0.00001235 per_instr *", "25 %", false], ["\ufffdbad", 0, "-", "25 %", false]]);
		assert.equal(vendors.linesOf(view, row)[0].remark, "not counted: no counter");
		assert.equal(vendors.linesOf(view, row)[1].remark, "Waits.; threshold: memory > 0.2");
		assert.deepEqual(vendors.linesOf({}, row), []);
		assert.deepEqual(vendors.linesOf(view, { recent: {} }), []);
	},
	metrics_of_vendors_are_those_of_the_program() {
		const view = JSON.parse(readFileSync("tests/golden/view-vendor.json", "utf8"));
		const lines = vendors.linesOf(view, { recent: { vendor: view.rows[0].recent } });

		assert.deepEqual(lines.map((line) => [line.name, line.depth, line.value, line.share, line.is_hot]),
			[["first", 0, "60.0 %", "25 %", true], ["second", 1, "30.0 %", "25 %", true]]);
	},
	a_name_cannot_hide_what_it_is() {
		assert.equal(figures.visible("a\u202eb\u0000\u200b"), "a\ufffdb\ufffd\ufffd");
		assert.equal(figures.nameOf({ kind: "sandbox", container: null }), "(pod sandbox)");
		assert.equal(figures.nameOf({ kind: "kernel" }), "(kernel)");
		assert.equal(figures.nameOf({ kind: "cgroup", cgroup: "/" }), "/ (the root's own tasks)");
		assert.equal(figures.placeOf({ kind: "container", namespace: "n", pod: "p", qos: "Burstable", core: "P-core" }),
			"n/p, container, Burstable, on P-core");
	},
	figures_are_written_as_in_the_table() {
		assert.deepEqual([0, 9999, 12345, 999499, 999500, 4560000000].map(figures.formatCount),
			["0", "9999", "12.3k", "999k", "1.00M", "4.56G"]);
		assert.deepEqual([5, 65, 3700, 90000].map(figures.formatAge), ["5 s", "1 min 5 s", "1 h 1 min", "1 d 1 h"]);
		assert.deepEqual([null, 0, 0.001, 1.234].map(figures.formatCpus), ["-", "0.00", "<0.01", "1.23"]);
	},
	what_is_not_attributed_is_said_as_a_part() {
		assert.equal(figures.formatPercent(figures.unattributedShare({ slots: 1000, unattributed_slots: 3 })), "0.30 %");
		assert.equal(figures.formatPercent(0.000001), "<0.01 %");
		assert.equal(figures.formatPercent(0), "0.00 %");
		assert.equal(figures.unattributedShare({ slots: null, unattributed_slots: null }), null);
	},
	steps_go_from_the_least_to_the_most_and_have_gaps() {
		assert.deepEqual(figures.stepsOf([-1, null, 3, 1], 100), { path: "M0 100.0h1M2 0.0h1L3 50.0h1", least: -1, most: 3 });
		assert.equal(figures.stepsOf([7, 7], 100).path, "M0 100.0h1L1 100.0h1");
		assert.equal(figures.stepsOf([null, null], 100).path, "");
	},
	conditions_are_read_as_they_are_written() {
		const bottleneck = (condition, values) => figures.findBottleneck(
			[{ name: "a", role: null, level: 1, parent: null, condition }], (name) => values[name] ?? null, 1);

		assert.equal(bottleneck("a > 0.1", { a: 0.11 }), "a");
		assert.equal(bottleneck("a > 0.1", { a: 0.1 }), null);
		assert.equal(bottleneck("a > 0.1 & b > 0.2", { a: 0.5, b: 0.1 }), null);
		assert.equal(bottleneck("a > 0.1 & b > 0.2 | c > 0.3", { a: 0.5, c: 0.4 }), "a");
		assert.equal(bottleneck("a > 0.1 & unknown > 0", { a: 0.5 }), null);
		assert.equal(bottleneck("max(a, b) > 0.1", { a: 0.5, b: 0.5 }), null);
		assert.equal(bottleneck(null, { a: 0.5 }), null);
	},
	the_bottleneck_is_the_one_that_the_program_finds() {
		for (const file of ["view.json", "view-none.json"]) {
			const view = JSON.parse(readFileSync(`tests/golden/${file}`, "utf8"));

			assert.ok(view.rows.length > 0);
			for (const row of view.rows) {
				const value_of = (name) => row.recent.metrics[name] ?? figures.figuresOf(view, null)
					.find((one) => one.row === row).metrics[name].value;

				assert.equal(figures.findBottleneck(figures.nodesOf(view, row), value_of, figures.coreTypeOf(view, row).level),
					row.recent.bottleneck, row.key);
			}
		}
	},
};

process.exit(await runTests(tests) > 0 ? 1 : 0);

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// test_figures.mjs - what the page makes of views; tests/check/page runs it and reads its lines.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as figures from "../../../../user/serve/web/figures.mjs";

const NODES = [
	{ name: "retiring", role: "retiring", level: 1, parent: null, condition: "retiring > 0.7 | heavy_operations > 0.1", unit: "ratio" },
	{ name: "backend_bound", role: "backend_bound", level: 1, parent: null, condition: "backend_bound > 0.2", unit: "ratio" },
	{ name: "memory_bound", role: "memory_bound", level: 2, parent: "backend_bound", condition: "memory_bound > 0.2 & backend_bound > 0.2", unit: "ratio" },
	{ name: "core_bound", role: "core_bound", level: 2, parent: "backend_bound", condition: "core_bound > 0.1 & backend_bound > 0.2", unit: "ratio" },
	{ name: "ipc", role: "ipc", level: 0, parent: null, condition: null, unit: "per_cycle" },
];

function makeRow(key, cpu_ns, slots, more = {}) {
	const whole = slots === null ? null : BigInt(slots);
	const share = (part) => (whole === null ? null : whole * part / 10n);

	return {
		key, kind: "cgroup", cgroup: key, ended: false,
		total: { since: "2026-01-02T03:04:05.000Z", cpu_ns, counted_ns: cpu_ns, slices: 1, slots,
			node_slots: { retiring: share(6n), backend_bound: share(4n), memory_bound: share(1n), core_bound: share(3n) } },
		recent: { cpu_ns: 5e8, quality: "ok", bottleneck: "core_bound", metrics: { retiring: 0.6 }, qualities: {} },
		...more,
	};
}

function makeView(seconds, rows) {
	const start_ns = BigInt(Date.parse("2026-01-02T03:04:05.000Z")) * 1000000n;

	return {
		boot_id: "b", start: "2026-01-02T03:04:05.000Z", sequence: seconds,
		time_ns: String(start_ns + BigInt(seconds) * 1000000000n),
		window_ns: 1000000000,
		core_types: [{ core: null, level: 2, cpus: 2, model: {}, nodes: NODES }],
		rows,
	};
}

const tests = {
	integers_of_any_size_are_exact_and_texts_stay_texts() {
		const text = '{"a":9007199254740993,"b":-18446744073709551615,"c":0.1234567890123456789,"d":1e-06,"e":12,' +
			'"f":"x:1234567890123456789 \\"1234567890123456789","1234567890123456789":null}';
		const object = figures.parseView(text);

		assert.equal(BigInt(object.a), 9007199254740993n);
		assert.equal(BigInt(object.b), -18446744073709551615n);
		assert.equal(object.c, 0.1234567890123456789);
		assert.equal(object.d, 1e-6);
		assert.equal(object.e, 12);
		assert.equal(object.f, 'x:1234567890123456789 "1234567890123456789');
		assert.equal(object["1234567890123456789"], null);
	},
	totals_are_subtracted_exactly_where_doubles_would_round() {
		const one = makeView(10, [makeRow("a", "90071992547409930", "90071992547409930")]);
		const other = makeView(12, [makeRow("a", "90071992549409930", "90071992557409930")]);
		const [found] = figures.figuresOf(other, figures.toBase(one));

		assert.equal(found.cpus, 0.001);
		assert.equal(found.metrics.retiring.value, 0.6);
		assert.equal(found.metrics.core_bound.value, 0.3);
		assert.equal(found.bottleneck, "core_bound");
	},
	a_row_that_is_new_or_was_begun_anew_counts_from_0() {
		const base = figures.toBase(makeView(10, [makeRow("a", 5e9, 5000000000)]));
		const later = makeRow("a", 1e9, 2000000000);

		later.total.since = "2026-01-02T03:04:16.000Z";
		const found = figures.figuresOf(makeView(12, [later, makeRow("b", 1e9, 2000000000)]), base);

		assert.deepEqual(found.map((one) => one.cpus), [0.5, 0.5]);
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
		const [found] = figures.figuresOf(makeView(3, rows), figures.toBase(makeView(2, rows)));

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

		row.total.ipc_group = { cycles: 2000, instructions: 3000, branch_misses: null, cache_misses: null, counted_ns: 1000 };
		const [found] = figures.figuresOf(makeView(2, [row]), null);

		assert.equal(figures.formatMetric(found.metrics.ipc, "per_cycle"), "1.50");
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
	the_base_is_as_old_as_was_asked_for_or_the_oldest() {
		const bases = [1, 5, 9].map((seconds) => figures.toBase(makeView(seconds, [])));
		const other = { ...figures.toBase(makeView(3, [])), start: "another run" };
		const view = makeView(11, []);

		assert.equal(figures.findBase([other, ...bases], view, 5), bases[1]);
		assert.equal(figures.findBase([other, ...bases], view, 60), bases[0]);
		assert.equal(figures.findBase([other, ...bases], view, 0), bases[2]);
		assert.equal(figures.findBase([other], view, 5), null);
	},
	bases_of_a_minute_are_kept_and_few_of_them() {
		let bases = [];

		for (let seconds = 1; seconds <= 300; seconds++)
			bases = figures.thinOut([...bases, figures.toBase(makeView(seconds, []))], makeView(seconds, []).time_ns);
		const found = figures.findBase(bases, makeView(300, []), 60);
		const age = Number(BigInt(makeView(300, []).time_ns) - BigInt(found.time_ns)) / 1e9;

		assert.ok(bases.length < 30, `${bases.length} bases`);
		assert.ok(age >= 60 && age <= 66, `${age} s`);
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
	each_word_of_a_filter_is_to_be_found() {
		const row = { kind: "container", container: "web", namespace: "Shop", pod: "cart-0", labels: { team: "a" } };

		assert.ok(figures.isWanted(row, ""));
		assert.ok(figures.isWanted(row, "shop WEB"));
		assert.ok(figures.isWanted(row, "team=a"));
		assert.ok(!figures.isWanted(row, "shop db"));
	},
	a_name_cannot_hide_what_it_is() {
		assert.equal(figures.visible("a\u202eb\u0000\u200b"), "a\ufffdb\ufffd\ufffd");
		assert.equal(figures.nameOf({ kind: "sandbox", container: null }), "(pod sandbox)");
		assert.equal(figures.nameOf({ kind: "kernel" }), "(kernel)");
		assert.equal(figures.placeOf({ kind: "container", namespace: "n", pod: "p", qos: "Burstable", core: "P-core" }),
			"n/p, container, Burstable, on P-core");
	},
	figures_are_written_as_in_the_table() {
		assert.deepEqual([0, 9999, 12345, 999499, 999500, 4560000000].map(figures.formatCount),
			["0", "9999", "12.3k", "999k", "1.00M", "4.56G"]);
		assert.deepEqual([5, 65, 3700, 90000].map(figures.formatAge), ["5 s", "1 min 5 s", "1 h 1 min", "1 d 1 h"]);
		assert.deepEqual([null, 0, 0.001, 1.234].map(figures.formatCpus), ["-", "0.00", "<0.01", "1.23"]);
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
			const view = figures.parseView(readFileSync(`tests/golden/${file}`, "utf8"));

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

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
	try {
		test();
		console.log(`ok ${name}`);
	} catch (error) {
		failed++;
		console.log(`not ok ${name}: ${String(error.stack).replaceAll("\n", " | ")}`);
	}
}
process.exit(failed > 0 ? 1 : 0);

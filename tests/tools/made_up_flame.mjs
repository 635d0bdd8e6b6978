// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// made_up_flame.mjs - a flame graph of three functions in two containers, in round numbers.

const M = 1000000;
const WEIGHTS = [["samples", 0], ["cpu", 0], ["slots", 0], ["retiring", 1], ["bad_speculation", 1], ["frontend_bound", 1], ["backend_bound", 1],
	["memory_bound", 2, "backend_bound"]];
// In preorder: depth, function or row, slots, and of these back-end bound and memory bound ones, in millions. `walk` calls itself.
const NODES = [
	[0, 0, 1000, 600, 500],
	[1, 0, 800, 560, 480],
	[2, 0, 800, 560, 480],
	[3, 1, 500, 460, 440],
	[4, 1, 100, 100, 100],
	[3, 2, 200, 60, 20],
	[1, 1, 200, 40, 20],
	[2, 0, 200, 40, 20],
];
// What the base of a comparison had: more of `hash`, less of `walk`.
const BASE_SLOTS = [1000, 800, 800, 300, 100, 400, 200, 200];

export const NODE = { all: 0, web: 1, walk: 3, inner: 4, hash: 5, batch: 6 };

function valuesOf(slots, backend, memory) {
	const figures = { samples: slots / 10, cpu: slots * M, slots: slots * M, retiring: (slots - backend) * M, backend_bound: backend * M, memory_bound: memory * M };

	return WEIGHTS.map(([name]) => figures[name] ?? 0);
}
const columns = (rows) => rows[0].map((_, at) => rows.map((row) => row[at]));

// Of all rows, or the second alone, no slots were counted: they have CPU time and samples.
function forget(data, all) {
	for (const figures of data.values.slice(2)) {
		const rest = figures[0] - figures[NODE.batch];

		figures.fill(null, all ? 0 : NODE.batch);
		figures[0] = all ? null : rest;
	}
	data.weight = all ? 1 : 2;
}

export function makeFlame({ compared = false, uncounted = "" } = {}) {
	const parents = NODES.map(([depth], at) => NODES.slice(0, at).findLastIndex((one) => one[0] === depth - 1)).map((parent) => Math.max(parent, 0));
	const data = {
		schema: "cgtopdown/profile/1", simulated: true, seconds: 60, weight: 2,
		weights: WEIGHTS.map(([name, level, parent = null]) => ({ name, role: level === 1 ? name : null, unit: "slots", level, parent, help: `What ${name} is.` })),
		rows: ["shop/web", "batch/sort"].map((name) => ({ name, samples: 80, windows: 40, factor: 1 })),
		functions: ["main", "walk", "hash"], module_of: [0, 0, 1], modules: ["/usr/bin/program", "/usr/lib/libhash.so"],
		parents, frames: NODES.map(([, frame]) => frame),
		values: [...columns(NODES.map(([, , ...figures]) => valuesOf(...figures))), NODES.map(([, , slots]) => slots * M / 2)],
	};

	if (uncounted)
		forget(data, uncounted === "all");
	return compared ? { ...data, base: columns(BASE_SLOTS.map((slots) => valuesOf(slots, 0, 0))) } : data;
}

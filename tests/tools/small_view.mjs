// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// small_view.mjs - views of few rows, and no more of them than the page's arithmetic looks at.

export const NODES = [
	{ name: "retiring", role: "retiring", level: 1, parent: null, condition: "retiring > 0.7 | heavy_operations > 0.1", unit: "ratio" },
	{ name: "backend_bound", role: "backend_bound", level: 1, parent: null, condition: "backend_bound > 0.2", unit: "ratio" },
	{ name: "memory_bound", role: "memory_bound", level: 2, parent: "backend_bound", condition: "memory_bound > 0.2 & backend_bound > 0.2", unit: "ratio" },
	{ name: "core_bound", role: "core_bound", level: 2, parent: "backend_bound", condition: "core_bound > 0.1 & backend_bound > 0.2", unit: "ratio" },
	{ name: "ipc", role: "ipc", level: 0, parent: null, condition: null, unit: "per_cycle" },
];

export function makeRow(key, cpu_ns, slots, more = {}) {
	const share = (part) => (slots === null ? null : slots * part / 10);

	return {
		key, kind: "cgroup", cgroup: key, ended: false,
		total: { since: "2026-01-02T03:04:05.000Z", cpu_ns, counted_ns: cpu_ns, slices: 1, slots,
			node_slots: { retiring: share(6), backend_bound: share(4), memory_bound: share(1), core_bound: share(3) } },
		recent: { cpu_ns: 5e8, quality: "ok", bottleneck: "core_bound", metrics: { retiring: 0.6 }, qualities: {} },
		...more,
	};
}

export function makeView(seconds, rows) {
	return {
		boot_id: "b", start: "2026-01-02T03:04:05.000Z", sequence: seconds,
		time_ns: 1e6 * Date.parse("2026-01-02T03:04:05.000Z") + 1e9 * seconds,
		elapsed_ns: 1e9 * seconds, window_ns: 1000000000, interval_ns: 1000000000,
		core_types: [{ core: null, level: 2, cpus: 2, model: {}, nodes: NODES }],
		rows,
	};
}

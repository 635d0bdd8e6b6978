// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// figures.mjs - makes figures of views, or of the time between two; knows nothing of the page.
//
// Totals beyond 2^53 are rounded to doubles: to a part in 10^16, where the page shows one in 1000.
import { earlierTotal, isGivenUp, isOfTotals, rowsOf, totalsSince } from "./bases.mjs";

// As in the program: fewer slots, or less of the CPU time counted, say little.
const CONFIDENT_SLOTS = 1000000;
const CONFIDENT_SHARE = 0.1;

// Does a node's condition hold, "a > 0.1 & b > 0.2 | c > 0.3"? Not if it says more than that.
function holds(condition, value_of) {
	const is_above = (term) => {
		const [, name, least] = /^\s*(\w+)\s*>\s*([\d.]+)\s*$/.exec(term) ?? [];

		return name !== undefined && (value_of(name) ?? NaN) > Number(least);
	};

	return (condition ?? "").split("|").some((all) => all.split("&").every(is_above));
}

// The bottleneck by the program's rule: level by level the largest of those whose condition holds.
// Much retiring is none, and what the core's other thread was given is none of the row's own.
export function findBottleneck(nodes, value_of, level) {
	let found = null;

	for (let depth = 1; depth <= level; depth++) {
		let largest = null;

		for (const node of nodes) {
			if (node.level !== depth || node.parent !== (found ? found.name : null) ||
			    node.role === "retiring" || node.role === "smt_contention" || !holds(node.condition, value_of))
				continue;
			if (!largest || value_of(node.name) > value_of(largest.name))
				largest = node;
		}
		if (!largest)
			break;
		found = largest;
	}
	return found ? found.name : null;
}

export function coreTypeOf(view, row) {
	return view.core_types.find((type) => type.core === (row.core ?? null)) ?? view.core_types[0];
}

export function nodesOf(view, row) {
	return coreTypeOf(view, row).nodes;
}

// The last interval, as the program evaluated it.
function recentFigures(view, row) {
	const recent = row.recent;
	const metrics = {};

	for (const [name, value] of Object.entries(recent.metrics))
		metrics[name] = { value, quality: recent.qualities[name] ?? recent.quality };
	return { row, cpus: ratio(recent.cpu_ns, view.window_ns), metrics, bottleneck: recent.bottleneck };
}

function ratio(part, whole) {
	return part === null || whole === null || whole <= 0 ? null : part / whole;
}

function perThousand(part, whole) {
	return part === null ? null : ratio(1000 * part, whole);
}

// What the ipc group's counts come to, by the role of the node.
const of_counts = {
	ipc: (counts) => ratio(counts.instructions, counts.cycles),
	cpi: (counts) => ratio(counts.cycles, counts.instructions),
	ghz: (counts) => ratio(counts.cycles, counts.counted_ns),
	branch_mpki: (counts) => perThousand(counts.branch_misses, counts.instructions),
	cache_mpki: (counts) => perThousand(counts.cache_misses, counts.instructions),
};

function judge(slots, counted_ns, cpu_ns) {
	const share = ratio(counted_ns, cpu_ns) ?? 0;

	if (slots === null || slots <= 0)
		return "no_data";
	if (slots < CONFIDENT_SLOTS || share < CONFIDENT_SHARE)
		return "low_confidence";
	return share < 0.99 ? "scaled" : "ok";
}

// As in the program, the ipc group is as good as its own count of slots, or of cycles where none of slots are counted.
function judgeIpc(type, totals) {
	const cycles = totals.ipc_group?.cycles ?? null;

	return judge(cycles === null ? null : cycles * (type.model?.slots_per_cycle || 1), totals.counted_ns, totals.cpu_ns);
}

function metricsOf(type, totals, level) {
	const quality = judge(totals.slots, totals.counted_ns, totals.cpu_ns), ipc_quality = judgeIpc(type, totals);
	const metrics = {};

	for (const node of type.nodes) {
		let value = null;

		if (node.level > 0 && node.level <= level && quality !== "no_data")
			value = ratio(totals.node_slots[node.name] ?? null, totals.slots);
		else if (node.level === 0 && ipc_quality !== "no_data")
			value = of_counts[node.role]?.(totals.ipc_group) ?? null;
		metrics[node.name] = { value, quality: value === null ? "no_data" : node.level > 0 ? quality : ipc_quality };
	}
	return metrics;
}

// In nanoseconds, since the base; null: since the start; "recent": of the last interval.
function windowSince(view, base) {
	if (base === "recent")
		return view.window_ns;
	return view.elapsed_ns - (base?.elapsed_ns ?? 0);
}

function figuresOfTotals(view, type, totals, base) {
	const level = base !== "recent" && isGivenUp(view, base, "level_2") ? 1 : Infinity;
	const metrics = metricsOf(type, totals, level);
	const value_of = (name) => metrics[name]?.value ?? null;

	return {
		cpus: ratio(totals.cpu_ns, windowSince(view, base)),
		metrics,
		bottleneck: findBottleneck(type.nodes, value_of, type.level),
	};
}

// The time since the base; null: since the account was begun.
function figuresSince(view, row, base) {
	const totals = totalsSince(row.total, earlierTotal(view, row, base));

	// As in the program: a halted CPU has no cycles, but time. There is no telling how fast it ran in between.
	if (row.kind === "idle" && totals.ipc_group)
		totals.ipc_group.counted_ns = null;
	return { row, ...figuresOfTotals(view, coreTypeOf(view, row), totals, base) };
}

const CAUSES = { other: "for other cgroups", own: "for tasks of its own", kernel: "for kernel threads", throttled: "for its quota",
	idle: "for a CPU to wake up", unknown: "for what is not known", short: "less than 50 \u00b5s each" };

// What tasks of rows waited for a CPU since the base; null: that is not counted.
function waitsSince(view, rows, base) {
	const window = windowSince(view, base), waits = { cpus: 0, causes: {} };
	let known = false;

	for (const row of rows) {
		const total = row.total.waits, old = earlierTotal(view, row, base)?.waits;

		known ||= Boolean(total);
		for (const cause of total ? Object.keys(CAUSES) : []) {
			const cpus = ratio(Math.max(0, total[`${cause}_ns`] - (old?.[`${cause}_ns`] ?? 0)), window) ?? 0;

			waits.causes[cause] = (waits.causes[cause] ?? 0) + cpus;
			waits.cpus += cpus;
		}
	}
	return known && !isGivenUp(view, base, "waits") ? waits : null;
}

// What there was, in words, with the CPUs that it was waited for.
export function causesOf(waits) {
	return Object.entries(waits.causes).filter(([, cpus]) => cpus > 0).map(([cause, cpus]) => [CAUSES[cause], cpus]);
}

const SIBLINGS = { idle: "idle", same: "busy with the same", other: "busy with others", mixed: "busy with several" };

// What the core's other hardware thread did in a row's time since the base, and what part of its slots retired meanwhile;
// null: they are not told apart.
function siblingsSince(view, row, base) {
	const smt = row.total.smt, old = earlierTotal(view, row, base)?.smt;

	if (!smt)
		return null;
	const grown = (state, name) => (smt[state][name] ?? 0) - (old?.[state]?.[name] ?? 0);
	const cpu_ns = Object.keys(SIBLINGS).reduce((sum, state) => sum + grown(state, "cpu_ns"), 0);

	return Object.entries(SIBLINGS).filter(([state]) => grown(state, "cpu_ns") > 0).map(([state, words]) =>
		({ words, share: grown(state, "cpu_ns") / cpu_ns, retiring: ratio(grown(state, "retired_slots"), grown(state, "slots")) }));
}

// Figures of each row: "recent", or of the time since a base, null being the start. `totals_base`: what totals are subtracted from;
// "recent": of the last interval there is no such thing, as no view of right before it is known.
export function figuresOf(view, base, totals_base = base) {
	const no_totals = totals_base === "recent", no_waits = no_totals || isGivenUp(view, totals_base, "waits");
	const figuresOfRow = (row) => (base !== "recent" ? figuresSince(view, row, base)
		: isOfTotals(row) && !no_totals ? figuresSince(view, row, totals_base) : recentFigures(view, row));

	return rowsOf(view).filter((row) => row.kind !== "ended" || !no_totals).map((row) => ({ ...figuresOfRow(row),
		waits: no_waits ? null : waitsSince(view, [row], totals_base),
		siblings: no_waits ? null : siblingsSince(view, row, totals_base) }))
		.filter((one) => one.row.kind !== "ended" || one.cpus > 0);
}

// What part of the CPU time was counted where a view has the quality alone: of one that is marked alike.
const COUNTED = { ok: 1, scaled: 0.5, low_confidence: 0.05 };

// The last interval as totals, of which it has shares.
function recentTotals({ cpu_ns, slots, quality, metrics }) {
	const slotsOf = (share) => (share === null || slots === null ? null : share * slots);

	return { cpu_ns, counted_ns: cpu_ns * (COUNTED[quality] ?? 0), slots,
		node_slots: Object.fromEntries(Object.entries(metrics).map(([name, share]) => [name, slotsOf(share)])) };
}

// Rows of one core type, added up: since the base, or "recent".
export function sumOf(view, type, rows, base) {
	const sum = { cpu_ns: 0, counted_ns: 0, slots: null, node_slots: {}, ipc_group: null };

	for (const row of rows) {
		const totals = base === "recent" ? recentTotals(row.recent) : totalsSince(row.total, earlierTotal(view, row, base));

		sum.cpu_ns += totals.cpu_ns;
		sum.counted_ns += totals.counted_ns;
		if (totals.slots !== null)
			sum.slots = (sum.slots ?? 0) + totals.slots;
		for (const [name, slots] of Object.entries(totals.node_slots))
			if (slots !== null)
				sum.node_slots[name] = (sum.node_slots[name] ?? 0) + slots;
	}
	return { ...figuresOfTotals(view, type, sum, base), waits: base === "recent" ? null : waitsSince(view, rows, base) };
}

// What runs on each core type, without idle. Slots of two core types are not added.
export function sumsOf(view, base) {
	return view.core_types.map((type) => {
		const rows = rowsOf(view).filter((row) => row.kind !== "idle" && coreTypeOf(view, row) === type && (base !== "recent" || row.recent));

		return { type, ...sumOf(view, type, rows, base) };
	});
}

// Of all slots since the start; null without counters.
export function unattributedShare(total) {
	return total.slots === null ? null : ratio(total.unattributed_slots, total.slots);
}

// The nodes of all core types, each name once, in the models' order.
export function allNodes(view) {
	const nodes = new Map();

	for (const type of view.core_types)
		for (const node of type.nodes)
			if (!nodes.has(node.name))
				nodes.set(node.name, node);
	return [...nodes.values()];
}

function sortKey(figures, column) {
	if (column === "name")
		return nameOf(figures.row).toLowerCase();
	if (column === "cpus")
		return figures.cpus;
	if (column === "waits")
		return figures.waits?.cpus ?? null;
	if (column === "bottleneck")
		return figures.bottleneck;
	return figures.metrics[column]?.value ?? null;
}

// Idle is no use of CPUs and comes last, what is not known before it.
export function sortFigures(figures, column, descending) {
	const sign = descending ? -1 : 1;
	const rank = (one) => (one.row.kind === "idle" ? 2 : sortKey(one, column) === null ? 1 : 0);

	return [...figures].sort((a, b) => {
		const one = sortKey(a, column), other = sortKey(b, column);

		if (rank(a) !== rank(b))
			return rank(a) - rank(b);
		if (one !== other && one !== null && other !== null)
			return one < other ? -sign : sign;
		return (b.cpus ?? 0) - (a.cpus ?? 0) || (a.row.key < b.row.key ? -1 : 1);
	});
}

// Every word of the filter is in something that the row is called.
export function isWanted(row, filter) {
	if (!filter)
		return true;
	const names = [row.kind, row.core, row.cgroup, row.namespace, row.pod, row.container, row.container_id,
		row.image, row.runtime, row.qos, row.owner_kind, row.owner,
		...Object.entries(row.labels ?? {}).map(([name, value]) => `${name}=${value}`)];
	const text = names.filter(Boolean).join("\n").toLowerCase();

	return filter.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

// Controls, and marks that change the direction of what follows, would show another name.
export function visible(text) {
	return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, "\ufffd");
}

export function nameOf(row) {
	if (row.kind === "container" || row.kind === "sandbox")
		return visible(row.container ?? "(pod sandbox)");
	if (row.kind === "cgroup")
		return !row.cgroup || row.cgroup === "/" ? "/ (the root's own tasks)" : visible(row.cgroup);
	return row.kind === "group" ? visible(row.group) : `(${row.kind})`;
}

export function placeOf(row) {
	const parts = [];

	if (row.kind === "group")
		parts.push(row.members === 1 ? "1 row" : `${row.members} rows`);
	if (row.kind === "ended")
		parts.push("containers and cgroups that are gone");
	if (row.namespace || row.pod)
		parts.push(visible(`${row.namespace ?? ""}/${row.pod ?? ""}`));
	if (row.kind === "container" || row.kind === "sandbox")
		parts.push(row.kind === "sandbox" ? "pod sandbox" : "container");
	if (row.qos)
		parts.push(row.qos);
	if (row.core)
		parts.push(`on ${visible(row.core)}`);
	return parts.join(", ");
}

const MARKS = { ok: "", scaled: "~", low_confidence: "?" };
const UNITS = { ratio: [100, 1], per_cycle: [1, 2], cycles: [1, 2], ghz: [1, 2], per_thousand: [1, 1] };

// "31.4", "~1.25", "-".
export function formatMetric(metric, unit) {
	const [times, digits] = UNITS[unit] ?? [1, 2];

	if (!metric || metric.value === null || !(metric.quality in MARKS))
		return "-";
	return MARKS[metric.quality] + (times * metric.value).toFixed(digits);
}

export function formatCpus(cpus) {
	if (cpus === null)
		return "-";
	return cpus > 0 && cpus < 0.005 ? "<0.01" : cpus.toFixed(2);
}

export function formatPercent(share) {
	return share > 0 && share < 0.0001 ? "<0.01 %" : `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`;
}

// "9999", "12.3k", "4.56G".
export function formatCount(count) {
	let scaled = Number(count), unit = 0;

	if (Math.abs(scaled) < 10000)
		return String(Math.round(scaled));
	while (Math.abs(scaled) >= 999.5 && unit < 6) {
		scaled /= 1000;
		unit++;
	}
	return scaled.toFixed(Math.abs(scaled) < 9.995 ? 2 : Math.abs(scaled) < 99.95 ? 1 : 0) + " kMGTPE"[unit];
}

// A line of one step for each value, from the least to the most of them in that height; null is a gap. Of nothing but gaps the path is "".
export function stepsOf(values, height) {
	const known = values.filter((value) => value !== null), least = Math.min(...known), most = Math.max(...known);
	let path = "";

	values.forEach((value, i) => {
		if (value !== null)
			path += `${(values[i - 1] ?? null) === null ? "M" : "L"}${i} ${(most > least ? height * (most - value) / (most - least) : height).toFixed(1)}h1`;
	});
	return { path, least, most };
}

// "3 d 4 h", "12 min 5 s": the two largest units.
export function formatAge(seconds) {
	const s = Math.max(0, Math.floor(seconds));

	if (s >= 86400)
		return `${Math.floor(s / 86400)} d ${Math.floor(s / 3600) % 24} h`;
	if (s >= 3600)
		return `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`;
	return s >= 60 ? `${Math.floor(s / 60)} min ${s % 60} s` : `${s} s`;
}

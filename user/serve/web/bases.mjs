// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// bases.mjs - keeps earlier views, and subtracts their totals so that nothing is lost or there twice: docs/api.md says how.

// Totals of two views can be subtracted if they were added up by the same run.
export function isSameRun(one, other) {
	return one.boot_id === other.boot_id && one.start === other.start;
}

// Does the collector stand still? As /healthz has it: without an interval for so many of them and for so long, something is wrong.
export function isStill(view, unchanged_ms) {
	return unchanged_ms > 10 * view.interval_ns / 1e6 + 10000;
}

// Is a part of the measurement given up for the budget, or was it for some of the time since the base? Its totals stood still then.
export function isGivenUp(view, base, part) {
	return Boolean(view.budget?.given_up.includes(part)) || (view.budget?.changes[part] ?? 0) !== (base?.changes?.[part] ?? 0);
}

// With those whose names are waited for.
export const namedAndHeld = (view) => [...view.rows, ...(view.held_rows ?? [])];
const fetchedOf = (view) => new Map(view.core_types.filter((type) => type.fetched).map((type) => [type.core, type.fetched]));

// What is needed of a view to subtract it from later ones.
export function toBase(view) {
	return {
		boot_id: view.boot_id,
		start: view.start,
		elapsed_ns: view.elapsed_ns,
		changes: view.budget?.changes ?? {},
		rows: namedAndHeld(view).map(({ key, kind, core, cgroup, total }) => ({ key, kind, core, cgroup, total })),
		fetched: fetchedOf(view),
	};
}

// The base that is `seconds` older than the view, or the oldest there is; null: nothing to subtract.
export function findBase(bases, view, seconds) {
	const usable = bases.filter((base) => isSameRun(base, view) && base.elapsed_ns < view.elapsed_ns);
	const age = (base) => (view.elapsed_ns - base.elapsed_ns) / 1e9;

	return usable.findLast((base) => age(base) > seconds - 0.3) ?? usable[0] ?? null;
}

// The view before, whose totals are those of the last interval; null: none was seen yet, or only one of longer ago, as the page was in the
// background. It asks once an interval, but no more often than once a second, and may miss one.
export function findBefore(bases, view) {
	const base = findBase(bases, view, 0), most_ns = 2.5 * Math.max(1e9, view.interval_ns, view.window_ns);

	return base && view.elapsed_ns - base.elapsed_ns <= most_ns ? base : null;
}

// Every base of the last seconds, and one in five seconds before: enough for a minute. The newest one, however old that is:
// intervals may be longer than that, and a page that was in the background for long goes on from there.
export function thinOut(bases, elapsed_ns) {
	const age = (base) => (elapsed_ns - base.elapsed_ns) / 1e9;
	const kept = [];

	for (const base of bases.slice(0, -1)) {
		const last = kept.at(-1);

		if (age(base) > 66)
			continue;
		if (last && age(base) > 12 && age(last) - age(base) < 5)
			continue;
		kept.push(base);
	}
	return [...kept, ...bases.slice(-1)];
}

// Two totals added up, figure by figure; what neither knows stays unknown.
function addUp(one, other) {
	if (typeof one === "number" && typeof other === "number")
		return one + other;
	if (!one || !other || typeof one !== "object" || typeof other !== "object")
		return one ?? other ?? null;
	return Object.fromEntries(Object.keys({ ...one, ...other }).map((name) => [name, addUp(one[name], other[name])]));
}

// What is gone is told by totals alone: rows that were fetched, and those that were added to the row of all others.
export const isOfTotals = (row) => row.kind === "ended" || row.kind === "other";

// All rows of a view, and one of what is gone for each core type.
const rows_of = new WeakMap();
export function rowsOf(view) {
	if (rows_of.has(view))
		return rows_of.get(view);
	const fetched = fetchedOf(view), told = namedAndHeld(view).map((row) => {
		const more = row.kind === "other" && fetched.get(row.core ?? null);

		if (!more)
			return row;
		fetched.delete(row.core ?? null);
		return { ...row, total: addUp(row.total, more) };
	});
	const ended = [...fetched].map(([core, total]) => ({ key: `ended ${core ?? ""}`, kind: "ended", core: core ?? undefined, total }));

	rows_of.set(view, [...told, ...ended]);
	return rows_of.get(view);
}

// By the key of each row the earlier totals of all that it has become of.
function matchBase(view, base) {
	const rows = rowsOf(view), totals = new Map(), gone = new Map();
	const hasCgroup = (row) => row.cgroup && !isOfTotals(row), cgroupOf = (row) => `${row.core ?? ""} ${row.cgroup}`;
	const by_key = new Map(rows.filter((row) => !isOfTotals(row)).map((row) => [row.key, row]));
	let by_cgroup = null; // few need it
	const findCgroup = (row) => (by_cgroup ??= new Map(rows.filter(hasCgroup).map((one) => [cgroupOf(one), one]))).get(cgroupOf(row));
	const put = (key, total) => totals.set(key, totals.has(key) ? addUp(totals.get(key), total) : total);

	for (const row of rows.filter(isOfTotals))
		gone.set(row.core ?? null, row.key);
	for (const [core, total] of base.fetched)
		put(gone.get(core), total);
	for (const row of base.rows) {
		// It was named in between: it has another key, or is a part of what has that key.
		const now = by_key.get(row.key) ?? (hasCgroup(row) ? findCgroup(row) : undefined);

		// Totals that begin later than they did are of another row under the same key.
		put(now && now.total.since <= row.total.since ? now.key : gone.get(row.core ?? null), row.total);
	}
	return totals;
}

// What is to be subtracted from a row's total; null or undefined: nothing, it counts from 0.
const matches = new WeakMap();
export function earlierTotal(view, row, base) {
	if (!base)
		return null;
	const known = matches.get(view) ?? new Map();

	matches.set(view, known);
	if (!known.has(base))
		known.set(base, matchBase(view, base));
	return known.get(base).get(row.key);
}

function difference(after, before) {
	return after === null || after === undefined ? null : Math.max(0, after - (before ?? 0));
}

// A total without an earlier one.
export function totalsSince(total, old) {
	const totals = {
		cpu_ns: difference(total.cpu_ns, old?.cpu_ns),
		counted_ns: difference(total.counted_ns, old?.counted_ns),
		slots: difference(total.slots, old?.slots),
		node_slots: {},
		ipc_group: null,
	};

	for (const [name, slots] of Object.entries(total.node_slots))
		totals.node_slots[name] = difference(slots, old?.node_slots[name]);
	if (total.ipc_group) {
		totals.ipc_group = {};
		for (const [name, count] of Object.entries(total.ipc_group))
			totals.ipc_group[name] = difference(count, old?.ipc_group?.[name]);
	}
	return totals;
}

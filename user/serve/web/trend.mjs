// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// trend.mjs - keeps the last ten minutes of each row, in parts of ten seconds or of one interval if that is longer.
//
// `windows` has the seconds that were seen of each part: those of all rows, as a row that was not there for all of them used nothing
// for the rest.
import { namedAndHeld } from "./bases.mjs";

export const TREND_S = 600;
const PART_S = 10;

export function makeTrend() {
	return { part_s: PART_S, newest: 0, time_ns: 0, windows: new Map(), recalled: 0, is_recalled: false, rows: new Map() };
}

export const partsCount = (trend) => Math.ceil(TREND_S / trend.part_s);

function addTo(part, recent) {
	part.cpu_s += recent.cpu_ns / 1e9;
	part.slots += recent.slots ?? 0;
	for (const [name, share] of Object.entries(recent.metrics))
		if (share !== null && recent.slots !== null)
			part.node_slots[name] = (part.node_slots[name] ?? 0) + share * recent.slots;
}

function dropOld(trend) {
	for (const index of trend.windows.keys())
		if (index <= trend.newest - partsCount(trend))
			trend.windows.delete(index);
	for (const [key, parts] of trend.rows) {
		while (parts.length && parts[0].index <= trend.newest - partsCount(trend))
			parts.shift();
		if (!parts.length)
			trend.rows.delete(key);
	}
}

// The newest interval of a view. One that was seen before counts once.
export function addInterval(trend, view) {
	if (view.time_ns <= trend.time_ns)
		return;
	const part_s = Math.ceil(Math.max(PART_S, view.interval_ns / 1e9));

	if (part_s !== trend.part_s)
		Object.assign(trend, makeTrend(), { part_s });
	trend.time_ns = view.time_ns;
	trend.newest = Math.floor(view.time_ns / 1e9 / part_s);
	trend.windows.set(trend.newest, (trend.windows.get(trend.newest) ?? 0) + view.window_ns / 1e9);
	for (const row of namedAndHeld(view)) {
		const parts = trend.rows.get(row.key) ?? [];

		if (parts.at(-1)?.index !== trend.newest)
			parts.push({ index: trend.newest, cpu_s: 0, slots: 0, node_slots: {} });
		trend.rows.set(row.key, parts);
		addTo(parts.at(-1), row.recent);
	}
	dropOld(trend);
}

// What a history (cgtopdown/history/1, in steps of a part) has of the parts that were not seen.
export function addHistory(trend, history) {
	const part_s = history.step_ns / 1e9, first = history.since_ns / history.step_ns;
	const wanted = [...Array(history.points).keys()].filter((point) => history.window_ns[point] !== null &&
		first + point < trend.newest && first + point > trend.newest - partsCount(trend) && !trend.windows.has(first + point));

	if (part_s !== trend.part_s)
		return;
	for (const row of history.rows) {
		const parts = trend.rows.get(row.key) ?? [];

		for (const point of wanted)
			if (row.cpu_ns[point] !== null)
				parts.push({ index: first + point, cpu_s: row.cpu_ns[point] / 1e9, slots: row.slots[point] ?? 0,
					node_slots: Object.fromEntries(Object.entries(row.node_slots).map(([name, slots]) => [name, slots[point] ?? 0])) });
		if (parts.length)
			trend.rows.set(row.key, parts.sort((one, other) => one.index - other.index));
	}
	for (const point of wanted)
		trend.windows.set(first + point, history.window_ns[point] / 1e9);
	trend.recalled += wanted.length;
	trend.is_recalled = true;
}

// Ten minutes of these rows together, oldest first; null where nothing was seen.
export function partsOf(trend, keys) {
	const count = partsCount(trend);
	const sums = new Array(count).fill(null);

	for (const key of keys) {
		for (const part of trend.rows.get(key) ?? []) {
			const at = part.index - trend.newest + count - 1, window_s = trend.windows.get(part.index) ?? 0;

			if (at < 0 || window_s <= 0)
				continue;
			sums[at] ??= { cpus: 0, slots: 0, node_slots: {} };
			sums[at].cpus += part.cpu_s / window_s;
			sums[at].slots += part.slots;
			for (const [name, slots] of Object.entries(part.node_slots))
				sums[at].node_slots[name] = (sums[at].node_slots[name] ?? 0) + slots;
		}
	}
	return sums;
}

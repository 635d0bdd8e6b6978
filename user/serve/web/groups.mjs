// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// groups.mjs - puts rows of one namespace or owner together, and chooses which of all rows are shown.
import { isOfTotals } from "./bases.mjs";
import * as figures from "./figures.mjs";

// Less of a CPU than the table shows as more than "<0.01".
export const IDLE_CPUS = 0.005;

// null: a row that is no part of a group.
function groupOf(row, by) {
	if (row.kind === "kernel" || row.kind === "idle" || isOfTotals(row))
		return null;
	const place = row.namespace ?? "(no namespace)";

	if (by === "namespace" || !row.namespace)
		return place;
	if (row.owner)
		return `${place}, ${row.owner_kind} ${row.owner}`;
	return row.pod ? `${place}, Pod ${row.pod}` : place;
}

// Rows of two core types are of two groups, as their slots are not added.
export function groupFigures(view, all, base, by) {
	const groups = new Map(), alone = [];

	for (const one of all) {
		const group = groupOf(one.row, by);
		const key = `group ${one.row.core ?? ""} ${group}`;

		if (group === null)
			alone.push(one);
		else if (groups.has(key))
			groups.get(key).members.push(one);
		else
			groups.set(key, { group, members: [one] });
	}
	for (const [key, { group, members }] of groups) {
		const type = figures.coreTypeOf(view, members[0].row);

		alone.push({
			row: { key, kind: "group", group, members: members.length, core: members[0].row.core },
			members,
			...figures.sumOf(view, type, members.map((one) => one.row), base),
		});
	}
	return alone;
}

// Without much CPU time it does not matter what that was lost on. What holds up the idle loop never does.
export function forgetSmallBottlenecks(all, least_cpus) {
	for (const one of all)
		if (one.row.kind === "idle" || !(one.cpus >= least_cpus))
			one.bottleneck = null;
}

// Sorted, members below the groups that are open. What hardly ran is folded, unless it was asked for by name.
export function chooseRows(all, wanted) {
	const sort = (some) => figures.sortFigures(some, wanted.sort, wanted.order === "down");
	const may_fold = (one) => one.cpus !== null && one.cpus < IDLE_CPUS && one.row.kind !== "idle" &&
		!wanted.open.has(one.row.key) && !wanted.filter;
	const sorted = sort(all);
	const idle = sorted.filter(may_fold).length;
	const rows = [];

	for (const one of sorted) {
		if (wanted.idle === "folded" && may_fold(one))
			continue;
		rows.push(one);
		if (one.members && wanted.open.has(one.row.key))
			rows.push(...sort(one.members).map((member) => ({ ...member, below: one.row.key })));
	}
	return { rows, idle };
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// detail.mjs - what a row that is unfolded shows below it: its history, its figures, its stacks.
import * as figures from "./figures.mjs";
import { make } from "./dom.mjs";
import { makeFlame } from "./flames.mjs";
import { fillPlot, makePlot } from "./plot.mjs";
import { partsOf } from "./trend.mjs";
import { linesOf } from "./vendor.mjs";

const details = new Map(); // by the key of a row

const VENDOR_HEADS = ["Vendor's metric", "Last interval", "Of CPU time", ""];

function makeVendor() {
	const table = make("table", undefined, "vendor"), head = make("tr"), body = make("tbody"), thead = make("thead");

	for (const text of VENDOR_HEADS) {
		const cell = make("th", text);

		cell.scope = "col";
		head.append(cell);
	}
	thead.append(head);
	table.append(thead, body);
	return table;
}

function makeVendorLine(line) {
	const element = make("tr", undefined, line.is_hot ? "hot" : ""), name = make("th", line.name);

	name.scope = "row";
	name.dataset.depth = String(Math.min(line.depth, 6));
	element.append(name, make("td", line.is_hot ? `${line.value} <` : line.value, "num"), make("td", line.share, "num"),
		make("td", line.remark, "soft"));
	if (line.is_hot)
		element.title = "above the vendor's threshold";
	return element;
}

// What stays as it was is not touched: a selection stays.
function fillVendor(table, lines) {
	const text = JSON.stringify(lines);

	table.hidden = !lines.length;
	if (table.dataset.text === text)
		return;
	table.dataset.text = text;
	table.lastChild.replaceChildren(...lines.map(makeVendorLine));
}

function makeDetail({ key, kind }, context) {
	const line = make("tr", undefined, "unfolded"), cell = make("td");
	const detail = { line, plot: makePlot(), list: make("dl", undefined, "figures"),
		vendor: context.view.vendor_metrics ? makeVendor() : null,
		flame: context.view.profiles && kind !== "ended" ? makeFlame(key, context.headers) : null };

	// Of what is gone there are sums alone.
	detail.plot.element.hidden = kind === "ended";
	cell.append(detail.plot.element, detail.list);
	if (detail.vendor)
		cell.append(detail.vendor);
	if (detail.flame)
		cell.append(detail.flame.element);
	line.append(cell);
	details.set(key, detail);
	return detail;
}

// The names of a row, and since when it is counted; what is not known is left out.
function factsOf(row) {
	const labels = Object.entries(row.labels ?? {}).map(([name, value]) => `${name}=${value}`).join(", ");
	const facts = [["namespace", row.namespace], ["pod", row.pod], ["owner", row.owner && `${row.owner_kind} ${row.owner}`],
		["image", row.image], ["container id", row.container_id], ["runtime", row.runtime], ["service class", row.qos],
		["labels", labels], ["cgroup", row.cgroup],
		["counted since", row.total?.since && new Date(row.total.since).toLocaleString()]];

	return facts.filter(([, value]) => value);
}

function figuresOf(one, nodes) {
	return nodes.filter((node) => (one.metrics[node.name]?.value ?? null) !== null).map((node) =>
		[node.name.replaceAll("_", " "), figures.formatMetric(one.metrics[node.name], node.unit) + (node.unit === "ratio" ? " %" : "")]);
}

function waitsOf(waits) {
	return waits ? figures.causesOf(waits).map(([cause, cpus]) => [`waited ${cause}`, `${figures.formatCpus(cpus)} CPUs`]) : [];
}

// By what the core's other hardware thread did: how often, and how well it went meanwhile.
function siblingsOf(siblings) {
	return (siblings ?? []).map(({ words, share, retiring }) => [`core's other thread ${words}`,
		`${(100 * share).toFixed(1)} % of its time${retiring === null ? "" : `, retiring ${(100 * retiring).toFixed(1)} %`}`]);
}

function fillList(list, one, nodes) {
	const found = nodes.find((node) => node.name === one.bottleneck);
	const lines = [...figuresOf(one, nodes), ...waitsOf(one.waits), ...siblingsOf(one.siblings), ...factsOf(one.row)];

	if (found)
		lines.unshift([`bottleneck: ${found.name.replaceAll("_", " ")}`, found.help]);
	const text = lines.flat().join("\n");

	if (list.dataset.text === text)
		return;
	list.dataset.text = text;
	list.replaceChildren(...lines.map(([name, value]) => {
		const item = make("div", undefined, String(value).length > 40 ? "long" : "");

		item.append(make("dt", name), make("dd", figures.visible(String(value))));
		return item;
	}));
}

// The line below a row.
export function detailOf(one, context) {
	const nodes = figures.nodesOf(context.view, one.row);
	const detail = details.get(one.row.key) ?? makeDetail(one.row, context);

	fillPlot(detail.plot, partsOf(context.trend, [one.row.key]), nodes.filter((node) => node.level === 1), context.trend.is_recalled);
	fillList(detail.list, one, nodes);
	if (detail.vendor)
		fillVendor(detail.vendor, linesOf(context.view, one.row));
	return detail;
}

// Those that were folded ask anew when they are unfolded again.
export function forgetDetails(open) {
	for (const key of details.keys())
		if (!open.has(key))
			details.delete(key);
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// table.mjs - the rows and their columns. What stays as it was is not touched.
import * as figures from "./figures.mjs";
import { fillBar, fillSpark, makeBar, makeSpark } from "./bar.mjs";
import { detailOf, forgetDetails } from "./detail.mjs";
import { byId, keepFocus, make, makeButton, setText } from "./dom.mjs";
import { partsOf } from "./trend.mjs";

// How each column makes a cell, and fills it with the figures of a row.
const NAME = {
	key: "name", head: "Name", className: "who",
	make(cell, context) {
		const button = makeButton(undefined, "unfold", () => context.toggle(button.dataset.key));

		cell.scope = "row";
		button.append(make("bdi"));
		cell.append(button, make("span", "ended", "badge"), make("span", undefined, "badge slowed"), make("small", undefined, "soft"));
		cell.lastChild.append(make("bdi"));
	},
	fill(cell, one, context) {
		const [button, badge, slowed, place] = cell.children, row = one.row, mechanisms = context.victims.get(row.key);

		button.dataset.key = row.key;
		button.setAttribute("aria-expanded", String(context.wanted.open.has(row.key)));
		setText(button.firstChild, figures.nameOf(row));
		badge.hidden = !row.ended;
		slowed.hidden = !mechanisms;
		setText(slowed, mechanisms ? `slowed: ${mechanisms.join(", ")}` : "");
		setText(place.firstChild, figures.placeOf(row));
		cell.title = figures.visible([row.cgroup, row.image, row.container_id].filter(Boolean).join("  "));
	},
};
const CPUS = {
	key: "cpus", head: "CPUs", className: "num cpus", help: "CPU seconds per second.",
	fill: (cell, one) => setText(cell, figures.formatCpus(one.cpus)),
};
const WAITS = {
	key: "waits", head: "Waiting", className: "num", help: "CPUs that its tasks waited for: seconds of waiting per second.",
	make(cell) {
		cell.dataset.name = "Waiting";
	},
	fill(cell, one) {
		setText(cell, figures.formatCpus(one.waits?.cpus ?? null));
		cell.title = one.waits ? figures.causesOf(one.waits).map(([cause, cpus]) => `${figures.formatCpus(cpus)} ${cause}`).join("\n") : "";
	},
};
const TREND = {
	key: "", head: "10 minutes", className: "trend", help: "CPUs over ten minutes, each row to its own scale.",
	make: (cell) => cell.append(makeSpark()),
	// Drawn anew when a part of the time is over: most of what a refresh would cost is this.
	fill(cell, one, context) {
		const drawn = `${context.trend.newest} ${context.trend.recalled} ${one.members?.length}`;

		if (cell.dataset.drawn === drawn)
			return;
		cell.dataset.drawn = drawn;
		fillSpark(cell.firstChild, partsOf(context.trend, (one.members ?? [one]).map((member) => member.row.key)));
	},
};
const SHARES = {
	key: "", head: "Slots, %", className: "shares",
	make: (cell) => cell.append(makeBar()),
	fill: (cell, one, context) => fillBar(cell.firstChild, figures.nodesOf(context.view, one.row), one.metrics),
};
const BOTTLENECK = {
	key: "bottleneck", head: "Bottleneck", className: "why",
	make: (cell) => cell.append(make("span"), make("small", undefined, "soft")),
	fill(cell, one, context) {
		const node = figures.nodesOf(context.view, one.row).find((some) => some.name === one.bottleneck);

		setText(cell.firstChild, node ? node.name.replaceAll("_", " ") : "");
		setText(cell.lastChild, node ? node.help.split(/[.:]/)[0] : "");
		cell.title = node ? node.help : "";
	},
};

function columnOf(node) {
	return {
		key: node.name, head: node.title, className: "num", help: node.help,
		make(cell) {
			cell.dataset.name = node.title;
		},
		fill(cell, one, context) {
			const found = figures.nodesOf(context.view, one.row).find((some) => some.name === one.bottleneck);

			setText(cell, figures.formatMetric(one.metrics[node.name], node.unit));
			cell.classList.toggle("hot", Boolean(found) && (found.name === node.name || found.parent === node.name));
		},
	};
}

function columnsOf(nodes, { view, wanted }) {
	const tree = nodes.filter((node) => node.level > 0);
	const beside = nodes.filter((node) => node.level === 0 && node.role !== "cpi");
	const shown = [...tree, ...beside].filter((node) => node.level <= Number(wanted.level));

	const waits = view.rows.some((row) => row.total.waits) ? [WAITS] : [];

	return [NAME, CPUS, ...waits, TREND, ...(tree.length ? [SHARES, BOTTLENECK] : []), ...shown.map(columnOf)];
}

function makeHead(column, context) {
	const head = make("th", undefined, column.className);

	head.scope = "col";
	head.title = column.help ?? "";
	if (column.key)
		head.append(makeButton(column.head, undefined, () => context.sort(column.key)));
	else
		head.textContent = column.head;
	return head;
}

// @return the columns; other ones than before begin the table anew.
let shown_columns = [];
function showHeads(nodes, context) {
	const heads = byId("heads"), columns = columnsOf(nodes, context);
	const key = columns.map((column) => column.key).join();

	if (heads.dataset.key !== key) {
		heads.dataset.key = key;
		heads.replaceChildren(...columns.map((column) => makeHead(column, context)));
		byId("rows").replaceChildren();
		shown_columns = columns;
	}
	columns.forEach((column, i) => {
		if (column.key === context.wanted.sort)
			heads.children[i].setAttribute("aria-sort", context.wanted.order === "down" ? "descending" : "ascending");
		else
			heads.children[i].removeAttribute("aria-sort");
	});
	return shown_columns;
}

function makeLine(columns, context) {
	const line = make("tr");

	for (const column of columns) {
		const cell = make(column === NAME ? "th" : "td", undefined, column.className);

		column.make?.(cell, context);
		line.append(cell);
	}
	return line;
}

// Lines are moved only where their order changed. `left`: those that were not put; a detail has another key in a group than alone.
function makePutter(body) {
	const old = new Map([...body.children].map((line) => [line.dataset.key, line])), left = new Set(body.children);
	let at = body.firstChild;

	return {
		old, left,
		put(key, line) {
			left.delete(line);
			line.dataset.key = key;
			if (line === at)
				at = at.nextSibling;
			else
				body.insertBefore(line, at);
		},
	};
}

function showLines(columns, rows, context) {
	const { old, left, put } = makePutter(byId("rows"));

	forgetDetails(context.wanted.open);
	for (const one of rows) {
		const key = `${one.below ?? ""} ${one.row.key}`;
		const line = old.get(key) ?? makeLine(columns, context);

		put(key, line);
		line.className = [one.row.ended ? "ended" : "", one.below ? "below" : ""].join(" ");
		columns.forEach((column, i) => column.fill(line.children[i], one, context));
		if (!one.members && context.wanted.open.has(one.row.key)) {
			const detail = detailOf(one, context);

			detail.line.firstChild.colSpan = columns.length;
			put(`detail ${key}`, detail.line);
			detail.flame?.draw();
		}
	}
	for (const line of left)
		line.remove();
}

export function showTable(nodes, rows, context) {
	keepFocus(byId("rows"), () => showLines(showHeads(nodes, context), rows, context));
}

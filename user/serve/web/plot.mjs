// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// plot.mjs - plots the CPUs of a row over ten minutes, divided into what their slots were lost on.
import { make, makeSvg, setText } from "./dom.mjs";
import { formatCpus } from "./figures.mjs";
import { TREND_S } from "./trend.mjs";

const HEIGHT = 100;

export function makePlot() {
	const figure = make("figure", undefined, "plot"), said = make("figcaption", undefined, "soft");
	const svg = makeSvg("svg", { preserveAspectRatio: "none", role: "img", "aria-label": "CPUs over ten minutes, by category" });
	const plot = { element: figure, svg, said, parts: [], nodes: [], is_whole: false };

	figure.append(svg, said);
	svg.addEventListener("pointermove", (event) => {
		const box = svg.getBoundingClientRect();

		sayPart(plot, Math.floor((event.clientX - box.left) / box.width * plot.parts.length));
	});
	svg.addEventListener("pointerleave", () => sayPart(plot, -1));
	return plot;
}

function ago(seconds) {
	return seconds >= 60 ? `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s ago` : `${Math.round(seconds)} s ago`;
}

function sayPart(plot, at) {
	const part = plot.parts[at], seconds = (plot.parts.length - 1 - at) * TREND_S / plot.parts.length;
	const known = plot.parts.filter(Boolean);

	if (part)
		setText(plot.said, `${ago(seconds)}: ${formatCpus(part.cpus)} CPUs` + plot.nodes.map((node) =>
			part.slots > 0 ? `, ${node.name.replaceAll("_", " ")} ${(100 * (part.node_slots[node.name] ?? 0) / part.slots).toFixed(1)} %` : "").join(""));
	else
		setText(plot.said, known.length ? `The last ten minutes${plot.is_whole ? "" : ", as long as this page has been open"}. ` +
			`Top: ${formatCpus(Math.max(...known.map((one) => one.cpus)))} CPUs.` : "Nothing seen yet.");
}

// Of one category: a column for each part of the time, on those of the categories before.
function columns(parts, heightOf, bottoms) {
	let path = "";

	parts.forEach((part, i) => {
		const height = part ? heightOf(part) : 0;

		if (height > 0)
			path += `M${i} ${(HEIGHT - bottoms[i]).toFixed(2)}v${(-height).toFixed(2)}h1v${height.toFixed(2)}z`;
		bottoms[i] += height;
	});
	return path;
}

// `is_whole`: also with what this page has not seen.
export function fillPlot(plot, parts, nodes, is_whole) {
	const most = Math.max(0.01, ...parts.map((part) => part?.cpus ?? 0));
	const bottoms = parts.map(() => 0);
	const share = (part, node) => (part.slots > 0 ? (part.node_slots[node.name] ?? 0) / part.slots : 0);
	const paths = nodes.map((node) => makeSvg("path", { class: node.role ?? "",
		d: columns(parts, (part) => HEIGHT * share(part, node) * part.cpus / most, bottoms) }));
	const rest = columns(parts, (part) => (part.slots > 0 ? 0 : HEIGHT * part.cpus / most), bottoms);

	Object.assign(plot, { parts, nodes, is_whole });
	plot.svg.setAttribute("viewBox", `0 0 ${parts.length} ${HEIGHT}`);
	plot.svg.replaceChildren(...paths, makeSvg("path", { d: rest }));
	if (!plot.svg.matches(":hover"))
		sayPart(plot, -1);
}

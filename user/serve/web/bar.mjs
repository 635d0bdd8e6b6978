// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// bar.mjs - draws shares of slots: a bar with level 2 in the parts of level 1, and what it was over time.
import { make, makeSvg } from "./dom.mjs";
import { formatMetric } from "./figures.mjs";

// A picture of the numbers beside it: a screen reader reads those.
export function makeBar() {
	const bar = make("div", undefined, "bar");

	bar.setAttribute("aria-hidden", "true");
	return bar;
}

function resize(parent, count) {
	while (parent.children.length < count)
		parent.append(make("i"));
	while (parent.children.length > count)
		parent.lastChild.remove();
}

function fillPart(part, value, children, metrics) {
	part.style.width = `${(100 * value).toFixed(1)}%`;
	part.hidden = !value;
	resize(part, children.length);
	children.forEach((child, i) => {
		const share = value > 0 ? Math.min(1, metrics[child.name].value / value) : 0;

		part.children[i].style.width = `${(100 * share).toFixed(1)}%`;
	});
}

// Styles are written only where the picture changes.
export function fillBar(bar, nodes, metrics) {
	const level1 = nodes.filter((node) => node.level === 1);
	const known = (node) => metrics[node.name]?.value > 0;
	const shape = nodes.map((node) => (metrics[node.name]?.value ?? 0).toFixed(3)).join();

	if (bar.dataset.shape === shape)
		return;
	bar.dataset.shape = shape;
	resize(bar, level1.length);
	level1.forEach((node, i) => {
		const children = nodes.filter((child) => child.parent === node.name && child.level === 2 && known(child));

		bar.children[i].className = node.role ?? "";
		fillPart(bar.children[i], metrics[node.name]?.value ?? 0, children, metrics);
	});
	bar.title = nodes.filter((node) => node.level < 3 && known(node)).map((node) =>
		`${node.level === 2 ? "    " : ""}${node.name.replaceAll("_", " ")} ${formatMetric(metrics[node.name], node.unit)} %`).join("\n");
}

// CPUs over time: a line that begins anew after each gap.
export function makeSpark() {
	const svg = makeSvg("svg", { class: "spark", preserveAspectRatio: "none", "aria-hidden": "true" });

	svg.append(makeSvg("path", {}));
	return svg;
}

export function fillSpark(svg, parts) {
	const most = Math.max(0.01, ...parts.map((part) => part?.cpus ?? 0));
	let path = "", drawing = false;

	parts.forEach((part, i) => {
		if (part)
			path += `${drawing ? "L" : "M"}${i} ${(20 - 19 * part.cpus / most).toFixed(1)}${drawing ? "" : "h.5"}`;
		drawing = Boolean(part);
	});
	if (svg.dataset.path === path)
		return;
	svg.dataset.path = path;
	svg.setAttribute("viewBox", `0 0 ${parts.length} 21`);
	svg.firstChild.setAttribute("d", path);
}

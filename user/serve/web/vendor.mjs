// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// vendor.mjs - lines of vendors' metrics of a row, of the last interval; knows nothing of the page.
import { visible } from "./figures.mjs";

// Differences of counts that are the same are a little below 0, too.
function formatValue(value, unit) {
	if (value === null || value === undefined)
		return "-";
	if (unit === "%")
		return `${(Math.abs(value) < 0.05 ? 0 : value).toFixed(1)} %`;
	return `${Number(value.toPrecision(4))}${unit ? ` ${visible(unit)}` : ""}`;
}

function depthsOf(metrics) {
	const depths = new Map();

	for (const metric of metrics)
		depths.set(metric.name, metric.parent === null ? 0 : (depths.get(metric.parent) ?? -1) + 1);
	return depths;
}

// Is it, or a part of it, counted? Parts are right behind what they are parts of.
function isShown(metrics, depths, at) {
	const is_part = (metric) => depths.get(metric.name) > depths.get(metrics[at].name);
	let end = at + 1;

	while (end < metrics.length && is_part(metrics[end]))
		end++;
	return metrics.slice(at, end).some((metric) => metric.group !== null);
}

const marks = { assumed: "*", measured: "+" };

// @return lines of the tree; none where there is none.
export function linesOf(view, row) {
	const metrics = view.vendor_metrics ?? [], depths = depthsOf(metrics), recent = row.recent?.vendor;

	return !recent ? [] : metrics.filter((_, at) => isShown(metrics, depths, at)).map((metric) => {
		const share = recent.coverage[metric.group - 1] ?? null, is_hot = recent.worth_a_look.includes(metric.name);
		const value = formatValue(recent.metrics[metric.name], metric.unit);
		const remarks = [metric.lack && `not counted: ${metric.lack}`, metric.help, metric.threshold && `threshold: ${metric.threshold}`,
			metric.sample_with && `sample with ${metric.sample_with}`,
			metric.latency === "assumed" && "* rests on a mean latency of the vendor's files, which is not measured",
			metric.latency === "measured" && "+ rests on a mean latency that is measured on this machine"];

		return {
			name: visible(metric.name), depth: depths.get(metric.name), is_hot,
			value: value !== "-" && marks[metric.latency] ? `${value} ${marks[metric.latency]}` : value,
			share: metric.group === null || share === null ? "" : `${(100 * share).toFixed(0)} %`,
			remark: visible(remarks.filter(Boolean).join("; ")),
		};
	});
}

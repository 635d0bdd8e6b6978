// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// series.mjs - plots what a tag of a neighbour was decided by, sample by sample.
import { make, makeSvg } from "./dom.mjs";
import { formatCount, stepsOf } from "./figures.mjs";

const HEIGHT = 100;

function makeSteps(values, said, format) {
	const figure = make("figure", undefined, "plot steps"), { path, least, most } = stepsOf(values, HEIGHT);
	const range = path ? `from ${format(least)} to ${format(most)}` : "not known";
	const svg = makeSvg("svg", { viewBox: `0 0 ${values.length} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `${said}: ${range}` });

	svg.append(makeSvg("path", { d: path }));
	figure.append(svg, make("figcaption", `${said}: ${range}`, "soft"));
	return figure;
}

// Of a tag that has them: two plots of the same samples, one below the other.
export function makeSeries({ series, antagonists }) {
	return [
		makeSteps(series.excess, `Excess in the last ${series.excess.length} samples: ln of its slots of this kind above what its own past expects`,
			(value) => value.toFixed(2)),
		makeSteps(series.pressure, `Pressure in the same samples: slots of this kind of ${antagonists.length ? "the first that slows it" : "all others"}`,
			formatCount),
	];
}

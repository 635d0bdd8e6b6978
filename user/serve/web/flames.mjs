// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// flames.mjs - the flame graph of a row that was unfolded, asked for once and when its button is pressed.
import { make, makeButton, makeSvg, setText } from "./dom.mjs";
import { flameGraph } from "./flame.mjs";

export function makeFlame(key, headers) {
	const flame = { element: make("div"), draw() {} };

	ask(key, flame, headers);
	return flame;
}

async function ask(key, flame, headers) {
	const note = make("p", "Asking for its stacks ...", "soft");

	flame.element.replaceChildren(note);
	try {
		const answer = await fetch(`api/v1/profile?seconds=60&key=${encodeURIComponent(key)}`, { cache: "no-store",
			signal: AbortSignal.timeout(30000), headers: headers() });

		if (!answer.ok)
			setText(note, await answer.text());
		else
			show(key, flame, headers, await answer.json());
	} catch (error) {
		console.warn(error);
		setText(note, "The server does not answer.");
	}
}

function show(key, flame, headers, data) {
	const again = makeButton("Stacks of the last minute again", undefined, () => ask(key, flame, headers));
	const svg = makeSvg("svg", { class: "flame", role: "group", "aria-label": "Flame graph" });
	let drawn = null;

	if (!data.rows.length) {
		flame.element.replaceChildren(make("p", "It did not run in the last minute.", "soft"), again);
		return;
	}
	flame.element.replaceChildren(svg, again);
	// Its width is known once it is in the page.
	flame.draw = () => {
		if (svg.isConnected && !drawn)
			drawn = flameGraph(svg, data);
	};
	flame.draw();
}

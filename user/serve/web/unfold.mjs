// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// unfold.mjs - the flame graphs below rows that were unfolded.
import { make, setText } from "./dom.mjs";
import { flameGraph } from "./flame.mjs";

const flames = new Map(); // by the key of a row

export const flameOf = (key) => flames.get(key);

export function toggleFlame(key, headers) {
	if (flames.has(key)) {
		flames.delete(key);
	} else {
		const line = make("tr", undefined, "unfolded");
		const flame = { line, drawn: null, draw() {} };

		line.append(make("td"));
		flames.set(key, flame);
		ask(key, flame, headers);
	}
}

async function ask(key, flame, headers) {
	const cell = flame.line.firstChild, note = make("p", "Asking for its stacks ...", "soft");

	cell.replaceChildren(note);
	try {
		const answer = await fetch(`api/v1/profile?seconds=60&key=${encodeURIComponent(key)}`, { cache: "no-store",
			signal: AbortSignal.timeout(30000), headers });

		if (!answer.ok)
			setText(note, await answer.text());
		else
			draw(key, flame, headers, await answer.json());
	} catch (error) {
		console.warn(error);
		setText(note, "The server does not answer.");
	}
}

function draw(key, flame, headers, data) {
	const cell = flame.line.firstChild, svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
	const again = make("button", "Again");

	if (!data.rows.length) {
		cell.replaceChildren(make("p", "It did not run in the last minute.", "soft"), again);
	} else {
		svg.setAttribute("class", "flame");
		svg.setAttribute("role", "img");
		svg.setAttribute("aria-label", "Flame graph: width is slots");
		cell.replaceChildren(svg, again);
		// Its width is known once it is in the page.
		flame.draw = () => {
			if (svg.isConnected && !flame.drawn)
				flame.drawn = flameGraph(svg, data);
		};
		flame.drawn = null;
		flame.draw();
	}
	again.type = "button";
	again.addEventListener("click", () => ask(key, flame, headers));
}

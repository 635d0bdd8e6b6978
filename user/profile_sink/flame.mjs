// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// flame.mjs - draws a flame graph into an SVG element: width is slots, colour is why they are lost.
// It is in each .svg file as well as in the page, so that it asks for nothing and needs nothing else.

const NAMESPACE = "http://www.w3.org/2000/svg";
const HEIGHT = 18, LINE = 20, CHARACTER = 7.3, WIDTH_MIN = 0.4, NARROW = 900;
// By role: docs/api.md.
const COLOURS = {retiring: [0, 158, 115], bad_speculation: [213, 94, 0], frontend_bound: [86, 180, 233],
	backend_bound: [230, 159, 0], smt_contention: [154, 143, 176]};
const GREY = [222, 226, 231];
const ADDED = [238, 98, 82], GONE = [92, 142, 244];

const share = (part, whole) => whole > 0 ? part / whole : 0;
const percent = (ratio) => (100 * ratio).toFixed(1) + "%";

function human(number) {
	const units = ["", "k", "M", "G", "T", "P"];
	let unit = 0;

	// As rounded: 999.9 thousand are a million.
	for (; (unit ? Number(number.toPrecision(3)) : number) >= 1000 && unit + 1 < units.length; unit++)
		number /= 1000;
	return (unit ? number.toPrecision(3) : String(number)) + units[unit];
}

function make(kind, attributes, parent, text) {
	const element = document.createElementNS(NAMESPACE, kind);

	for (const name in attributes)
		element.setAttribute(name, attributes[name]);
	if (text !== undefined)
		element.textContent = text;
	parent.appendChild(element);
	return element;
}

// Puts parts into lines of so many characters; what is longer is cut.
function wrap(parts, characters) {
	const lines = [];

	for (const part of parts) {
		const last = lines.length - 1;

		if (last >= 0 && lines[last].length + 2 + part.length <= characters)
			lines[last] += "  " + part;
		else
			lines.push(part.length > characters ? part.slice(0, characters - 1) + "\u2026" : part);
	}
	return lines;
}

// @data: docs/api.md. @keys: names of those that do what is returned for them, reset() and search(); hints tell them.
export function flameGraph(svg, data, keys = {}) {
	const count = data.parents.length;
	const weightAt = (name) => data.weights.findIndex((weight) => weight.name === name);
	const SLOTS = weightAt("slots"), CPU = weightAt("cpu"), SAMPLES = weightAt("samples");
	// Samples are of an event: there is nothing else.
	const EVENT = CPU < 0 ? data.weights.findIndex((weight, at) => at !== SAMPLES) : -1;
	const LEVEL1 = data.weights.map((weight, at) => at).filter((at) => data.weights[at].level === 1);
	const depths = new Int32Array(count), children = Array.from({length: count}, () => []);
	const head = make("g", {"class": "head"}, svg), frames = make("g", {"class": "frames", role: "img"}, svg);
	const state = {weight: data.weight, zoom: 0, search: "", pointed: -1, top: 0, focused: null};

	for (let node = 1; node < count; node++) {
		depths[node] = depths[data.parents[node]] + 1;
		children[data.parents[node]].push(node);
	}

	function nameOf(node) {
		if (depths[node] === 0)
			return "all";
		if (isRest(node))
			return "(too small to tell)";
		return depths[node] === 1 ? data.rows[data.frames[node]].name : data.functions[data.frames[node]];
	}
	// Frames of which each is smaller than could be seen, all together.
	const isRest = (node) => data.frames[node] < 0;
	const moduleOf = (node) => depths[node] > 1 && !isRest(node) ? data.modules[data.module_of[data.frames[node]]] : "";
	// null: its row does not tell.
	const value = (weight, node) => data.values[weight][node];
	const was = (weight, node) => data.base ? data.base[weight][node] : 0;
	const isKnown = (weight, node) => value(weight, node) !== null && was(weight, node) !== null;
	// Compared with a base, a frame is as wide as half the sum of both: what is gone has its place, too.
	const size = (weight, node) => data.base ? (value(weight, node) + was(weight, node)) / 2 : value(weight, node) || 0;
	const matches = (node) => state.search !== "" && !isRest(node) && nameOf(node).toLowerCase().includes(state.search.toLowerCase());
	const widthOf = () => Math.max(svg.clientWidth || 1200, 300);

	// The part of level 1 with most of the slots.
	function dominant(node) {
		let most = -1;

		for (const at of LEVEL1)
			if (value(at, node) > 0 && (most < 0 || value(at, node) > value(most, node)))
				most = at;
		return most;
	}
	function rootOf(weight) {
		while (data.weights[weight].parent)
			weight = weightAt(data.weights[weight].parent);
		return weight;
	}
	// What is said of rows without slots.
	function lacking() {
		let sum = 0;

		for (const row of SLOTS < 0 || !count ? [] : children[0])
			if (!isKnown(SLOTS, row))
				sum += size(CPU, row);
		return sum ? [percent(share(sum, size(CPU, 0))) + " of the CPU time has no slots,", "as they were not counted: it is grey,",
			"and has a width by cpu and samples alone."] : [];
	}
	const mixed = (strong, mix) => "rgb(" + GREY.map((grey, i) => Math.round(grey + (strong[i] - grey) * mix)) + ")";
	// Red was added, blue is gone; the larger the part of the frame, the stronger.
	function difference(node) {
		if (!isKnown(state.weight, node))
			return "rgb(" + GREY + ")";
		const change = share(value(state.weight, node) - was(state.weight, node), 2 * size(state.weight, node));

		return mixed(change > 0 ? ADDED : GONE, Math.min(1, Math.abs(change) * 1.5));
	}
	// The purer, the stronger.
	function colour(node) {
		if (data.base)
			return difference(node);
		const one = data.weights[state.weight].level > 0;
		const part = one ? state.weight : dominant(node);

		if (SLOTS < 0 || !value(SLOTS, node) || part < 0)
			return "rgb(" + GREY + ")";
		const strong = COLOURS[data.weights[rootOf(part)].role] || [150, 150, 150];
		const ratio = share(value(part, node), value(SLOTS, node));
		const mix = one ? Math.sqrt(ratio) : Math.max(0.15, Math.min(1, (ratio - 0.2) / 0.6));

		return mixed(strong, mix);
	}

	function drawFrame(node, x, width, isAbove) {
		const y = state.top + depths[node] * HEIGHT;
		const group = make("g", {"class": "frame" + (isAbove ? " above" : "") + (matches(node) ? " found" : ""),
			"data-node": node}, frames);
		const fits = Math.floor((width - 4) / CHARACTER), name = nameOf(node);

		make("rect", {x: x.toFixed(2), y, width: Math.max(width - 0.5, 0.3).toFixed(2), height: HEIGHT - 1,
			fill: colour(node)}, group);
		if (fits > 1)
			make("text", {x: (x + 2).toFixed(2), y: y + 13}, group,
				name.length > fits ? name.slice(0, fits - 1) + "\u2026" : name);
	}
	function draw() {
		const width = widthOf();
		const whole = count ? size(state.weight, state.zoom) : 0, todo = [[state.zoom, 0]];
		let deepest = depths[state.zoom] || 0;

		drawHead(width);
		frames.setAttribute("aria-label", "Frames, as wide as their " + data.weights[state.weight].name);
		frames.replaceChildren();
		for (let node = state.zoom; node; node = data.parents[node])
			drawFrame(data.parents[node], 0, width, true);
		while (whole && todo.length) {
			const [node, begin] = todo.pop(), wide = size(state.weight, node) / whole * width;
			let x = begin;

			if (wide < WIDTH_MIN)
				continue;
			drawFrame(node, begin, wide, false);
			deepest = Math.max(deepest, depths[node]);
			for (const child of children[node]) {
				todo.push([child, x]);
				x += size(state.weight, child) / whole * width;
			}
		}
		if (!whole)
			make("text", {x: 6, y: state.top + (deepest + 1) * HEIGHT - 4, "class": "soft"}, frames,
				count && !isKnown(state.weight, state.zoom)
					? "There is no count of " + data.weights[state.weight].name + " in " + nameOf(state.zoom) + ": choose cpu."
					: "No " + data.weights[state.weight].name + " in " + nameOf(state.zoom) + ".");
		svg.setAttribute("height", state.top + (deepest + 2) * HEIGHT);
	}

	// Each stack is counted once, at the outermost frame that matches. What matches in frames that are left out is not known.
	function found() {
		const todo = [state.zoom], whole = size(state.weight, state.zoom);
		let sum = 0, rest = 0;

		while (todo.length) {
			const node = todo.pop();

			if (matches(node))
				sum += size(state.weight, node);
			else if (isRest(node))
				rest += size(state.weight, node);
			else
				todo.push(...children[node]);
		}
		return rest ? "at least " + percent(share(sum, whole)) + ", " + percent(share(rest, whole)) + " is too small to tell" : percent(share(sum, whole));
	}
	const hint = (act, text) => keys[act] ? keys[act] + ": " + text : text;
	function chip(x, y, label, isChosen, help, act) {
		const width = label.length * CHARACTER + 12;
		const group = make("g", {"class": "chip" + (isChosen ? " chosen" : ""), "data-chip": label, role: "button", tabindex: 0, "aria-label": label}, head);

		make("title", {}, group, help);
		make("rect", {x, y: y - 13, width, height: 17, rx: 3}, group);
		make("text", {x: x + 6, y}, group, label);
		group.addEventListener("click", act);
		group.addEventListener("keydown", (event) => {
			if (event.key !== "Enter" && event.key !== " ")
				return;
			event.preventDefault();
			act();
		});
		if (label === state.focused)
			group.focus({preventScroll: true});
		return x + width + 5;
	}
	function drawHead(width) {
		const title = (data.simulated ? "SIMULATED  " : "") + "cgtopdown profile of " + data.seconds + " s" +
			(data.base ? ": red was added, blue is gone" : "");
		let x = 6 + title.length * 9.5 + 15, y = 18;

		// It is made anew, and has the focus again.
		state.focused = head.contains(document.activeElement) ? document.activeElement.getAttribute("data-chip") : null;
		head.replaceChildren();
		make("text", {x: 6, y: 18, "class": "title"}, head, title);
		if (x + 150 > width) {
			x = 6;
			y += LINE;
		}
		x = chip(x, y, "search", state.search !== "", hint("search", "mark functions by a part of their name"), search);
		x = chip(x, y, "reset", false, hint("reset", "all frames again"), reset);
		if (state.search !== "")
			make("text", {x, y, id: "matched"}, head, "\u201c" + state.search + "\u201d: " + found());
		x = 6;
		y += 22;
		data.weights.forEach((weight, at) => {
			if ((count && !size(at, 0)) && at !== state.weight)
				return;
			if (x + weight.name.length * CHARACTER + 20 > width) {
				x = 6;
				y += LINE;
			}
			x = chip(x, y, weight.name, at === state.weight, weight.help || "width by " + weight.name, () => show(at));
		});
		for (const line of wrap(lacking(), Math.floor((width - 12) / CHARACTER))) {
			y += LINE;
			make("text", {x: 6, y, "class": "soft lacking"}, head, line);
		}
		state.top = drawDetails(y + 19, width, state.pointed < 0 ? state.zoom : state.pointed);
	}
	function figuresOf(node) {
		const unit = state.weight, figures = [];

		figures.push(data.weights[unit].name + (isKnown(unit, node) ? " " + percent(share(value(unit, node), value(unit, 0))) + " of all" : " not counted"));
		if (data.base && isKnown(unit, node)) {
			const change = value(unit, node) - was(unit, node);

			figures.push("was " + percent(share(was(unit, node), was(unit, 0))), (change < 0 ? "-" : "+") + human(Math.abs(change)));
		}
		if (state.zoom && isKnown(unit, node))
			figures.push(percent(share(value(unit, node), value(unit, state.zoom))) + " of " + nameOf(state.zoom));
		figures.push(EVENT < 0 ? "CPU " + (value(CPU, node) / 1e9).toFixed(3) + " s"
			: human(value(EVENT, node)) + " " + data.weights[EVENT].name);
		if (SLOTS >= 0 && value(SLOTS, node) !== null)
			figures.push(human(value(SLOTS, node)) + " slots");
		figures.push(human(value(SAMPLES, node)) + " samples");
		return figures;
	}
	function partsOf(node) {
		const slots = SLOTS < 0 ? 0 : value(SLOTS, node);

		if (!slots)
			return [];
		return data.weights.map((weight, at) => weight.level && value(at, node) !== null ? weight.name + " " + percent(share(value(at, node), slots)) : "")
			.filter((text, at) => text && (data.weights[at].level === 1 || at === state.weight))
			.concat("|  shares by its own windows " + percent(share(data.values[data.weights.length][node], slots)));
	}
	// Always of one height, so that nothing moves below the pointer. Returns where the frames begin.
	function drawDetails(y, width, node) {
		const characters = Math.floor((width - 12) / CHARACTER), most = width < NARROW ? [4, 4] : [1, 1];
		const module = count ? moduleOf(node) : "";
		const texts = count ? [[nameOf(node) + (module ? "  (" + module + ")" : ""), ...figuresOf(node)], partsOf(node)] : [[], []];

		texts.forEach((parts, i) => {
			wrap(parts, characters).slice(0, most[i]).forEach((line, at) =>
				make("text", {x: 6, y: y + at * 15, "class": i ? "soft parts" : "pointed"}, head, line));
			y += most[i] * 15;
		});
		return y;
	}

	function show(weight) {
		state.weight = weight;
		draw();
	}
	function zoom(node) {
		state.zoom = node;
		draw();
	}
	function reset() {
		state.search = "";
		zoom(0);
	}
	function search() {
		const text = window.prompt("Mark functions whose names contain:", state.search);

		if (text !== null) {
			state.search = text;
			draw();
		}
	}
	const nodeOf = (event) => {
		const frame = event.target.closest ? event.target.closest(".frame") : null;

		return frame ? Number(frame.getAttribute("data-node")) : -1;
	};

	frames.addEventListener("click", (event) => {
		if (nodeOf(event) >= 0)
			zoom(nodeOf(event));
	});
	frames.addEventListener("mouseover", (event) => {
		state.pointed = nodeOf(event);
		drawHead(widthOf());
	});
	frames.addEventListener("mouseleave", () => {
		state.pointed = -1;
		drawHead(widthOf());
	});
	// The page makes another graph in its place.
	window.addEventListener("resize", function redraw() {
		if (svg.isConnected)
			draw();
		else
			window.removeEventListener("resize", redraw);
	});
	draw();
	return {draw, reset, search};
}

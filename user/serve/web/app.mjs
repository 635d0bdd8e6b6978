// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// app.mjs - asks the server for views and shows them.
import * as figures from "./figures.mjs";
import { make, setText } from "./dom.mjs";
import { flameOf, toggleFlame } from "./unfold.mjs";

const ROWS_STEP = 100;
const RETRY_MS = [1000, 2000, 5000, 10000];
const THEMES = ["auto", "light", "dark"];
const STATES = {
	absent: "absent: nothing counts slots here. CPU time is all there is.",
	never_ran: "never ran: the counters were opened, and no reading ever succeeded.",
	starved: "starved: no reading succeeded in the last interval. Someone else holds the counters.",
	multiplexed: "multiplexed: counted a part of the time; figures are scaled up.",
	implausible: "implausible: what is counted contradicts itself. Do not rely on it.",
	live: "live: everything that ran was counted.",
};

const query = new URLSearchParams(location.search);
const wanted = {
	sort: query.get("sort") ?? "cpus",
	descending: query.get("order") !== "up",
	filter: query.get("filter") ?? "",
	span: query.get("span") ?? "0",
	deep: query.get("level") === "2",
	rows: ROWS_STEP,
};
let view = null, bases = [], failures = 0, timer = 0, asking = null, paused = false;
let token = sessionStorage.getItem("token");

const byId = (id) => document.getElementById(id);
const headers = () => token ? { Authorization: `Bearer ${token}` } : {};

function firstSentence(help) {
	return help.split(/[.:]/)[0];
}

// The head ----------------------------------------------------------------------------------------

function timeOf(one) {
	return new Date(one.time).toLocaleTimeString();
}

function showState() {
	const lost = failures > 0 && view;

	document.body.classList.toggle("stale", Boolean(lost));
	byId("lost").hidden = !lost;
	if (lost)
		setText(byId("lost"), `The server does not answer. Last figures of ${timeOf(view)}; trying again.`);
	setText(byId("live"), !view ? (failures ? "No answer yet; trying again." : "Asking for the first figures ...")
		: paused ? `Paused at ${timeOf(view)}` : `Figures of ${timeOf(view)}`);
	setText(byId("pause"), paused ? "Go on" : "Pause");
}

function showNotices() {
	const texts = [];

	for (const type of view.core_types)
		if (type.pmu_state !== "live" && type.pmu_state !== "multiplexed")
			texts.push(`Counters ${type.core ? `of ${figures.visible(type.core)}s ` : ""}${STATES[type.pmu_state]} ` +
				"cgtopdown doctor on this machine says why, and what to do.");
	if (Number(view.total.residual_slots ?? 0) !== 0)
		texts.push(`The books do not balance: ${view.total.residual_slots} slots are in no account. Please report it.`);
	if (view.total.folded)
		texts.push(`${view.total.folded} containers or cgroups were more than --accounts-max allows: they are in (other).`);
	const notices = byId("notices");

	if (notices.dataset.texts !== texts.join("\n")) {
		notices.replaceChildren(...texts.map((text) => make("p", text, "notice")));
		notices.dataset.texts = texts.join("\n");
	}
}

function showFact(name, text) {
	const facts = byId("facts");
	let fact = facts.querySelector(`[data-name="${name}"]`);

	if (!fact) {
		fact = make("div");
		fact.dataset.name = name;
		fact.append(make("dt", name), make("dd"));
		facts.append(fact);
	}
	setText(fact.lastChild, text);
}

function showFacts(before) {
	const self = view.self, health = view.health;
	const window_s = Number(view.window_ns) / 1e9;
	const up_s = (Date.parse(view.time) - Date.parse(self.started)) / 1000;
	const since_s = before ? (Date.parse(view.time) - before.time_ms) / 1000 : up_s;
	const cpu_s = self.cpu_s - (before ? before.cpu_s : 0);
	const models = view.core_types.filter((type) => type.model).map((type) => figures.visible(type.model.title));
	const unattributed = view.total.unattributed_slots;

	showFact("Program", `version ${self.version}${self.started ? `\nup for ${figures.formatAge(up_s)}` : ""}`);
	showFact("Counted by", [`source ${view.source}${view.level > 0 ? `, level ${view.level}` : ""}` +
		(view.scope === "core" ? ", of whole cores" : "") +
		(view.rotation > 1 ? `, ${view.rotation} groups in rotation` : ""), ...models].join("\n"));
	showFact("Counters", view.core_types.map((type) =>
		(type.core ? `${figures.visible(type.core)}: ` : "") + STATES[type.pmu_state]).join("\n"));
	showFact("What it costs", (health.ns_per_switch === null ? "no switch timed yet"
		: `${health.ns_per_switch.toFixed(0)} ns per switch`) +
		(window_s > 0 ? `, ${figures.formatCount(health.switches / window_s)} switches/s` : "") +
		(since_s > 0.5 ? `\n${(100 * cpu_s / since_s).toFixed(2)} % of one CPU for the rest` : "") +
		`, ${figures.formatCount(self.resident_bytes)}B resident`);
	showFact("Machine", `${view.cpus} CPU${view.cpus === 1 ? "" : "s"}` +
		(view.hierarchy ? `, cgroup hierarchy ${view.hierarchy}` : "") +
		(unattributed === null ? "" : `\n${figures.formatCount(unattributed)} slots unattributed since the start`));
}

// Bars and words ----------------------------------------------------------------------------------

// A picture of the numbers beside it, so that nobody needs to be told of it.
function fillBar(bar, nodes, metrics) {
	while (bar.children.length < nodes.length)
		bar.append(make("i"));
	while (bar.children.length > nodes.length)
		bar.lastChild.remove();
	nodes.forEach((node, i) => {
		const value = metrics[node.name]?.value ?? 0;
		const part = bar.children[i];

		part.className = node.role ?? "";
		part.style.width = `${(100 * value).toFixed(1)}%`;
		part.hidden = !value;
	});
}

function makeBar() {
	const bar = make("div", undefined, "bar");

	bar.setAttribute("aria-hidden", "true");
	return bar;
}

function showAll(nodes, base) {
	const all = byId("all");
	const sums = figures.sumsOf(view, base);

	while (all.children.length < sums.length) {
		const line = make("div", undefined, "all");

		line.append(make("span"), makeBar(), make("span"));
		all.append(line);
	}
	sums.forEach((sum, i) => {
		const [head, bar, text] = all.children[i].children;
		const shares = nodes.map((node) => `${node.title} ${figures.formatMetric(sum.metrics[node.name], node.unit)}`);

		setText(head, `${sum.type.core ? `${figures.visible(sum.type.core)}: ` : ""}` +
			`${figures.formatCpus(sum.cpus)} of ${sum.type.cpus} CPUs busy`);
		bar.hidden = !sum.type.nodes.length;
		fillBar(bar, nodes, sum.metrics);
		setText(text, sum.type.nodes.length ? `${shares.join(", ")} %` : "no counters");
	});
}

// Those of the columns, and deeper ones that are somebody's bottleneck.
function showWords(nodes, shown) {
	const words = byId("words");
	const names = new Set([...nodes.filter((node) => node.level < 2 || wanted.deep).map((node) => node.name),
		...shown.map((one) => one.bottleneck)]);
	const explained = figures.allNodes(view).filter((node) => names.has(node.name));
	const key = explained.map((node) => node.name).join();

	byId("words-part").hidden = !explained.length;
	if (words.dataset.key === key)
		return;
	words.dataset.key = key;
	words.replaceChildren(...explained.flatMap((node) => {
		const head = make("dt", node.name);

		head.id = node.name;
		return [head, make("dd", node.help)];
	}));
}

function showLegend(nodes) {
	const legend = byId("legend");
	const key = nodes.map((node) => node.name).join();

	if (legend.dataset.key === key)
		return;
	legend.dataset.key = key;
	legend.replaceChildren(...nodes.map((node) => {
		const item = make("li");

		item.append(make("i", undefined, node.role ?? ""), node.name);
		item.title = node.help;
		return item;
	}), make("li", "~ counted part of the time", "soft"), make("li", "? counted too little", "soft"),
	make("li", "- not known", "soft"));
	legend.hidden = !nodes.length;
}

// Flame graphs ------------------------------------------------------------------------------------

function makeUnfold() {
	const button = make("button", "Flame graph", "unfold");

	button.type = "button";
	button.title = "Which functions lose the slots: of the last minute";
	button.addEventListener("click", () => {
		toggleFlame(button.dataset.key, headers());
		show();
	});
	return button;
}

function fillUnfold(button, row) {
	button.dataset.key = row.key;
	button.hidden = !view.profiles || row.kind === "idle";
	button.setAttribute("aria-expanded", String(Boolean(flameOf(row.key))));
}

// The table ---------------------------------------------------------------------------------------

// A column: key and head, how a cell is filled, what it explains.
function columnsOf(nodes) {
	const tree = nodes.filter((node) => node.level > 0);
	const columns = [
		{ key: "name", head: "Name", className: "who" },
		{ key: "cpus", head: "CPUs", className: "num cpus", help: "CPU seconds per second." },
	];

	if (tree.length)
		columns.push({ key: "", head: "Slots, %", className: "shares" },
			{ key: "bottleneck", head: "Bottleneck", className: "why" });
	for (const node of [...tree, ...nodes.filter((one) => one.level === 0 && one.role !== "cpi")])
		if (node.level < 2 || wanted.deep)
			columns.push({ key: node.name, head: node.title, className: "num",
				help: node.help, node });
	return columns;
}

function showHeads(columns) {
	const heads = byId("heads");
	const key = columns.map((column) => column.key).join();

	if (heads.dataset.key !== key) {
		heads.dataset.key = key;
		heads.replaceChildren(...columns.map((column) => {
			const head = make("th", undefined, column.className);

			head.scope = "col";
			head.title = column.help ?? "";
			if (column.key) {
				const button = make("button", column.head);

				button.type = "button";
				button.addEventListener("click", () => sortBy(column.key));
				head.append(button);
			} else {
				head.textContent = column.head;
			}
			return head;
		}));
		byId("rows").replaceChildren();
	}
	columns.forEach((column, i) => {
		if (column.key === wanted.sort)
			heads.children[i].setAttribute("aria-sort", wanted.descending ? "descending" : "ascending");
		else
			heads.children[i].removeAttribute("aria-sort");
	});
}

function makeRow(columns) {
	const line = make("tr");

	for (const column of columns) {
		const cell = make(column.key === "name" ? "th" : "td", undefined, column.className);

		if (column.key === "name") {
			cell.scope = "row";
			cell.append(make("bdi"), make("span", "ended", "badge"), make("small", undefined, "soft"));
			cell.lastChild.append(make("bdi"), makeUnfold());
		} else if (column.key === "bottleneck") {
			cell.append(make("a"), make("small", undefined, "soft"));
		} else if (!column.key) {
			cell.append(makeBar());
		} else {
			cell.dataset.name = column.head;
		}
		line.append(cell);
	}
	return line;
}

function fillName(cell, row) {
	const facts = [row.cgroup, row.image, row.container_id, row.runtime,
		row.owner && `${row.owner_kind} ${row.owner}`].filter(Boolean);

	setText(cell.children[0], figures.nameOf(row));
	cell.children[1].hidden = !row.ended;
	setText(cell.children[2].firstChild, figures.placeOf(row));
	cell.title = figures.visible(facts.join("  "));
	fillUnfold(cell.children[2].lastChild, row);
}

function fillBottleneck(cell, node) {
	const [link, words] = cell.children;

	link.hidden = !node;
	setText(link, node ? node.name.replaceAll("_", " ") : "");
	setText(words, node ? firstSentence(node.help) : "");
	if (node) {
		link.href = `#${node.name}`;
		link.title = node.help;
	}
}

function fillRow(line, columns, one) {
	const nodes = figures.nodesOf(view, one.row);
	// What holds up the idle loop is of no interest.
	const bottleneck = one.row.kind === "idle" ? null : nodes.find((node) => node.name === one.bottleneck) ?? null;
	const level1 = nodes.filter((node) => node.level === 1);

	line.className = one.row.ended ? "ended" : "";
	columns.forEach((column, i) => {
		const cell = line.children[i];

		if (column.key === "name") {
			fillName(cell, one.row);
		} else if (column.key === "cpus") {
			setText(cell, figures.formatCpus(one.cpus));
		} else if (column.key === "bottleneck") {
			fillBottleneck(cell, bottleneck);
		} else if (column.key === "") {
			fillBar(cell.firstChild, level1, one.metrics);
		} else {
			setText(cell, figures.formatMetric(one.metrics[column.key], column.node.unit));
			cell.classList.toggle("hot", Boolean(bottleneck) &&
				(bottleneck.name === column.key || bottleneck.parent === column.key));
		}
	});
}

function showRows(columns, shown) {
	const body = byId("rows");
	const old = new Map([...body.children].map((line) => [line.dataset.key, line]));
	let at = body.firstChild;
	const put = (key, line) => {
		old.delete(key);
		line.dataset.key = key;
		if (line === at)
			at = at.nextSibling;
		else
			body.insertBefore(line, at);
	};

	for (const one of shown) {
		const line = old.get(one.row.key) ?? makeRow(columns);
		const flame = flameOf(one.row.key);

		put(one.row.key, line);
		fillRow(line, columns, one);
		if (flame) {
			flame.line.firstChild.colSpan = columns.length;
			put(`flame ${one.row.key}`, flame.line);
			flame.draw();
		}
	}
	for (const line of old.values())
		line.remove();
}

function showTable(nodes, all) {
	const columns = columnsOf(nodes);
	const found = all.filter((one) => figures.isWanted(one.row, wanted.filter));
	const sorted = figures.sortFigures(found, wanted.sort, wanted.descending);
	const shown = sorted.slice(0, wanted.rows);
	const more = found.length - shown.length;

	byId("rows").classList.toggle("deep", wanted.deep);
	showHeads(columns);
	showRows(columns, shown);
	setText(byId("count"), found.length === all.length ? `${all.length} rows` : `${found.length} of ${all.length} rows`);
	byId("more").hidden = more <= 0;
	setText(byId("more"), `Show more (${more} hidden)`);
	return shown;
}

// Of a node that no row knows anything there is no column.
function knownNodes(all) {
	return figures.allNodes(view).filter((node) => node.level === 1 ||
		all.some((one) => (one.metrics[node.name]?.value ?? null) !== null));
}

// A window without a base yet is all there is: since the start.
function baseOf(span) {
	return span === "0" ? "recent" : span === "all" ? null : figures.findBase(bases, view, Number(span));
}

let before = null; // what the process had used at the view before

function show() {
	const base = baseOf(wanted.span);
	const all = figures.figuresOf(view, base);
	const nodes = knownNodes(all);
	const level1 = nodes.filter((node) => node.level === 1);

	document.title = (view.simulated ? "SIMULATED - " : "") + "cgtopdown" +
		(view.node ? ` on ${figures.visible(view.node)}` : "");
	setText(byId("node"), view.node ? `, on ${figures.visible(view.node)}` : "");
	byId("simulated").hidden = !view.simulated;
	byId("main").hidden = false;
	byId("deep-label").hidden = !nodes.some((node) => node.level === 2);
	showState();
	showNotices();
	showFacts(before);
	showLegend(level1);
	showAll(level1, base === "recent" ? figures.findBase(bases, view, 0) : base);
	showWords(nodes, showTable(nodes, all));
}

// Asking ------------------------------------------------------------------------------------------

function take(next) {
	if (view && !figures.isSameRun(view, next))
		bases = [];
	if (view && view.sequence !== next.sequence && figures.isSameRun(view, next)) {
		bases = figures.thinOut([...bases, figures.toBase(view)], next.time_ns);
		before = { cpu_s: view.self.cpu_s, time_ms: Date.parse(view.time) };
	}
	view = next;
	failures = 0;
	byId("login").hidden = true;
	show();
}

function askForToken() {
	byId("login").hidden = false;
	setText(byId("refused"), token ? "That one was refused." : "");
	token = null;
	sessionStorage.removeItem("token");
	setText(byId("live"), "Not allowed in yet.");
}

async function ask() {
	clearTimeout(timer);
	if (asking || paused || document.hidden)
		return;
	asking = AbortSignal.timeout(10000);
	let wait_ms = 1000;

	try {
		const answer = await fetch("api/v1/view", { cache: "no-store", signal: asking,
			headers: headers() });

		if (answer.status === 401) {
			asking = null;
			askForToken();
			return;
		}
		if (!answer.ok)
			throw new Error(`HTTP ${answer.status}`);
		take(figures.parseView(await answer.text()));
		wait_ms = Math.max(1000, Number(view.interval_ns) / 1e6);
	} catch (error) {
		console.warn(error);
		wait_ms = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)];
		showState();
	}
	asking = null;
	timer = setTimeout(ask, wait_ms);
}

// What the reader does ----------------------------------------------------------------------------

// A page that is sent to somebody shows the same.
function changed() {
	const parts = new URLSearchParams();

	if (wanted.sort !== "cpus")
		parts.set("sort", wanted.sort);
	if (!wanted.descending)
		parts.set("order", "up");
	if (wanted.filter)
		parts.set("filter", wanted.filter);
	if (wanted.span !== "0")
		parts.set("span", wanted.span);
	if (wanted.deep)
		parts.set("level", "2");
	history.replaceState(null, "", `?${parts}${location.hash}`);
	if (view)
		show();
}

function sortBy(key) {
	wanted.descending = wanted.sort === key ? !wanted.descending : key !== "name" && key !== "bottleneck";
	wanted.sort = key;
	changed();
}

function setTheme(theme) {
	document.documentElement.dataset.theme = theme;
	localStorage.setItem("theme", theme);
	setText(byId("theme"), `Theme: ${theme}`);
}

byId("filter").value = wanted.filter;
byId("span").value = wanted.span;
byId("deep").checked = wanted.deep;
byId("filter").addEventListener("input", (event) => {
	wanted.filter = event.target.value.trim();
	changed();
});
byId("span").addEventListener("change", (event) => {
	wanted.span = event.target.value;
	changed();
});
byId("deep").addEventListener("change", (event) => {
	wanted.deep = event.target.checked;
	changed();
});
byId("more").addEventListener("click", () => {
	wanted.rows += ROWS_STEP;
	changed();
});
byId("pause").addEventListener("click", () => {
	paused = !paused;
	showState();
	ask();
});
byId("theme").addEventListener("click", () => {
	setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);
});
byId("login").addEventListener("submit", (event) => {
	event.preventDefault();
	token = byId("token").value;
	sessionStorage.setItem("token", token);
	ask();
});
document.addEventListener("visibilitychange", ask);
setTheme(THEMES.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "auto");
showState();
ask();

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// app.mjs - asks the server for views, and shows them as the reader wants.
import { findBase, findBefore, isSameRun, isStill, thinOut, toBase } from "./bases.mjs";
import * as figures from "./figures.mjs";
import { byId, setText } from "./dom.mjs";
import { chooseRows, forgetSmallBottlenecks, groupFigures, IDLE_CPUS } from "./groups.mjs";
import { showAll, showFacts, showLegend, showNotices, showWords } from "./head.mjs";
import { pauseMs, showNeighbours, victimsOf } from "./neighbours.mjs";
import { showTable } from "./table.mjs";
import { addHistory, addInterval, makeTrend, TREND_S } from "./trend.mjs";
import { bindControls, fillControls, leastCpus, readAddress, ROWS_STEP, toggleOpen, wanted, writeAddress } from "./wanted.mjs";

const RETRY_MS = [1000, 2000, 5000, 10000];
const RECALLED_ROWS = 500;
const THEMES = ["auto", "light", "dark"];

const trend = makeTrend();
let view = null, bases = [], failures = 0, timer = 0, asking = null, paused = false;
let before = null; // what the process had used at the view before
let came_ms = 0, is_still = false; // when the view came first; it comes again and again
let neighbours = null, neighbours_due_ms = 0; // what is known of them, and from when on that is asked for
let token = sessionStorage.getItem("token");

const headers = () => (token ? { Authorization: `Bearer ${token}` } : {});
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const timeOf = (one) => clock.format(new Date(one.time));

// Showing -----------------------------------------------------------------------------------------

function showState() {
	const lost = !view ? "" : failures > 0 ? `The server does not answer. Last figures of ${timeOf(view)}; trying again.`
		: is_still ? `No new figures since ${timeOf(view)}: the collector stands still.` : "";

	document.body.classList.toggle("stale", lost !== "");
	byId("lost").hidden = !lost;
	setText(byId("lost"), lost);
	// Beside the time, which is not a status: a screen reader would tell it each second.
	setText(byId("state"), !view ? (failures ? "No answer yet; trying again." : "Asking for the first figures ...")
		: paused ? "Paused at" : "Figures of");
	setText(byId("when"), view ? timeOf(view) : "");
	setText(byId("pause"), paused ? "Go on" : "Pause");
}

function showMachine() {
	document.title = (view.simulated ? "SIMULATED - " : "") + "cgtopdown" +
		(view.node ? ` on ${figures.visible(view.node)}` : "");
	setText(byId("node"), view.node ? `, on ${figures.visible(view.node)}` : "");
	byId("simulated").hidden = !view.simulated;
	byId("main").hidden = false;
	showState();
	showNotices(view);
	showFacts(view, before);
}

// Of a node that no row knows anything there is no column.
function knownNodes(all) {
	return figures.allNodes(view).filter((node) => node.level === 1 ||
		all.some((one) => (one.metrics[node.name]?.value ?? null) !== null));
}

function showCounts(all, found, idle, hidden) {
	setText(byId("count"), found.length === all.length ? `${all.length} rows` : `${found.length} of ${all.length} rows`);
	byId("more").hidden = hidden <= 0;
	setText(byId("more"), `Show more (${hidden} hidden)`);
	byId("idle").hidden = !idle;
	setText(byId("idle"), `${wanted.idle === "folded" ? "Show" : "Fold"} ${idle} idle row${idle === 1 ? "" : "s"} ` +
		`(less than ${IDLE_CPUS} CPUs)`);
}

function showRows(all, nodes, base) {
	const found = all.filter((one) => figures.isWanted(one.row, wanted.filter));
	const grouped = wanted.group === "none" ? found : groupFigures(view, found, base, wanted.group);

	forgetSmallBottlenecks(found, leastCpus());
	forgetSmallBottlenecks(grouped, leastCpus());
	const { rows, idle } = chooseRows(grouped, wanted);
	const shown = rows.slice(0, wanted.rows);

	showTable(nodes, shown, { view, trend, wanted, headers, victims: victimsOf(neighbours), sort: sortBy, toggle });
	showCounts(all, found, idle, rows.length - shown.length);
	return shown;
}

// A window without a base yet is all there is: since the start.
function baseOf(span) {
	return span === "0" ? "recent" : span === "all" ? null : findBase(bases, view, Number(span));
}

function show() {
	const base = baseOf(wanted.span), totals_base = base === "recent" ? findBefore(bases, view) ?? "recent" : base;
	const all = figures.figuresOf(view, base, totals_base);
	const nodes = knownNodes(all);

	byId("level-label").hidden = !nodes.some((node) => node.level === 2);
	showMachine();
	showLegend(nodes.filter((node) => node.level === 1));
	showAll(view, nodes, totals_base);
	showNeighbours(neighbours, { wanted, toggle });
	const shown = showRows(all, nodes, totals_base);

	showWords(view, new Set([...nodes.filter((node) => node.level <= Number(wanted.level)).map((node) => node.name),
		...shown.map((one) => one.bottleneck)]));
}

// Asking ------------------------------------------------------------------------------------------

// All that a refresh does with what the server has answered.
export function take(text) {
	const next = JSON.parse(text);

	if (!view || view.sequence !== next.sequence || !isSameRun(view, next))
		came_ms = Date.now();
	is_still = isStill(next, Date.now() - came_ms);
	if (view && !isSameRun(view, next)) {
		bases = [];
		before = null;
		neighbours = null;
		neighbours_due_ms = 0;
	}
	if (view && view.sequence !== next.sequence && isSameRun(view, next)) {
		bases = thinOut([...bases, toBase(view)], next.elapsed_ns);
		before = { cpu_s: view.self.cpu_s, time_ms: Date.parse(view.time) };
	}
	view = next;
	failures = 0;
	const newest = trend.newest;

	addInterval(trend, view);
	if (view.history && trend.newest > newest + 1)
		recall();
	byId("login").hidden = true;
	show();
}

function askForToken() {
	byId("login").hidden = false;
	setText(byId("refused"), token ? "That one was refused." : "");
	token = null;
	sessionStorage.removeItem("token");
	setText(byId("state"), "Not allowed in yet.");
	setText(byId("when"), "");
}

// What was not seen, as the page was not open then, or in the background: sparklines go without where there is no answer.
async function recall() {
	try {
		const answer = await fetch(`api/v1/history?since=${TREND_S}s&step=${Math.ceil(trend.part_s)}&rows=${RECALLED_ROWS}`,
			{ cache: "no-store", headers: headers() });

		if (!answer.ok)
			throw new Error(`HTTP ${answer.status}`);
		addHistory(trend, await answer.json());
	} catch (error) {
		trend.is_recalled = false;
		console.warn(error);
	}
	show();
}

async function askNeighbours(signal) {
	if (Date.now() < neighbours_due_ms)
		return;
	neighbours_due_ms = Date.now() + pauseMs(null);
	const answer = await fetch("api/v1/neighbours", { cache: "no-store", signal, headers: headers() });

	if (!answer.ok)
		throw new Error(`HTTP ${answer.status}`);
	neighbours = await answer.json();
	neighbours_due_ms = Date.now() + pauseMs(neighbours);
	show();
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
		take(await answer.text());
		wait_ms = Math.max(1000, view.interval_ns / 1e6);
		// The page goes on without tags, if they cannot be had.
		await askNeighbours(asking).catch((error) => console.warn(error));
	} catch (error) {
		console.warn(error);
		wait_ms = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)];
		showState();
	}
	asking = null;
	timer = setTimeout(ask, wait_ms);
}

// What the reader does ----------------------------------------------------------------------------

function changed() {
	writeAddress();
	if (view)
		show();
}

function sortBy(key) {
	const down = wanted.sort === key ? wanted.order !== "down" : key !== "name" && key !== "bottleneck";

	wanted.order = down ? "down" : "up";
	wanted.sort = key;
	changed();
}

function toggle(key) {
	toggleOpen(key);
	changed();
}

function setTheme(theme) {
	document.documentElement.dataset.theme = theme;
	localStorage.setItem("theme", theme);
	setText(byId("theme"), `Theme: ${theme}`);
}

function followAddress() {
	readAddress();
	fillControls(byId("tools"));
	if (view)
		show();
}

bindControls(byId("tools"), changed);
window.addEventListener("hashchange", followAddress);
byId("more").addEventListener("click", () => {
	wanted.rows += ROWS_STEP;
	changed();
});
byId("idle").addEventListener("click", () => {
	wanted.idle = wanted.idle === "folded" ? "shown" : "folded";
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
followAddress();
showState();
ask();

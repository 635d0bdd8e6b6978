// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// head.mjs - what is said of the whole machine: notices, sums of each core type, facts, and what words mean.
import * as figures from "./figures.mjs";
import { fillBar, makeBar } from "./bar.mjs";
import { byId, make, setText } from "./dom.mjs";

const STATES = {
	absent: "absent: nothing counts slots here. CPU time is all there is.",
	never_ran: "never ran: the counters were opened, and no reading ever succeeded.",
	starved: "starved: no reading succeeded in the last interval. Someone else holds the counters.",
	implausible: "implausible: what is counted contradicts itself. Do not rely on it.",
};

export function showNotices(view) {
	const texts = [];

	for (const type of view.core_types)
		if (STATES[type.pmu_state])
			texts.push(`Counters ${type.core ? `of ${figures.visible(type.core)}s ` : ""}${STATES[type.pmu_state]} ` +
				"cgtopdown doctor on this machine says why, and what to do.");
	if (view.total.residual_slots)
		texts.push(`The sums do not balance: ${view.total.residual_slots} slots are in no account. Please report it.`);
	if (view.total.folded)
		texts.push(`${view.total.folded} containers or cgroups were more than --accounts-max allows: they are in (other).`);
	if (view.budget?.exceeded)
		texts.push("The measurement takes more than --budget allows, and nothing is left that it could give up.");
	const notices = byId("notices");

	if (notices.dataset.texts !== texts.join("\n")) {
		notices.replaceChildren(...texts.map((text) => make("p", text, "notice")));
		notices.dataset.texts = texts.join("\n");
	}
}

function costOf(view, before) {
	const self = view.self, health = view.health, window_s = view.window_ns / 1e9;
	const begun_ms = before ? before.time_ms : Date.parse(self.started);
	const since_s = (Date.parse(view.time) - begun_ms) / 1000;
	const cpu_s = self.cpu_s - (before ? before.cpu_s : 0);

	return [health.ns_per_switch === null ? null : `${health.ns_per_switch.toFixed(0)} ns per switch`,
		window_s > 0 ? `${figures.formatCount(health.switches / window_s)} switches/s` : null,
		since_s > 0.5 ? `${(100 * cpu_s / since_s).toFixed(2)} % of one CPU for the rest` : null,
		`${figures.formatCount(self.resident_bytes)}B resident`].filter(Boolean).join(", ");
}

// Of small parts; null: not known yet.
function percent(ratio) {
	return ratio === null ? "-" : `${Number((100 * ratio).toPrecision(2))} %`;
}

// One line. `before`: what the process had used at the view before.
export function showFacts(view, before) {
	const type_facts = view.core_types.map((type) => [type.core, type.model?.title, `counters ${type.pmu_state.replaceAll("_", " ")}`]
		.filter(Boolean).map(figures.visible).join(", "));
	const up_s = (Date.parse(view.time) - Date.parse(view.self.started)) / 1000;
	const unattributed = figures.unattributedShare(view.total);
	const budget = view.budget && `budget ${percent(view.budget.cost)} of ${percent(view.budget.limit)} of all CPU time` +
		(view.budget.given_up.length ? `, given up: ${view.budget.given_up.join(", ").replaceAll("_", " ")}` : "") +
		(view.budget.exceeded ? ", exceeded" : "");
	const facts = [`${view.cpus} CPU${view.cpus === 1 ? "" : "s"}`, ...type_facts,
		`source ${view.source}${view.level > 0 ? `, level ${view.level}` : ""}${view.scope === "core" ? ", of whole cores" : ""}` +
			(view.rotation > 1 ? `, ${view.rotation} groups in rotation` : ""),
		unattributed === null ? null : `${figures.formatPercent(unattributed)} of slots not attributed since the start`,
		costOf(view, before), budget,
		`version ${view.self.version}${view.self.started ? `, up for ${figures.formatAge(up_s)}` : ""}`];

	setText(byId("facts"), facts.filter(Boolean).join(" \u00b7 "));
}

export function showAll(view, nodes, base) {
	const all = byId("all"), sums = figures.sumsOf(view, base);
	const level1 = nodes.filter((node) => node.level === 1);

	while (all.children.length < sums.length) {
		const line = make("div", undefined, "all");

		line.append(make("span"), makeBar(), make("span"));
		all.append(line);
	}
	// A server that began anew may know fewer core types.
	while (all.children.length > sums.length)
		all.lastChild.remove();
	sums.forEach((sum, i) => {
		const [head, bar, text] = all.children[i].children;
		const shares = level1.map((node) => `${node.title} ${figures.formatMetric(sum.metrics[node.name], node.unit)}`);

		setText(head, `${sum.type.core ? `${figures.visible(sum.type.core)}: ` : ""}` +
			`${figures.formatCpus(sum.cpus)} of ${sum.type.cpus} CPUs busy`);
		bar.hidden = !sum.type.nodes.length;
		fillBar(bar, nodes, sum.metrics);
		setText(text, sum.type.nodes.length ? `${shares.join(", ")} %` : "no counters");
	});
}

export function showLegend(nodes) {
	const legend = byId("legend"), key = nodes.map((node) => node.name).join();

	if (legend.dataset.key === key)
		return;
	legend.dataset.key = key;
	legend.replaceChildren(...nodes.map((node) => {
		const item = make("li");

		item.append(make("i", undefined, node.role ?? ""), node.name.replaceAll("_", " "));
		item.title = node.help;
		return item;
	}), make("li", "~ counted part of the time", "soft"), make("li", "? counted too little", "soft"),
	make("li", "- not known", "soft"));
	legend.hidden = !nodes.length;
}

// Those of the columns, and deeper ones that hold a row up.
export function showWords(view, names) {
	const words = byId("words");
	const explained = figures.allNodes(view).filter((node) => names.has(node.name));
	const key = explained.map((node) => node.name).join();

	byId("words-part").hidden = !explained.length;
	if (words.dataset.key === key)
		return;
	words.dataset.key = key;
	words.replaceChildren(...explained.flatMap((node) =>
		[make("dt", node.name.replaceAll("_", " ")), make("dd", node.help)]));
}

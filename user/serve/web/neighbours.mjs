// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// neighbours.mjs - containers that others slow down: by which, since when, and the numbers that say so.
import * as figures from "./figures.mjs";
import { byId, keepFocus, make, makeButton, setText } from "./dom.mjs";
import { makeSeries } from "./series.mjs";

const INSTEAD = { machine: "many others", input: "none: its own work changed", self: "itself" };
const WHAT_IS_SHARED = { cache: "the last cache", node: "the memory node", machine: "the machine" };
const HEADS = ["Victim", "Mechanism", "Slowed by", "Loss, CPUs", "Confidence", "Since"];
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const clock_of_day = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "medium" });

const mechanismOf = (tag) => tag.mechanism.replaceAll("_", " ");
const keyOf = (tag) => `tag ${tag.mechanism} ${tag.victim.key}`;

// As rows are called.
function callOf(names) {
	if (!names.container && !names.cgroup)
		return { name: figures.visible(names.pod ?? names.key), place: "" };
	const row = { kind: names.container ? "container" : "cgroup", ...names };

	return { name: figures.nameOf(row), place: figures.placeOf(row) };
}

function sinceOf(tag) {
	const since = new Date(tag.since), age_s = (Date.parse(tag.time) - since.getTime()) / 1000;

	return `${(age_s < 43200 ? clock : clock_of_day).format(since)}, for ${figures.formatAge(age_s)}`;
}

function makeNamed(tag_name, names, className, before) {
	const cell = make(tag_name, undefined, className), { name, place } = callOf(names), small = make("small", undefined, "soft");

	small.append(make("bdi", place));
	cell.append(before ?? make("bdi", name), small);
	return cell;
}

function makeVictim(tag, context) {
	const key = keyOf(tag), button = makeButton(undefined, "unfold", () => context.toggle(key));
	const cell = makeNamed("th", tag.victim, "who", button);

	button.append(make("bdi", callOf(tag.victim).name));
	button.setAttribute("aria-expanded", String(context.wanted.open.has(key)));
	cell.scope = "row";
	return cell;
}

function makeAntagonists(tag) {
	const is_above = tag.limit_cgroup && tag.limit_cgroup !== tag.victim.cgroup;
	const cell = make("td", tag.antagonists.length ? undefined : is_above ? "a limit above it" : INSTEAD[tag.blame] ?? "-", "others");

	for (const one of tag.antagonists) {
		const line = make("div"), share = make("span", `${Math.round(100 * one.share)} %`, "num share");

		line.append(share, makeNamed("span", one));
		cell.append(line);
	}
	return cell;
}

function makeTag(tag, context) {
	const line = make("tr", undefined, tag.blame === "neighbour" ? "" : "own");

	line.append(makeVictim(tag, context), make("td", mechanismOf(tag)), makeAntagonists(tag), make("td", tag.loss_cpus === null ? "-" : tag.loss_cpus.toFixed(2), "num"),
		make("td", `${Math.round(100 * tag.confidence)} %`, "num"), make("td", sinceOf(tag)));
	HEADS.slice(1).forEach((head, i) => {
		line.children[i + 1].dataset.name = head;
	});
	return line;
}

function makeEvidence(tag) {
	const line = make("tr", undefined, "unfolded"), cell = make("td"), list = make("dl", undefined, "figures");
	const slots = tag.loss_slots === undefined ? [] : [["slots lost in its window", figures.formatCount(tag.loss_slots)]];

	const shared = tag.shared ? [["shared", WHAT_IS_SHARED[tag.shared] ?? tag.shared]] : [];
	const limit = tag.limit_cgroup ? [["limit of", figures.visible(tag.limit_cgroup)]] : [];

	cell.colSpan = HEADS.length;
	for (const [name, value] of [...shared, ...limit, ...slots, ...Object.entries(tag.evidence).map(([name, value]) => [name.replaceAll("_", " "), value === null ? "-" : String(Number(value.toPrecision(4)))])]) {
		const item = make("div");

		item.append(make("dt", name), make("dd", value));
		list.append(item);
	}
	cell.append(...(tag.series ? makeSeries(tag) : []), list);
	line.append(cell);
	return line;
}

function stateOf(answer) {
	if (!answer.tags)
		return `The first sample of ${answer.sample_period_s} s is not over.`;
	const learning = answer.learning ? `, ${answer.learning} of them learning what is usual` : "";
	const caches = answer.caches > answer.nodes ? `; ${answer.caches} last caches` : "";
	const nodes = answer.nodes > 1 ? `; ${answer.nodes} memory nodes` : "";

	return `${answer.tags.length ? "" : "No container is slowed down. "}${answer.containers} container${answer.containers === 1 ? "" : "s"} ` +
		`followed${learning}; samples of ${answer.sample_period_s} s${caches}${nodes}.`;
}

// How long after an answer the next one is worth asking for: tags change once a sample, and what says of no sample period has no
// detector, as long as it runs. null: there was no answer, or not yet.
export function pauseMs(answer) {
	if (!answer)
		return 60000;
	return answer.sample_period_s ? 500 * answer.sample_period_s : Infinity;
}

// Of each row that is slowed down, by what. One whose own work changed is not.
export function victimsOf(answer) {
	const victims = new Map();

	for (const tag of (answer?.tags ?? []).filter((one) => one.blame !== "input"))
		victims.set(tag.victim.key, [...(victims.get(tag.victim.key) ?? []), mechanismOf(tag)]);
	return victims;
}

// `answer`: of api/v1/neighbours; without a sample period nothing judges.
export function showNeighbours(answer, context) {
	const part = byId("neighbours"), body = byId("tags"), tags = answer?.tags ?? [];
	const open = tags.filter((tag) => context.wanted.open.has(keyOf(tag))).map(keyOf).join();

	part.hidden = !answer?.sample_period_s;
	if (part.hidden)
		return;
	setText(byId("neighbours-state"), stateOf(answer));
	byId("tags-table").hidden = !tags.length;
	if (body.shown === answer && body.dataset.open === open)
		return;
	body.shown = answer;
	body.dataset.open = open;
	keepFocus(body, () => body.replaceChildren(...tags.flatMap((tag) => (context.wanted.open.has(keyOf(tag))
		? [makeTag(tag, context), makeEvidence(tag)] : [makeTag(tag, context)]))));
}

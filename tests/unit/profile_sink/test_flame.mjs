// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// test_flame.mjs - what the script of an .svg file draws, and what clicks and keys make of it; tests/check/page runs it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { makeFlame, NODE } from "../../tools/made_up_flame.mjs";
import { runTests } from "../../tools/run_tests.mjs";
import { makePage } from "../../tools/small_dom.mjs";

// As svg.c and the Makefile put the file together.
const GRAPH = readFileSync("user/profile_sink/flame.mjs", "utf8").replace(/^export /m, "");
const SCRIPT = readFileSync("user/profile_sink/flame.svg", "utf8").match(/<!\[CDATA\[([^]*)\]\]>/)[1].replace("@@SCRIPT@@", () => GRAPH);
// As the page for people calls it, which has other uses for keys.
const PAGE_SCRIPT = `${GRAPH}; flameGraph(document.documentElement, @@DATA@@);`;
// Slots are pixels: 1000 million of them, and as many wide.
const WIDTH = 1000;

class Graph {
	constructor(data = makeFlame(), width = WIDTH, script = SCRIPT) {
		Object.assign(this, makePage(width));
		this.svg = this.document.documentElement;
		this.svg.appendChild(this.document.createElementNS("", "g")).setAttribute("id", "static");
		new Function("document", "window", script.replace("@@DATA@@", () => JSON.stringify(data)))(this.document, this.window);
	}

	get frames() {
		return this.svg.all((one) => one.isOf("frame"));
	}

	frame(node) {
		return this.frames.find((one) => one.getAttribute("data-node") === String(node));
	}

	rect(node) {
		const { x, width, y, fill } = this.frame(node).children[0].attributes;

		return { x: Number(x), width: Number(width), y: Number(y), fill };
	}

	// Each is half a pixel narrower than its part, so that neighbours are told apart.
	place(node) {
		const { x, width } = this.rect(node);

		return [x, width + 0.5];
	}

	label(node) {
		return this.frame(node).children[1]?.textContent;
	}

	colour(node) {
		return this.rect(node).fill.match(/\d+/g).map(Number);
	}

	chip(name) {
		return this.svg.all((one) => one.getAttribute("data-chip") === name)[0];
	}

	text(name) {
		return this.svg.all((one) => one.isOf(name) || one.getAttribute("id") === name)[0]?.textContent;
	}

	search(text) {
		this.window.prompt = () => text;
		return this.window.happen("keydown", { key: "f", ctrlKey: true });
	}

	get drawn() {
		return this.frames.map((one) => Number(one.getAttribute("data-node"))).toSorted((a, b) => a - b);
	}

	get found() {
		return this.frames.filter((one) => one.isOf("found")).map((one) => Number(one.getAttribute("data-node"))).toSorted();
	}
}

const tests = {
	frames_are_as_wide_as_their_slots_and_within_their_callers() {
		const graph = new Graph();

		assert.deepEqual(graph.drawn, [0, 1, 2, 3, 4, 5, 6, 7]);
		assert.deepEqual([NODE.all, NODE.web, NODE.walk, NODE.inner, NODE.hash, NODE.batch].map((node) => graph.place(node)),
			[[0, 1000], [0, 800], [0, 500], [0, 100], [500, 200], [800, 200]]);
		assert.ok(graph.rect(NODE.walk).y > graph.rect(NODE.web).y);
		assert.deepEqual([NODE.all, NODE.batch, NODE.hash].map((node) => graph.label(node)), ["all", "batch/sort", "hash"]);
		assert.equal(graph.text("static"), undefined);
		assert.match(graph.text("title"), /^SIMULATED {2}cgtopdown profile of 60 s$/);
		assert.ok(Number(graph.svg.getAttribute("height")) > graph.rect(NODE.inner).y);
	},
	a_click_on_a_frame_makes_it_as_wide_as_all_and_escape_takes_it_back() {
		const graph = new Graph();

		graph.frame(NODE.hash).children[1].happen("click");
		assert.deepEqual(graph.place(NODE.hash), [0, 1000]);
		assert.deepEqual(graph.drawn, [0, 1, 2, 5]);
		assert.deepEqual(graph.frames.filter((one) => one.isOf("above")).length, 3);
		assert.match(graph.text("pointed"), /^hash {2}\(\/usr\/lib\/libhash\.so\) {2}slots 20\.0% of all {2}100\.0% of hash/);
		graph.frame(NODE.web).happen("click");
		assert.deepEqual(graph.place(NODE.hash), [625, 250]);
		graph.window.happen("keydown", { key: "Escape" });
		assert.deepEqual(graph.place(NODE.hash), [500, 200]);
		graph.frame(NODE.walk).happen("click");
		graph.chip("reset").happen("click");
		assert.deepEqual(graph.drawn, [0, 1, 2, 3, 4, 5, 6, 7]);
	},
	a_search_marks_functions_and_says_their_part_each_stack_once() {
		const graph = new Graph();

		assert.equal(graph.search("WALK").prevented, true);
		assert.deepEqual(graph.found, [NODE.walk, NODE.inner]);
		// 50, not 60: one of them is within the other.
		assert.equal(graph.text("matched"), "\u201cWALK\u201d: 50.0%");
		graph.frame(NODE.web).happen("click");
		assert.equal(graph.text("matched"), "\u201cWALK\u201d: 62.5%");
		graph.search(null);
		assert.equal(graph.text("matched"), "\u201cWALK\u201d: 62.5%");
		graph.search("nobody");
		assert.deepEqual([graph.found, graph.text("matched")], [[], "\u201cnobody\u201d: 0.0%"]);
		graph.window.happen("keydown", { key: "Escape" });
		assert.equal(graph.text("matched"), undefined);
		graph.window.prompt = () => "hash";
		graph.chip("search").happen("click");
		assert.deepEqual([graph.found, graph.text("matched")], [[NODE.hash], "\u201chash\u201d: 20.0%"]);
	},
	chips_are_pressed_by_keys_and_keep_the_focus() {
		const graph = new Graph(), focused = () => graph.document.activeElement?.getAttribute("data-chip");

		assert.deepEqual(["role", "tabindex", "aria-label"].map((name) => graph.chip("memory_bound").getAttribute(name)), ["button", "0", "memory_bound"]);
		graph.chip("memory_bound").focus();
		assert.equal(graph.chip("memory_bound").happen("keydown", { key: "Enter" }).prevented, true);
		assert.deepEqual([graph.place(NODE.walk), focused()], [[0, 880], "memory_bound"]);
		// Which draws the head anew, too.
		graph.frame(NODE.walk).happen("mouseover");
		assert.equal(focused(), "memory_bound");
		graph.frame(NODE.hash).happen("click");
		graph.chip("reset").focus();
		graph.chip("reset").happen("keydown", { key: " " });
		assert.deepEqual([graph.drawn.length, focused()], [8, "reset"]);
		assert.equal(graph.chip("reset").happen("keydown", { key: "Tab" }).prevented, false);
		// What is drawn is one picture for who cannot see it, and the chips are beside it.
		const [frames] = graph.svg.all((one) => one.isOf("frames"));

		assert.deepEqual(["role", "aria-label"].map((name) => frames.getAttribute(name)), ["img", "Frames, as wide as their memory_bound"]);
		assert.ok(!frames.contains(graph.chip("reset")));
	},
	hints_name_keys_where_there_are_such() {
		const hints = (graph) => ["search", "reset"].map((name) => graph.chip(name).children[0].textContent);

		assert.deepEqual(hints(new Graph()), ["Ctrl-F: mark functions by a part of their name", "Escape: all frames again"]);
		assert.deepEqual(hints(new Graph(makeFlame(), WIDTH, PAGE_SCRIPT)), ["mark functions by a part of their name", "all frames again"]);
	},
	another_weight_is_another_width_and_what_nothing_has_is_no_choice() {
		const graph = new Graph();

		assert.equal(graph.chip("bad_speculation"), undefined);
		assert.ok(graph.chip("slots").isOf("chosen"));
		graph.chip("memory_bound").happen("click");
		assert.ok(graph.chip("memory_bound").isOf("chosen") && !graph.chip("slots").isOf("chosen"));
		assert.deepEqual([NODE.walk, NODE.hash, NODE.batch].map((node) => graph.place(node)), [[0, 880], [880, 40], [960, 40]]);
		graph.search("walk");
		assert.equal(graph.text("matched"), "\u201cwalk\u201d: 88.0%");
		graph.chip("reset").happen("click");
		assert.deepEqual(graph.place(NODE.walk), [0, 880]);
	},
	a_colour_is_the_part_with_most_slots_and_the_stronger_the_purer() {
		const graph = new Graph(), [red, green, blue] = graph.colour(NODE.walk);

		// Of the back end: orange. All of the inner one's slots are, so that it is as strong as can be.
		assert.ok(red > green && green > blue, String([red, green, blue]));
		assert.deepEqual(graph.colour(NODE.inner), [230, 159, 0]);
		const [hashRed, hashGreen] = graph.colour(NODE.hash);

		assert.ok(hashGreen > hashRed, "most of its slots retire: green");
		graph.chip("memory_bound").happen("click");
		assert.deepEqual(graph.colour(NODE.inner), [230, 159, 0]);
		assert.ok(graph.colour(NODE.hash)[2] > graph.colour(NODE.walk)[2], "a tenth of its slots is paler than nine");
		graph.chip("cpu").happen("click");
		assert.deepEqual(graph.colour(NODE.inner), [230, 159, 0]);
	},
	a_colour_is_of_a_role_whatever_a_model_calls_it() {
		const data = makeFlame();

		for (const weight of data.weights) {
			weight.name = weight.name.replace("backend_bound", "back_end");
			weight.parent = weight.parent && "back_end";
		}
		const graph = new Graph(data);

		assert.deepEqual(graph.colour(NODE.inner), [230, 159, 0]);
		graph.chip("memory_bound").happen("click");
		assert.deepEqual(graph.colour(NODE.inner), [230, 159, 0]);
	},
	the_frame_below_the_pointer_is_told_with_its_parts() {
		const graph = new Graph();

		assert.match(graph.text("pointed"), /^all {2}slots 100\.0% of all {2}CPU 1\.000 s {2}1\.00G slots {2}100 samples$/);
		graph.frame(NODE.walk).children[0].happen("mouseover");
		assert.match(graph.text("pointed"), /^walk {2}\(\/usr\/bin\/program\) {2}slots 50\.0% of all {2}CPU 0\.500 s {2}500M slots {2}50 samples$/);
		assert.match(graph.text("parts"), /^retiring 8\.0% {2}bad_speculation 0\.0% {2}frontend_bound 0\.0% {2}backend_bound 92\.0% {2}\| {2}shares by its own windows 50\.0%$/);
		graph.frame(NODE.walk).parent.happen("mouseleave");
		assert.match(graph.text("pointed"), /^all /);
	},
	compared_with_a_base_red_was_added_and_blue_is_gone() {
		const graph = new Graph(makeFlame({ compared: true }));
		const [red, , blue] = graph.colour(NODE.walk), [goneRed, , goneBlue] = graph.colour(NODE.hash);

		// As wide as half the sum of both.
		assert.deepEqual([graph.place(NODE.walk), graph.place(NODE.hash)], [[0, 400], [400, 300]]);
		assert.ok(red > blue && goneBlue > goneRed);
		assert.match(graph.text("title"), /: red was added, blue is gone$/);
		graph.frame(NODE.hash).happen("mouseover");
		assert.match(graph.text("pointed"), /slots 20\.0% of all {2}was 40\.0% {2}-200M/);
	},
	a_row_whose_slots_were_not_counted_has_time_and_no_share_or_colour() {
		const graph = new Graph(makeFlame({ uncounted: "batch" })), grey = [222, 226, 231];
		const lacking = () => graph.svg.all((one) => one.isOf("lacking")).map((one) => one.textContent).join(" ");

		// The others have all of the slots' width.
		assert.deepEqual([NODE.all, NODE.web, NODE.walk].map((node) => graph.place(node)), [[0, 1000], [0, 1000], [0, 625]]);
		assert.equal(graph.frame(NODE.batch), undefined);
		assert.match(lacking(), /^20\.0% of the CPU time has no slots, .* not counted/);
		graph.chip("cpu").happen("click");
		assert.deepEqual(graph.place(NODE.batch), [800, 200]);
		assert.deepEqual([graph.colour(NODE.batch), graph.colour(NODE.inner)], [grey, [230, 159, 0]]);
		assert.match(lacking(), /^20\.0%/);
		graph.frame(NODE.batch).happen("mouseover");
		assert.match(graph.text("pointed"), /cpu 20\.0% of all {2}CPU 0\.200 s {2}20 samples$/);
		assert.equal(graph.text("parts"), undefined);
		graph.frame(NODE.batch).happen("click");
		graph.chip("slots").happen("click");
		assert.match(graph.text("pointed"), /^batch\/sort {2}slots not counted {2}CPU 0\.200 s {2}20 samples$/);
		assert.ok(graph.svg.all((one) => one.textContent === "There is no count of slots in batch/sort: choose cpu.").length);
		assert.equal(new Graph().text("lacking"), undefined);
	},
	where_no_slots_were_counted_it_is_as_wide_as_time_and_offers_no_slots() {
		const graph = new Graph(makeFlame({ uncounted: "all" }));

		assert.deepEqual([NODE.all, NODE.walk, NODE.batch].map((node) => graph.place(node)), [[0, 1000], [0, 500], [800, 200]]);
		assert.equal(graph.chip("slots"), undefined);
		assert.equal(graph.chip("memory_bound"), undefined);
		assert.match(graph.text("lacking"), /^100\.0% of the CPU time has no slots,/);
		assert.match(graph.text("pointed"), /^all {2}cpu 100\.0% of all {2}CPU 1\.000 s {2}100 samples$/);
	},
	compared_with_a_base_whose_row_was_not_counted_nothing_is_told_of_its_change() {
		const data = makeFlame({ compared: true });

		for (const figures of data.base.slice(2))
			figures.fill(null, NODE.batch);
		const graph = new Graph(data);

		assert.deepEqual(graph.colour(NODE.batch), [222, 226, 231]);
		assert.ok(graph.colour(NODE.walk)[0] > graph.colour(NODE.walk)[2]);
		graph.frame(NODE.batch).happen("mouseover");
		assert.match(graph.text("pointed"), /^batch\/sort {2}slots not counted {2}CPU 0\.200 s {2}200M slots {2}20 samples$/);
	},
	what_is_narrower_than_can_be_seen_is_left_out_and_long_names_are_cut() {
		const data = makeFlame(), slots = data.values[2];

		slots[NODE.hash] = 300000;
		data.functions[1] = "walk_through_all_of_it_and_back_again_until_there_is_nothing_left_of_it";
		const graph = new Graph(data);

		assert.ok(!graph.drawn.includes(NODE.hash) && graph.drawn.includes(NODE.inner));
		assert.match(graph.label(NODE.inner), /^walk_through\u2026$/);
		data.functions[1] = "<b>&amp;";
		assert.equal(new Graph(data).label(NODE.walk), "<b>&amp;");
	},
	it_is_drawn_anew_in_another_width() {
		const graph = new Graph();

		graph.svg.clientWidth = 500;
		graph.window.happen("resize");
		assert.deepEqual(graph.place(NODE.hash), [250, 100]);
	},
	of_an_event_there_is_how_often_it_came() {
		const data = makeFlame();

		data.weights = [data.weights[0], { ...data.weights[1], name: "page-faults", unit: "count", level: 0 }];
		data.values = [data.values[0], data.values[1], data.values.at(-1)];
		data.weight = 1;
		const graph = new Graph(data);

		assert.match(graph.text("pointed"), /^all {2}page-faults 100\.0% of all {2}1\.00G page-faults {2}100 samples$/);
		assert.deepEqual(graph.place(NODE.hash), [500, 200]);
		assert.ok(graph.chip("page-faults") && graph.chip("samples") && !graph.chip("cpu"));
	},
	a_graph_that_is_gone_is_not_drawn_again() {
		const graph = new Graph();

		assert.equal(graph.window.listeners.resize.length, 1);
		graph.svg.isRoot = false;
		graph.window.happen("resize");
		assert.equal(graph.window.listeners.resize.length, 0);
	},
	what_is_too_small_to_be_a_frame_is_one_and_a_search_says_what_it_leaves_out() {
		const data = makeFlame();

		// The frames below web's main.
		data.frames[NODE.hash] = -1;
		const graph = new Graph(data);
		assert.equal(graph.label(NODE.hash), "(too small to tell)");
		graph.search("small");
		assert.match(graph.text("matched"), /: at least 0\.0%, 20\.0% is too small to tell$/);
		graph.search("walk");
		assert.match(graph.text("matched"), /: at least 50\.0%, 20\.0% is too small to tell$/);
		// Where none is left out, it is exact.
		graph.search("main");
		assert.match(graph.text("matched"), /: 100\.0%$/);
	},
	figures_are_rounded_before_their_unit_is_chosen() {
		const data = makeFlame();

		for (const [slots, text] of [[999, "999 slots"], [999400, "999k slots"], [999500, "1.00M slots"], [999999, "1.00M slots"], [1500, "1.50k slots"]]) {
			data.values[2][0] = slots;
			assert.ok(new Graph(data).text("pointed").includes(text), text);
		}
	},
	a_profile_of_nothing_says_so() {
		const data = makeFlame();

		for (const list of [...data.values, data.parents, data.frames])
			list.length = 1;
		data.values.forEach((value) => { value[0] = 0; });
		data.rows = data.functions = [];
		assert.ok(new Graph(data).svg.all((one) => one.textContent === "No slots in all.").length);
	},
};

process.exit(await runTests(tests) > 0 ? 1 : 0);

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// check_flame.mjs FILE.svg - does with a flame graph in a browser what people do, by mouse and keys, and prints a line for each thing that holds.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";
import { makeFlame, NODE } from "./made_up_flame.mjs";
import { runTests } from "./run_tests.mjs";

const WIDTH = 1000; // of the window: slots are pixels

const frame = (node) => `document.querySelector('[data-node="${node}"]')`;
const chip = (name) => `document.querySelector('[data-chip="${name}"]')`;

class File {
	requests = [];
	errors = [];

	static async open(path) {
		const file = new File();

		file.url = pathToFileURL(resolve(path)).href;
		file.directory = mkdtempSync(join(tmpdir(), "ctd-flame."));
		file.made_up = join(file.directory, "made_up.svg");
		writeFileSync(file.made_up, readFileSync(path, "utf8").replace(/^const data = .*$/m, () => `const data = ${JSON.stringify(makeFlame())};`));
		file.browser = await Browser.open(process.env.CHROMIUM);
		file.browser.on("Network.requestWillBeSent", ({ request }) => file.requests.push(request.url));
		file.browser.on("Runtime.exceptionThrown", ({ exceptionDetails }) => file.errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text));
		for (const domain of ["Network", "Page", "Runtime"])
			await file.browser.send(`${domain}.enable`);
		await file.browser.send("Emulation.setDeviceMetricsOverride", { width: WIDTH, height: 600, deviceScaleFactor: 1, mobile: false });
		return file;
	}

	async go(url) {
		await this.browser.send("Page.navigate", { url: "about:blank" });
		await this.browser.send("Page.navigate", { url });
		await this.browser.until(`location.href === ${JSON.stringify(url)} && document.readyState === "complete"`);
	}

	// The script's own figures.
	data(expression) {
		return this.browser.evaluate(`data.${expression}`);
	}

	// As it is seen: left edge and width of a frame; null: it is not drawn.
	place(node) {
		return this.browser.evaluate(`(() => { const { x, width } = ${frame(node)}?.firstChild.getBoundingClientRect() ?? {};
			return width === undefined ? null : [Math.round(x), Math.round(width + 0.5)]; })()`);
	}

	count(selector) {
		return this.browser.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
	}

	text(selector) {
		return this.browser.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
	}
}

const tests = {
	async the_file_of_the_program_is_drawn_whole(file) {
		await file.go(file.url);
		assert.ok(await file.data("parents.length") > 4);
		assert.equal(await file.count(".frame"), await file.data("parents.length"));
		assert.equal(await file.count("#static"), 0);
	},
	async without_script_there_is_the_picture_at_least(file) {
		await file.go(file.url);
		const frames = await file.data("parents.length");

		await file.browser.send("Emulation.setScriptExecutionDisabled", { value: true });
		try {
			await file.go(file.url);
			assert.deepEqual([await file.count("#static rect"), await file.count(".frame")], [frames, 0]);
		} finally {
			await file.browser.send("Emulation.setScriptExecutionDisabled", { value: false });
		}
	},
	async slots_are_widths(file) {
		assert.deepEqual(await Promise.all([NODE.all, NODE.walk, NODE.hash, NODE.batch].map((node) => file.place(node))),
			[[0, 1000], [0, 500], [500, 200], [800, 200]]);
	},
	async a_click_on_a_frame_makes_it_as_wide_as_all(file) {
		await file.browser.press(frame(NODE.hash));
		assert.deepEqual(await file.place(NODE.hash), [0, 1000]);
		assert.equal(await file.place(NODE.walk), null);
		assert.equal(await file.count(".frame.above"), 3);
		await file.browser.press(frame(NODE.web));
		assert.deepEqual(await file.place(NODE.walk), [0, 625]);
		await file.browser.press(chip("reset"));
		assert.deepEqual(await file.place(NODE.walk), [0, 500]);
	},
	async a_search_marks_functions_and_says_their_part(file) {
		file.browser.answerPrompts("Walk");
		await file.browser.type("f", 2);
		await file.browser.until("document.getElementById('matched') !== null");
		assert.equal(await file.text("#matched"), "\u201cWalk\u201d: 50.0%");
		assert.equal(await file.count(".frame.found"), 2);
		assert.equal(await file.browser.evaluate(`getComputedStyle(document.querySelector(".found rect")).fill`), "rgb(179, 63, 209)");
		file.browser.answerPrompts("hash");
		await file.browser.press(chip("search"));
		await file.browser.until("document.getElementById('matched').textContent.includes('hash')");
		assert.equal(await file.text("#matched"), "\u201chash\u201d: 20.0%");
		await file.browser.type("Escape");
		assert.deepEqual([await file.text("#matched"), await file.count(".frame.found")], [null, 0]);
	},
	async another_weight_changes_the_widths(file) {
		await file.browser.press(chip("memory_bound"));
		assert.deepEqual([await file.place(NODE.walk), await file.place(NODE.hash)], [[0, 880], [880, 40]]);
		assert.equal(await file.text(".chip.chosen text"), "memory_bound");
		await file.browser.press(chip("slots"));
		assert.deepEqual(await file.place(NODE.hash), [500, 200]);
	},
	async keys_press_the_chip_that_has_the_focus(file) {
		await file.browser.press(frame(NODE.hash));
		await file.browser.evaluate(`${chip("memory_bound")}.focus()`);
		await file.browser.type("Enter");
		assert.equal(await file.text(".chip.chosen text"), "memory_bound");
		assert.equal(await file.browser.evaluate("document.activeElement.dataset.chip"), "memory_bound");
		await file.browser.evaluate(`${chip("reset")}.focus()`);
		await file.browser.type(" ");
		assert.deepEqual(await file.place(NODE.hash), [880, 40]);
		assert.equal(await file.browser.evaluate("document.activeElement.dataset.chip"), "reset");
	},
	async the_frame_below_the_pointer_is_told(file) {
		await file.browser.point(frame(NODE.walk));
		assert.match(await file.text(".pointed"), /^walk {2}\(\/usr\/bin\/program\) {2}slots 50\.0% of all/);
	},
	async a_narrower_window_has_narrower_frames(file) {
		await file.browser.send("Emulation.setDeviceMetricsOverride", { width: WIDTH / 2, height: 600, deviceScaleFactor: 1, mobile: false });
		await file.browser.until(`${frame(NODE.hash)}.firstChild.getBoundingClientRect().width < 101`);
		assert.deepEqual(await file.place(NODE.hash), [250, 100]);
	},
	async nothing_was_asked_of_anybody_and_nothing_failed(file) {
		assert.deepEqual([...new Set(file.requests.map((url) => new URL(url).protocol))].filter((one) => one !== "about:"), ["file:"]);
		assert.deepEqual(file.errors, []);
	},
};

const file = await File.open(process.argv[2]);
const failed = await runTests(tests, async () => {
	await file.browser.send("Emulation.setDeviceMetricsOverride", { width: WIDTH, height: 600, deviceScaleFactor: 1, mobile: false });
	await file.go(pathToFileURL(file.made_up).href);
	return file;
});

await file.browser.close();
rmSync(file.directory, { recursive: true });
process.exit(failed > 0 ? 1 : 0);

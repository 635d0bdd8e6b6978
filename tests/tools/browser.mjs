// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// browser.mjs - drives a headless Chromium by its debugging pipe, as tests of the page do.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OPTIONS = ["--headless", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--disable-gpu",
	"--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
	"--hide-scrollbars", "--force-color-profile=srgb", "--font-render-hinting=none"];
const ANSWER_MS = 20000;

// Messages are JSON, each with a zero byte behind it.
function readMessages(stream, take) {
	let rest = "";

	stream.setEncoding("utf8");
	stream.on("data", (text) => {
		const parts = (rest + text).split("\0");

		rest = parts.pop();
		for (const part of parts)
			take(JSON.parse(part));
	});
}

// A page of its own in a browser of its own.
export class Browser {
	#waiting = new Map();
	#listeners = [];
	#number = 0;
	#session;
	#answer; // to prompts

	static async open(program = "chromium") {
		const browser = new Browser();

		browser.directory = mkdtempSync(join(tmpdir(), "ctd-browser."));
		browser.child = spawn(program, [...OPTIONS, `--user-data-dir=${browser.directory}`, "about:blank"],
			{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
		browser.child.on("error", (error) => browser.#fail(error));
		browser.child.on("exit", () => browser.#fail(new Error("the browser ended")));
		browser.child.stdio[3].on("error", () => {});
		readMessages(browser.child.stdio[4], (message) => browser.#take(message));
		const { targetInfos } = await browser.send("Target.getTargets");
		const page = targetInfos.find((target) => target.type === "page");
		const { sessionId } = await browser.send("Target.attachToTarget", { targetId: page.targetId, flatten: true });

		browser.#session = sessionId;
		return browser;
	}

	#fail(error) {
		for (const { reject } of this.#waiting.values())
			reject(error);
		this.#waiting.clear();
	}

	#take(message) {
		const asked = this.#waiting.get(message.id);

		if (!asked) {
			for (const [method, heard] of this.#listeners)
				if (method === message.method)
					heard(message.params);
			return;
		}
		this.#waiting.delete(message.id);
		clearTimeout(asked.timer);
		if (message.error)
			asked.reject(new Error(`${asked.method}: ${message.error.message}`));
		else
			asked.resolve(message.result);
	}

	on(method, heard) {
		this.#listeners.push([method, heard]);
	}

	send(method, params = {}) {
		const id = ++this.#number;

		this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.#session })}\0`);
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_MS);

			this.#waiting.set(id, { method, resolve, reject, timer });
		});
	}

	// What an expression in the page comes to, as JSON has it; a promise's value.
	async evaluate(expression) {
		const { result, exceptionDetails } = await this.send("Runtime.evaluate",
			{ expression, returnByValue: true, awaitPromise: true });

		if (exceptionDetails)
			throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
		return result.value;
	}

	async until(expression) {
		const end = Date.now() + ANSWER_MS;

		while (!(await this.evaluate(expression))) {
			if (Date.now() > end)
				throw new Error(`never so: ${expression}`);
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
	}

	// The middle of an element, which is scrolled to.
	async #place(element) {
		return this.evaluate(`(() => {
			const element = ${element};

			element.scrollIntoView({ block: "center" });
			const { x, y, width, height } = element.getBoundingClientRect();

			return { x: x + width / 2, y: y + height / 2 };
		})()`);
	}

	// By the mouse, as people do, on what an expression comes to: whatever is in front of it there.
	async point(element) {
		await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...(await this.#place(element)) });
	}

	async press(element) {
		await this.point(element);
		const place = { ...(await this.#place(element)), button: "left", clickCount: 1 };

		await this.send("Input.dispatchMouseEvent", { type: "mousePressed", ...place });
		await this.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...place });
	}

	// @modifiers: 2 is Ctrl.
	async type(key, modifiers = 0) {
		await this.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, modifiers });
		await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, modifiers });
	}

	// Whatever the page asks from here on.
	answerPrompts(text) {
		if (this.#answer === undefined)
			this.on("Page.javascriptDialogOpening", () => this.send("Page.handleJavaScriptDialog", { accept: true, promptText: this.#answer }));
		this.#answer = text;
	}

	async screenshot(width, height, scale = 1) {
		await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: width < 600 });
		const { data } = await this.send("Page.captureScreenshot", { format: "png" });

		return Buffer.from(data, "base64");
	}

	async close() {
		const ended = new Promise((resolve) => this.child.on("exit", resolve));

		this.send("Browser.close").catch(() => {});
		const timer = setTimeout(() => this.child.kill("SIGKILL"), 5000);

		await ended;
		clearTimeout(timer);
		rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
	}
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// page.mjs - the page of a running serve in a browser, with views of made-up containers in place of the server's.
import { Browser } from "./browser.mjs";
import { makeView } from "./made_up_view.mjs";

// Nothing ran.
const FLAME = { schema: "cgtopdown/profile/1", simulated: true, seconds: 60, weights: [], weight: "", rows: [] };

export class Page {
	requests = [];
	count = 0; // of containers; 0: the server's own
	seconds = 300;
	served = null;
	profiles = false;
	neighbours = { tags: null }; // as without a detector; null: 404
	flame = FLAME; // of any row

	static async open(url) {
		const page = new Page();

		page.url = url;
		page.head = await (await fetch(`${url}/api/v1/view`)).json();
		page.browser = await Browser.open(process.env.CHROMIUM);
		page.browser.on("Network.requestWillBeSent", ({ request }) => page.requests.push(request.url));
		page.browser.on("Fetch.requestPaused", (paused) => page.#answer(paused));
		for (const domain of ["Network", "Page", "Runtime"])
			await page.browser.send(`${domain}.enable`);
		await page.browser.send("Performance.enable", { timeDomain: "threadTicks" });
		await page.browser.send("Fetch.enable", { patterns: [{ urlPattern: "*/api/v1/*" }] });
		// What the policy forbade.
		await page.browser.send("Page.addScriptToEvaluateOnNewDocument", { source:
			"window.forbidden = []; addEventListener('securitypolicyviolation', (event) => forbidden.push(event.violatedDirective))" });
		return page;
	}

	async #answer({ requestId, request }) {
		if (!this.count) {
			await this.browser.send("Fetch.continueRequest", { requestId });
			return;
		}
		let body = this.flame;

		if (request.url.endsWith("/api/v1/view"))
			body = this.served = makeView({ ...this.head, profiles: this.profiles }, this.count, ++this.seconds);
		else if (request.url.endsWith("/api/v1/neighbours"))
			body = this.neighbours;
		else if (!request.url.includes("/api/v1/profile"))
			return void await this.browser.send("Fetch.continueRequest", { requestId });
		if (body === this.served)
			this.change?.(body);
		await this.browser.send("Fetch.fulfillRequest", { requestId, responseCode: body ? 200 : 404,
			responseHeaders: [{ name: "Content-Type", value: "application/json" }], body: Buffer.from(JSON.stringify(body)).toString("base64") });
	}

	// With what the address says behind the #, as in a browser of somebody who was sent it.
	async go(hash = "") {
		this.served = null;
		await this.browser.send("Page.navigate", { url: "about:blank" });
		await this.browser.send("Page.navigate", { url: `${this.url}/${hash}` });
		await this.browser.until("document.querySelectorAll('#rows tr').length > 0");
	}

	// Until the page shows a view that was asked for after this call.
	async refresh() {
		const before = this.served?.sequence ?? 0, end = Date.now() + 20000;

		await this.browser.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
		while ((this.served?.sequence ?? 0) === before) {
			if (Date.now() > end)
				throw new Error("the page asks for no view");
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		await this.browser.until(`document.getElementById("live").textContent.includes(new Intl.DateTimeFormat(undefined, { timeStyle: "medium" }).format(new Date("${this.served.time}")))`);
	}

	// As after so many seconds in which it was open.
	fill(seconds) {
		return this.evaluate(`(async () => {
			const app = await import("./app.mjs");

			for (let second = 0; second < ${seconds}; second++)
				app.take(await (await fetch("api/v1/view")).text());
		})()`);
	}

	async #commandMs() {
		const { metrics } = await this.browser.send("Performance.getMetrics");

		return 1000 * metrics.find((metric) => metric.name === "DevToolsCommandDuration").value;
	}

	// CPU time of a statement in the page, whatever else the machine does.
	async timeOf(statement) {
		const before = await this.#commandMs();

		await this.evaluate(statement);
		return await this.#commandMs() - before;
	}

	evaluate(expression) {
		return this.browser.evaluate(expression);
	}

	texts(selector) {
		return this.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`);
	}

	click(selector, text) {
		return this.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.textContent.includes(${
			JSON.stringify(text ?? "")})).click()`);
	}

	enter(name, value) {
		return this.evaluate(`{ const control = document.querySelector("[name=${name}]"); control.value = ${JSON.stringify(value)};
			control.dispatchEvent(new Event("input", { bubbles: true })); }`);
	}

	hash() {
		return this.evaluate("decodeURIComponent(location.hash)");
	}
}

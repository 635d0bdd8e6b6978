// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// axe_page.mjs URL AXE - lets axe look at the page of a running serve, and prints a line for each way to look at it.
import { readFileSync } from "node:fs";
import { addWaits, makeNeighbours } from "./made_up_view.mjs";
import { Page } from "./page.mjs";

const page = await Page.open(process.argv[2]), axe = readFileSync(process.argv[3], "utf8");
let failed = 0;

page.count = 30;
page.profiles = true;
page.change = addWaits;
await page.go();
page.neighbours = makeNeighbours(page.served);
await page.go("#group=namespace");
await page.browser.until("document.querySelectorAll('#tags tr').length === 3");
await page.click("#tags .unfold");
await page.click("#rows .unfold");
await page.click("#rows .below .unfold");
await page.evaluate("document.querySelector('details').open = true");
for (const theme of ["light", "dark"]) {
	await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
	for (const width of [1400, 390]) {
		await page.browser.send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 });
		await page.evaluate(axe);
		const found = await page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, help, nodes }) =>
			id + ": " + help + ": " + nodes.slice(0, 3).map((node) => node.html.slice(0, 200) + " (" + node.failureSummary + ")").join("; ")))`);

		console.log(found.length ? `not ok ${theme}, ${width} wide: ${found.join(" | ").replaceAll("\n", " ")}` : `ok axe finds nothing: ${theme}, ${width} wide`);
		failed += found.length;
	}
}
await page.browser.close();
process.exit(failed > 0 ? 1 : 0);

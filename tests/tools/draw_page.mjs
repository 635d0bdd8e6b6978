// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// draw_page.mjs OUT.png - draws the page with made-up containers that are always the same, for the README.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Page } from "./page.mjs";

const TYPES = { html: "text/html", css: "text/css", mjs: "text/javascript" };
const SIZE = { width: 1180, height: 760 }, CONTAINERS = 24;

// The page is files; the browser's requests for figures never get here.
const server = createServer((request, response) => {
	const name = request.url === "/" ? "index.html" : request.url.slice(1);
	const place = name === "flame.mjs" ? "user/profile_sink" : "user/serve/web";
	const golden = request.url === "/api/v1/view";

	response.setHeader("Content-Type", golden ? "application/json" : TYPES[name.split(".").at(-1)] ?? "text/plain");
	response.end(readFileSync(golden ? "tests/golden/view.json" : `${place}/${name}`));
});

await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const page = await Page.open(`http://127.0.0.1:${server.address().port}`);

page.head = { ...page.head, simulated: false, source: "perf_metrics", core_types: [page.head.core_types[0]] };
page.count = CONTAINERS;
page.seconds = 0;
await page.go();
await page.click("#pause");
await page.evaluate(`document.documentElement.dataset.theme = "light"`);
await page.fill(600);
writeFileSync(process.argv[2], await page.browser.screenshot(SIZE.width, SIZE.height));
await page.browser.close();
server.close();

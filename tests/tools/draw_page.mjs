// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// draw_page.mjs OUT.png - draws the page with made-up containers that are always the same, for the README.
//
// In the file is the hash of what the views say that it shows; --check FILE.png fails where they say something else by now.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { makeView } from "./made_up_view.mjs";
import { addComment, commentOf } from "./png_text.mjs";

const TYPES = { html: "text/html", css: "text/css", mjs: "text/javascript" };
const SIZE = { width: 1180, height: 760 }, CONTAINERS = 24, SECONDS = 600;

const headOf = (view) => ({ ...view, simulated: false, source: "perf_metrics", core_types: [view.core_types[0]] });

// Members that the page does not show may come and go.
function hashOf(head) {
	const shown = [1, SECONDS].map((seconds) => {
		const { node, source, cpus, time, core_types, rows } = makeView(head, CONTAINERS, seconds);

		return { node, source, cpus, time, nodes: core_types[0].nodes.map(({ name, title, level, role }) => [name, title, level, role]),
			rows: rows.map(({ namespace, pod, container, owner, total, recent }) =>
				[namespace, pod, container, owner, total.cpu_ns, total.slots, recent.bottleneck, Object.entries(recent.metrics)]) };
	});

	return createHash("sha256").update(JSON.stringify([SIZE, shown])).digest("hex");
}

if (process.argv[2] === "--check") {
	const wanted = hashOf(headOf(JSON.parse(readFileSync("tests/golden/view.json", "utf8"))));

	if (commentOf(readFileSync(process.argv[3])) !== wanted) {
		console.log(`${process.argv[3]} is of other views: deploy/picture draws it anew`);
		process.exit(1);
	}
	process.exit();
}
const { Page } = await import("./page.mjs");

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

page.head = headOf(page.head);
page.count = CONTAINERS;
page.seconds = 0;
await page.go();
await page.click("#pause");
await page.evaluate(`document.documentElement.dataset.theme = "light"`);
await page.fill(SECONDS);
writeFileSync(process.argv[2], addComment(await page.browser.screenshot(SIZE.width, SIZE.height), hashOf(page.head)));
await page.browser.close();
server.close();

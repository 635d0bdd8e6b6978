// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// run_tests.mjs - runs functions whose names are sentences, and prints a line for each; tap_node of tests/tap.sh reads them.

// Each gets what `begin` comes to.
export async function runTests(tests, begin = () => undefined) {
	let failed = 0;

	for (const [name, test] of Object.entries(tests)) {
		try {
			await test(await begin());
			console.log(`ok ${name}`);
		} catch (error) {
			failed++;
			console.log(`not ok ${name}: ${String(error.stack).replaceAll("\n", " | ")}`);
		}
	}
	return failed;
}

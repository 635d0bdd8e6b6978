// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// wanted.mjs - what the reader wants to see. The page's address has it, so that a link shows the same.

export const ROWS_STEP = 100;
const DEFAULTS = {
	sort: "cpus", // a column
	order: "down",
	filter: "",
	group: "none", // or namespace, owner
	span: "0", // seconds; 0: the last interval; all: since the start
	least: "0.05", // CPUs from which on a bottleneck is named
	level: "1", // of the columns
	idle: "folded", // or shown
};

export const wanted = { ...DEFAULTS, open: new Set(), rows: ROWS_STEP };

export function readAddress() {
	const parts = new URLSearchParams(location.hash.slice(1));

	for (const [name, value] of Object.entries(DEFAULTS))
		wanted[name] = parts.get(name) ?? value;
	wanted.open = new Set(parts.getAll("open"));
}

export function writeAddress() {
	const parts = new URLSearchParams();

	for (const [name, value] of Object.entries(DEFAULTS))
		if (wanted[name] !== value)
			parts.set(name, wanted[name]);
	for (const key of wanted.open)
		parts.append("open", key);
	history.replaceState(null, "", `${location.pathname}${location.search}${parts.size ? `#${parts}` : ""}`);
}

// What is not a number is none.
export const leastCpus = () => Number(wanted.least) || 0;

export function toggleOpen(key) {
	if (!wanted.open.delete(key))
		wanted.open.add(key);
}

// The controls of a form have the names of what they change.
export function bindControls(form, changed) {
	form.addEventListener("submit", (event) => event.preventDefault());
	form.addEventListener("input", ({ target }) => {
		wanted[target.name] = target.type !== "checkbox" ? target.value.trim()
			: target.checked ? target.value : DEFAULTS[target.name];
		changed();
	});
}

export function fillControls(form) {
	for (const control of form.elements) {
		if (control.type === "checkbox")
			control.checked = wanted[control.name] === control.value;
		else if (control.name)
			control.value = wanted[control.name];
		// What a list does not have, as in an address that was written by hand, is not shown as nothing.
		if (control.selectedIndex === -1)
			control.value = wanted[control.name] = DEFAULTS[control.name];
	}
}

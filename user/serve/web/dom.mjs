// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// dom.mjs - elements of the page; what is said in them is text, never HTML.

export function make(tag, text, className) {
	const element = document.createElement(tag);

	if (text !== undefined)
		element.textContent = text;
	if (className)
		element.className = className;
	return element;
}

// Leaves alone what is as it was: a selection, the focus, a screen reader's place.
export function setText(element, text) {
	if (element.textContent !== text)
		element.textContent = text;
}

// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// dom.mjs - elements of the page; what is said in them is text, never HTML.

export const byId = (id) => document.getElementById(id);

export function make(tag, text, className) {
	const element = document.createElement(tag);

	if (text !== undefined)
		element.textContent = text;
	if (className)
		element.className = className;
	return element;
}

export function makeSvg(tag, attributes) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);

	for (const [name, value] of Object.entries(attributes))
		element.setAttribute(name, value);
	return element;
}

export function makeButton(text, className, clicked) {
	const button = make("button", text, className);

	button.type = "button";
	button.addEventListener("click", clicked);
	return button;
}

// Leaves alone what is as it was: a selection, the focus, a screen reader's place.
export function setText(element, text) {
	if (element.textContent !== text)
		element.textContent = text;
}

// Changes what is in an element, and gives the focus back: to what had it, where that was moved, or to the button in the place of one that
// is gone.
export function keepFocus(element, change) {
	const focused = element.contains(document.activeElement) ? document.activeElement : null;
	const at = focused ? [...element.querySelectorAll("button")].indexOf(focused) : -1;

	change();
	if (focused && document.activeElement !== focused)
		(focused.isConnected ? focused : element.querySelectorAll("button")[at])?.focus({ preventScroll: true });
}

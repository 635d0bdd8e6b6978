// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// small_dom.mjs - as much of a browser's document as a drawing in SVG asks for.

class Node {
	listeners = {};

	addEventListener(type, act) {
		(this.listeners[type] ??= []).push(act);
	}

	removeEventListener(type, act) {
		this.listeners[type] = (this.listeners[type] ?? []).filter((one) => one !== act);
	}

	// As if it happened here: to those around it, too, unless it is of one element alone.
	happen(type, more = {}) {
		const event = { type, target: this, prevented: false, preventDefault() { this.prevented = true; }, ...more };

		for (let at = this; at; at = type === "mouseleave" ? null : at.parent)
			for (const act of at.listeners[type] ?? [])
				act(event);
		return event;
	}
}

class Element extends Node {
	attributes = {};
	children = [];
	parent = null;
	textContent = "";

	constructor(kind) {
		super();
		this.kind = kind;
	}

	setAttribute(name, value) {
		this.attributes[name] = String(value);
	}

	getAttribute(name) {
		return this.attributes[name] ?? null;
	}

	appendChild(child) {
		child.parent = this;
		this.children.push(child);
		return child;
	}

	contains(other) {
		return other !== null && (other === this || this.contains(other.parent));
	}

	get isConnected() {
		return this.parent !== null ? this.parent.isConnected : this.isRoot === true;
	}

	replaceChildren() {
		this.children.forEach((child) => { child.parent = null; });
		this.children = [];
	}

	remove() {
		this.parent.children.splice(this.parent.children.indexOf(this), 1);
	}

	// Of selectors that name a class.
	closest(selector) {
		for (let at = this; at; at = at.parent)
			if (at.isOf(selector.slice(1)))
				return at;
		return null;
	}

	isOf(name) {
		return (this.getAttribute("class") ?? "").split(" ").includes(name);
	}

	all(test) {
		return this.children.flatMap((child) => [...(test(child) ? [child] : []), ...child.all(test)]);
	}
}

// What is global in a page whose only element is an SVG drawing so many pixels wide.
export function makePage(width) {
	const root = new Element("svg"), window = new Node();
	let focused = null;

	root.clientWidth = width;
	root.isRoot = true;
	window.prompt = () => null;
	return {
		window,
		document: {
			documentElement: root,
			get activeElement() {
				return focused?.isConnected ? focused : null;
			},
			createElementNS: (namespace, kind) => Object.assign(new Element(kind), { focus() { focused = this; } }),
			getElementById: (id) => root.all((one) => one.getAttribute("id") === id)[0] ?? null,
		},
	};
}

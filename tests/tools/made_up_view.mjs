// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// made_up_view.mjs - views of made-up containers, always the same ones, with the head of a real view.

const NAMESPACES = ["shop", "search", "media", "batch", "billing", "ingress", "monitoring", "login", "mail", "data"];
const WORDS = ["web", "cart", "index", "rank", "transcode", "queue", "cache", "proxy", "report", "worker"];
const BEGIN_MS = Date.parse("2026-03-02T16:04:00.000Z");

// Shares of level 1, in the order retiring, speculation, frontend, backend, by the kind of program.
const KINDS = [[0.21, 0.06, 0.52, 0.21], [0.19, 0.02, 0.06, 0.73], [0.28, 0.44, 0.17, 0.11], [0.78, 0.02, 0.06, 0.14]];
const ROLES = ["retiring", "bad_speculation", "frontend_bound", "backend_bound"];

// Two thirds of level 1 are the first part of it at level 2.
function sharesOf(nodes, kind) {
	const shares = {};

	for (const node of nodes) {
		const at = ROLES.indexOf(node.role);

		if (node.level === 1 && at >= 0)
			shares[node.name] = KINDS[kind][at];
		const siblings = nodes.filter((one) => one.parent === node.parent);

		if (node.level === 2)
			shares[node.name] = shares[node.parent] * (node === siblings[0] ? 2 / 3 : 1 / 3 / (siblings.length - 1));
	}
	return shares;
}

const CAUSES = ["other", "own", "kernel", "idle", "throttled", "unknown", "short"];

// Gives each row waits; those behind others are most.
export function addWaits(view) {
	view.rows.forEach((row, i) => {
		row.total.waits = { count: 1000 * (i + 1) };
		CAUSES.forEach((cause, k) => {
			row.total.waits[`${cause}_ns`] = k < 3 ? Math.round(row.total.cpu_ns / (2 + i % 5) / 3 ** k) : 0;
		});
	});
}

const namesOf = ({ key, namespace, pod, container, container_id, cgroup }) => ({ key, namespace, pod, container, container_id, cgroup });

// Tags of some rows of a view: behind one, behind several, and its own doing.
export function makeNeighbours(view) {
	const time = view.time, tag = (victim, mechanism, blame, antagonists, age_s, more) => ({
		time, victim: namesOf(view.rows[victim]), mechanism, blame,
		antagonists: antagonists.map(([row, share]) => ({ ...namesOf(view.rows[row]), share })),
		since: new Date(Date.parse(time) - 1000 * age_s).toISOString(), ...more });

	return { sample_period_s: 10, time, containers: view.rows.length, learning: 2, refused_samples: 0, tags: [
		tag(2, "run_queue", "neighbour", [[0, 0.62], [5, 0.21]], 95, { loss_cpus: 0.412, loss_slots: 2.4e10, confidence: 0.97,
			evidence: { slowed_ratio: 0.2561, waits_per_second: 812.4, waiting_cpus: 0.51, own_cpus: 0.04, other_cpus: 0.412, preempted_by_others_per_second: 190.2 } }),
		tag(7, "memory", "neighbour", [[1, 0.93]], 1260, { loss_cpus: 0.173, loss_slots: 9.1e9, confidence: 0.81,
			evidence: { pressure_correlation: 0.83, share: 0.93, expected_ratio: 0.31, ratio: 0.52 },
			series: { excess: Array.from({ length: 120 }, (_, i) => (i % 40 === 7 ? null : 0.02 * Math.sin(i) + (i % 30 < 12 ? 0.5 : 0))),
				pressure: Array.from({ length: 120 }, (_, i) => (i % 30 < 12 ? 1.2e10 : 3e8)) } }),
		tag(4, "throttling", "self", [], 31, { loss_cpus: 0.2, confidence: 1, evidence: { limit_cpus: 0.5, throttled_ratio: 0.41 } }),
	] };
}

// The last third hardly runs.
function cpusOf(i, count, seconds) {
	if (i >= count * 2 / 3)
		return i % 2 ? 0 : 0.001;
	return (2 / (1 + i / 4)) * (1 + 0.6 * Math.sin(seconds / (20 + i % 17) + i));
}

function makeRow(head, i, count, seconds) {
	const nodes = head.core_types[0].nodes.filter((node) => node.level > 0);
	const namespace = NAMESPACES[i % NAMESPACES.length], word = WORDS[Math.floor(i / NAMESPACES.length) % WORDS.length];
	const shares = sharesOf(nodes, i % KINDS.length), cpus = cpusOf(i, count, seconds);
	let cpu_s = 0;

	for (let second = 1; second <= seconds; second++)
		cpu_s += cpusOf(i, count, second);
	const slots = Math.round(cpu_s * 6e9), part = (whole) =>
		Object.fromEntries(nodes.map((node) => [node.name, Math.round(whole * shares[node.name])]));
	const known = (share) => (cpus > 0 ? share : null);

	return {
		key: `namespace="${namespace}",pod="${word}-${i}",container="${word}"`, kind: "container",
		cgroup: `/kubepods.slice/pod${i}/cri-containerd-${String(i).padStart(64, "0")}.scope`,
		namespace, pod: `${word}-${i}`, pod_uid: null, qos: i % 2 ? "Burstable" : "BestEffort", container: word,
		container_id: String(i).padStart(64, "0"), runtime: "containerd", image: `registry.example/${word}:1.4`,
		owner_kind: "Deployment", owner: word, started: null, ended: false,
		total: { since: new Date(BEGIN_MS).toISOString(), cpu_ns: Math.round(cpu_s * 1e9), counted_ns: Math.round(cpu_s * 1e9),
			slices: 10 * seconds, switches: 10 * seconds, slots, node_slots: part(slots) },
		recent: { cpu_ns: Math.round(cpus * 1e9), slices: 10, switches: 10, slots: Math.round(cpus * 6e9),
			quality: cpus > 0 ? "ok" : "no_data",
			bottleneck: cpus > 0 ? [nodes.find((node) => node.level === 1 && node.role === ROLES[[2, 3, 1, 0][i % 4]])?.name,
				null][i % 4 === 3 ? 1 : 0] : null,
			metrics: Object.fromEntries(nodes.map((node) => [node.name, known(shares[node.name])])), qualities: {} },
	};
}

// The view after so many seconds.
export function makeView(head, count, seconds) {
	const time_ms = BEGIN_MS + 1000 * seconds;

	return {
		...head, node: "node-1.example", boot_id: "made up", start: new Date(BEGIN_MS).toISOString(), sequence: seconds,
		time: new Date(time_ms).toISOString(), time_ns: 1e6 * time_ms, elapsed_ns: 1e9 * seconds, window_ns: 1000000000, interval_ns: 1000000000,
		core_types: head.core_types.map((type) => ({ ...type, cpus: 64 })), cpus: 64, held_rows: [], rows: Array.from({ length: count }, (_, i) => makeRow(head, i, count, seconds)),
		total: { ...head.total, slots: 1000000, unattributed_slots: 3000, residual_slots: 0, folded: 0 },
	};
}

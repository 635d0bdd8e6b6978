/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* view.h - views of a ledger made by hand, to be exported. */
#ifndef TESTS_OTLP_VIEW_H
#define TESTS_OTLP_VIEW_H

#include <cgtopdown/ledger.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_type.h"

extern const struct ctd_cpu_model ctd_cpu_sim;

#define VIEW_BEGUN_NS 1767323000000000000
#define VIEW_INTERVAL_NS 1000000000
#define VIEW_ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* To be read only: holding and releasing is for the views of a ledger. */
struct made_view {
	struct ctd_ledger_view view;
	struct ctd_account *accounts; /* owned */
	uint64_t (*slots)[CTD_NODES_MAX]; /* owned; of each account */
	struct ctd_value (*values)[CTD_NODES_MAX]; /* owned; likewise */
	struct ctd_account_who *whos; /* owned; NULL: borrowed ones */
	char (*names)[32]; /* owned */
};

static inline void free_view(struct made_view *made)
{
	free(made->accounts);
	free(made->slots);
	free(made->values);
	free(made->whos);
	free(made->names);
	free(made);
}

static inline struct made_view *make_view(uint64_t sequence, size_t accounts_count)
{
	struct made_view *made = calloc(1, sizeof(*made));

	made->accounts = calloc(accounts_count + 1, sizeof(*made->accounts));
	made->slots = calloc(accounts_count + 1, sizeof(*made->slots));
	made->values = calloc(accounts_count + 1, sizeof(*made->values));
	for (size_t i = 0; i < accounts_count; i++) {
		made->accounts[i].node_slots = made->slots[i];
		made->accounts[i].recent.values = made->values[i];
	}
	made->view = (struct ctd_ledger_view){
		.sequence = sequence,
		.realtime_ns = VIEW_BEGUN_NS + sequence * VIEW_INTERVAL_NS,
		.window_ns = VIEW_INTERVAL_NS,
		.begun_ns = VIEW_BEGUN_NS,
		.source = "sim",
		.hierarchy = "v2",
		.method = "sim",
		.scope = "thread",
		.simulated = true,
		.model = &ctd_cpu_sim,
		.level = 2,
		.groups_count = 1,
		.cpus_online = 2,
		.state = CTD_PMU_LIVE,
		.core_types_count = 1,
		.core_types = {core_type_of("", &ctd_cpu_sim)},
		.accounts = made->accounts,
		.accounts_count = accounts_count,
	};
	made->view.core_types[0].cpus_online = 2;
	made->view.core_types[0].state = CTD_PMU_LIVE;
	return made;
}

/* What was not said of somebody is "". */
static inline struct ctd_account_who *view_who(struct ctd_account_who *who)
{
	const char **texts[] = {
		&who->namespace_name, &who->pod,	&who->container, &who->cgroup,	 &who->core,
		&who->container_id,   &who->pod_uid,	&who->runtime,	 &who->image,	 &who->qos,
		&who->owner_kind,     &who->owner_name, &who->path,	 &who->key_text,
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!*texts[i])
			*texts[i] = "";
	return who;
}

/* Totals of all nodes; of a multiple of 8 slots, nothing is lost by division. */
static inline void view_count(struct ctd_account *account, struct ctd_account_who *who,
			      uint64_t slots)
{
	uint64_t *node_slots = (uint64_t *)account->node_slots;

	*account = (struct ctd_account){
		.who = view_who(who),
		.begun_ns = VIEW_BEGUN_NS,
		.cpu_ns = slots / 24,
		.counted_ns = slots / 24,
		.slices = slots / 1000000,
		.slots_known = true,
		.slots = slots,
		.node_slots = node_slots,
		.recent = {.values = account->recent.values, .dominant = -1},
	};
	for (int i = 0; i < ctd_cpu_sim.nodes_count; i++) {
		const struct ctd_node *node = &ctd_cpu_sim.nodes[i];

		account->node_slots_known |= 1u << i;
		node_slots[i] = node->level == 1 ? slots / 4 : slots / 8;
	}
}

/* A node with so many containers, as many as on no node, and what else runs. */
static inline struct made_view *make_node_view(uint64_t sequence, size_t containers)
{
	static struct ctd_account_who rest[] = {
		{.kind = CTD_ACCOUNT_CGROUP, .cgroup = "/system.slice/ssh.service"},
		{.kind = CTD_ACCOUNT_KERNEL},
		{.kind = CTD_ACCOUNT_IDLE},
	};
	static const size_t rest_count = sizeof(rest) / sizeof(rest[0]);
	struct made_view *made = make_view(sequence, containers + rest_count);

	made->whos = calloc(containers + 1, sizeof(*made->whos));
	made->names = calloc(containers + 1, sizeof(*made->names));
	for (size_t i = 0; i < containers; i++) {
		snprintf(made->names[i], sizeof(made->names[i]), "cart-%05zu", i);
		made->whos[i] = (struct ctd_account_who){
			.namespace_name = "shop",
			.pod = made->names[i],
			.container = "web",
			.container_id = VIEW_ID,
			.pod_uid = "11112222-3333-4444-5555-666677778888",
			.runtime = "containerd",
			.image = "registry.example/web:1",
			.qos = "Burstable",
			.owner_kind = "Deployment",
			.owner_name = "cart",
			.path = "/kubepods.slice/kubepods-pod1.slice/cri-containerd-1.scope",
		};
		view_count(&made->accounts[i], &made->whos[i], sequence * 8000000 * (i + 1));
	}
	for (size_t i = 0; i < rest_count; i++)
		view_count(&made->accounts[containers + i], &rest[i], sequence * 80000000);
	made->view.totals = (struct ctd_node_totals){
		.slots_known = true, .unattributed_slots = sequence * 24, .intervals = sequence};
	made->view.core_types[0].totals =
		(struct ctd_core_totals){.slots_known = true, .unattributed_slots = sequence * 24};
	return made;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cluster.h - a view with two pods and a unit, and tags of them, made by hand. */
#ifndef TESTS_UNIT_SERVE_EVENTS_CLUSTER_H
#define TESTS_UNIT_SERVE_EVENTS_CLUSTER_H

#include <cgtopdown/ledger.h>
#include <cgtopdown/neighbour.h>

#define SINCE_NS 1788091200250000000ull /* 2026-08-30T12:00:00.250Z */
#define UID_WEB "64579b12-2b76-470d-b871-3ddb056b24db"
#define UID_BATCH "99999999-2b76-470d-b871-3ddb056b24db"

/* By kind and key, as a view has them. */
struct cluster {
	struct ctd_account_who batch_who, web_who, unit_who;
	struct ctd_account accounts[3];
	struct ctd_ledger_view view;
	const char *node;
	struct ctd_neighbour_names web, batch, unit;
	struct ctd_neighbour_tag tag; /* web waits for a CPU behind batch */
	struct ctd_neighbour_verdicts verdicts; /* it alone */
};

/* @p cluster stays where it is. */
static inline void make_cluster(struct cluster *cluster)
{
	*cluster = (struct cluster){
		.batch_who = {.kind = CTD_ACCOUNT_CONTAINER,
			      .key_text = "batch",
			      .namespace_name = "analytics",
			      .pod = "batch-7d9f-xk2",
			      .pod_uid = UID_BATCH,
			      .container = "worker",
			      .owner_kind = "Deployment",
			      .owner_name = "batch"},
		.web_who = {.kind = CTD_ACCOUNT_CONTAINER,
			    .key_text = "web",
			    .namespace_name = "shop",
			    .pod = "web-0",
			    .pod_uid = UID_WEB,
			    .container = "main",
			    .owner_kind = "",
			    .owner_name = ""},
		.unit_who = {.kind = CTD_ACCOUNT_CGROUP,
			     .key_text = "unit",
			     .cgroup = "/system.slice/backup.service"},
		.node = "node1",
		.web = {.key = "web", .namespace_name = "shop", .pod = "web-0", .container = "main"},
		.batch = {.key = "batch",
			  .namespace_name = "analytics",
			  .pod = "batch-7d9f-xk2",
			  .container = "worker"},
		.unit = {.key = "unit", .cgroup = "/system.slice/backup.service"},
		.tag = {.mechanism = CTD_MECHANISM_RUN_QUEUE,
			.blame = CTD_BLAME_NEIGHBOUR,
			.antagonists_count = 1,
			.loss_cpus = 0.4213,
			.since_ns = SINCE_NS},
	};
	cluster->accounts[0].who = &cluster->batch_who;
	cluster->accounts[1].who = &cluster->web_who;
	cluster->accounts[2].who = &cluster->unit_who;
	cluster->view.accounts = cluster->accounts;
	cluster->view.accounts_count = 3;
	cluster->tag.victim = &cluster->web;
	cluster->tag.antagonists[0] = (struct ctd_antagonist){&cluster->batch, 0.834};
	cluster->verdicts.tags = &cluster->tag;
	cluster->verdicts.tags_count = 1;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_workload.c - what people deployed is told by names where they are certain. */
#include "identity/kubelet/workload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* 2026-11-21 03:09 UTC. */
#define PLANNED_MINUTES "29920509"
#define PLANNED_SECONDS "1795230540"
#define PLANNED_S 1795230540ull

static void the_owner_s_owner_is_told_where_names_are_certain(void **state)
{
	static const struct {
		int line;
		const char *kind, *name, *template_hash;
		uint64_t created_s;
		const char *wanted;
	} cases[] = {
		{__LINE__, "ReplicaSet", "web-5d4f7c9b6", "5d4f7c9b6", 0, "Deployment web"},
		{__LINE__, "ReplicaSet", "web-api-5d4f7c9b6", "5d4f7c9b6", 0, "Deployment web-api"},
		{__LINE__, "ReplicaSet", "web-5d4f7c9b6", NULL, 0, "ReplicaSet web-5d4f7c9b6"},
		{__LINE__, "ReplicaSet", "web-5d4f7c9b6", "", 0, "ReplicaSet web-5d4f7c9b6"},
		{__LINE__, "ReplicaSet", "web-5d4f7c9b6", "7c9b6", 0, "ReplicaSet web-5d4f7c9b6"},
		{__LINE__, "ReplicaSet", "-5d4f7c9b6", "5d4f7c9b6", 0, "ReplicaSet -5d4f7c9b6"},
		{__LINE__, "ReplicaSet", "5d4f7c9b6", "5d4f7c9b6", 0, "ReplicaSet 5d4f7c9b6"},
		{__LINE__, "StatefulSet", "db-5d4f7c9b6", "5d4f7c9b6", 0,
		 "StatefulSet db-5d4f7c9b6"},
		{__LINE__, "DaemonSet", "agent", NULL, 0, "DaemonSet agent"},
		{__LINE__, "Job", "report-" PLANNED_MINUTES, NULL, PLANNED_S + 3, "CronJob report"},
		{__LINE__, "Job", "report-" PLANNED_MINUTES, NULL, PLANNED_S, "CronJob report"},
		{__LINE__, "Job", "report-" PLANNED_SECONDS, NULL, PLANNED_S + 3, "CronJob report"},
		{__LINE__, "Job", "report-" PLANNED_MINUTES, NULL, PLANNED_S + 86400,
		 "Job report-" PLANNED_MINUTES},
		{__LINE__, "Job", "report-" PLANNED_MINUTES, NULL, PLANNED_S - 1,
		 "Job report-" PLANNED_MINUTES},
		{__LINE__, "Job", "report-" PLANNED_MINUTES, NULL, 0,
		 "Job report-" PLANNED_MINUTES},
		{__LINE__, "Job", "backup-20261121", NULL, PLANNED_S, "Job backup-20261121"},
		{__LINE__, "Job", "-" PLANNED_MINUTES, NULL, PLANNED_S, "Job -" PLANNED_MINUTES},
		{__LINE__, "Job", PLANNED_MINUTES, NULL, PLANNED_S, "Job " PLANNED_MINUTES},
		{__LINE__, "Job", "migrate", NULL, PLANNED_S, "Job migrate"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_workload workload = ctd_workload_find(
			cases[i].kind, cases[i].name, cases[i].template_hash, cases[i].created_s);
		char got[128];

		snprintf(got, sizeof(got), "%s %.*s", workload.kind, (int)workload.name_bytes,
			 workload.name);
		if (strcmp(got, cases[i].wanted) != 0)
			fail_msg("line %d: %s, not %s", cases[i].line, got, cases[i].wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_owner_s_owner_is_told_where_names_are_certain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

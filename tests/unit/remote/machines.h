/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* machines.h - views of several small machines, each with the same unit and a pod of one owner. */
#ifndef TESTS_UNIT_REMOTE_MACHINES_H
#define TESTS_UNIT_REMOTE_MACHINES_H

#include <stdio.h>
#include <string.h>

#include "remote/view.h"

#define MACHINE_BEGIN_NS 1000000000000ull
#define MACHINE_ID "1111111111111111111111111111111111111111111111111111111111111111"

struct machine_view {
	const char *node, *model, *start; /* start: of the serve; NULL: "2026" */
	const char *condition; /* of its node; NULL: one that is known */
	uint64_t second; /* at which the view is taken */
	int unit_ms, web_ms; /* that both had so far; half of their slots retire */
	bool general, waits, vendor;
};

static inline struct ctd_remote_view machine_view(const struct machine_view *of)
{
	char text[8192], why[CTD_REMOTE_WHY_BYTES] = "", total[2][1024];
	const int ms[] = {of->unit_ms, of->web_ms};
	struct ctd_remote_view view;

	for (int i = 0; i < 2; i++)
		snprintf(total[i], sizeof(total[i]),
			 "{\"since\":\"2026\",\"cpu_ns\":%d,\"counted_ns\":%d,\"slices\":%d,"
			 "\"slots\":%d,\"node_slots\":{\"retiring\":%d}%s}",
			 ms[i] * 1000000, ms[i] * 1000000, ms[i], ms[i] * 4000000, ms[i] * 2000000,
			 of->waits ? ",\"waits\":{\"other_ns\":7}" : "");
	snprintf(text, sizeof(text),
		 "{\"schema\":\"cgtopdown/view/1\",\"node\":\"%s\",\"boot_id\":\"b\","
		 "\"start\":\"%s\",\"source\":\"zen_dispatch\",\"sequence\":%d,\"time_ns\":%llu,"
		 "\"elapsed_ns\":%llu,"
		 "\"interval_ns\":1000000000,\"look_ns\":100000000,\"cpus\":4,\"general\":%s,"
		 "\"vendor_metrics\":[%s],"
		 "\"total\":{\"unattributed_ns\":%d,\"bpf_ns\":%d,\"switches\":%d},"
		 "\"core_types\":[{\"core\":null,\"source\":\"zen_dispatch\",\"level\":1,"
		 "\"rotation\":2,\"cpus\":4,\"model\":{\"name\":\"%s\"},"
		 "\"total\":{\"unattributed_slots\":%d,\"residual_slots\":-%d},"
		 "\"nodes\":[{\"name\":\"retiring\",\"title\":\"Retiring\",\"level\":1,"
		 "\"role\":\"retiring\",\"condition\":\"%s\"}%s]}],\"rows\":["
		 "{\"key\":\"u\",\"kind\":\"cgroup\",\"cgroup\":\"/system.slice/ssh.service\","
		 "\"total\":%s},"
		 "{\"key\":\"w\",\"kind\":\"container\","
		 "\"cgroup\":\"/kubepods.slice/cri-containerd-" MACHINE_ID ".scope\","
		 "\"namespace\":\"shop\",\"pod\":\"web-%s\",\"container\":\"nginx\","
		 "\"owner_kind\":\"Deployment\",\"owner\":\"web\",\"total\":%s}]}",
		 of->node, of->start ? of->start : "2026", (int)of->second + 1,
		 (unsigned long long)(MACHINE_BEGIN_NS + of->second * 1000000000),
		 (unsigned long long)((of->second + 1) * 1000000000),
		 of->general ? "true" : "false", of->vendor ? "{}" : "", 10 * (int)of->second,
		 500 * (int)of->second, 10 * (int)of->second, of->model, 8 * (int)of->second,
		 2 * (int)of->second, of->condition ? of->condition : "retiring > 0.7",
		 of->general ? ",{\"name\":\"ipc\",\"title\":\"IPC\",\"role\":\"ipc\"}" : "",
		 total[0], of->node, total[1]);
	if (ctd_remote_view_parse(text, strlen(text), &view, why))
		fail_msg("%s", why);
	return view;
}

#endif

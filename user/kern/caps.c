/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* caps.c - what each capability of the kernel is for, in words for people. */
#include <cgtopdown/caps.h>

enum ctd_cap ctd_caps_first_missing(const struct ctd_caps *caps)
{
	enum ctd_cap cap = 0;

	while (cap < CTD_CAP_COUNT && (!ctd_cap_texts[cap].required || caps->answer[cap].present))
		cap++;
	return cap;
}

const struct ctd_cap_text ctd_cap_texts[CTD_CAP_COUNT] = {
	[CTD_CAP_BTF] =
		{
			.name = "BTF",
			.required = true,
			.purpose = "fits the programs to this kernel's structures",
			.remedy = "take a kernel with CONFIG_DEBUG_INFO_BTF=y",
			.since = "341dfcf8d78e (\"btf: expose BTF info through sysfs\")",
		},
	[CTD_CAP_BPF] =
		{
			.name = "bpf(2)",
			.required = true,
			.purpose = "makes maps and loads programs",
			.remedy =
				"run as root or with CAP_BPF; in a container, its seccomp profile must allow bpf(2)",
			.since = "a17b53c4a4b5 (\"bpf, capability: Introduce CAP_BPF\")",
		},
	[CTD_CAP_PERFMON] =
		{
			.name = "tracing programs",
			.required = true,
			.purpose = "look at every switch of every CPU",
			.remedy = "run as root or with CAP_PERFMON besides CAP_BPF",
			.since =
				"980737282232 (\"capabilities: Introduce CAP_PERFMON to kernel and user space\")",
		},
	[CTD_CAP_TP_BTF] =
		{
			.name = "tp_btf",
			.required = true,
			.purpose = "closes slices in sched_switch, with typed arguments",
			.remedy = "take Linux 5.10 or later, with CONFIG_BPF_EVENTS=y",
			.since =
				"9e15db66136a (\"bpf: Implement accurate raw_tp context access via BTF\")",
		},
	[CTD_CAP_TEST_RUN_ON_CPU] =
		{
			.name = "run on a CPU",
			.required = true,
			.purpose = "closes the open slice of each CPU for a snapshot",
			.remedy = "take Linux 5.10 or later",
			.since =
				"1b4d60ec162f (\"bpf: Enable BPF_PROG_TEST_RUN for raw_tracepoint\")",
		},
	[CTD_CAP_RDONLY_CAST] =
		{
			.name = "bpf_rdonly_cast",
			.required = false,
			.purpose = "reads counts with plain loads, a little faster",
			.remedy = "nothing needs to be done; Linux 6.2 and later have it",
			.since = "a35b9af4ec2c (\"bpf: Add a kfunc for generic type cast\")",
		},
	[CTD_CAP_CGROUP_EVENTS] =
		{
			.name = "cgroup events",
			.required = true,
			.purpose = "follow cgroups and the tasks moved between them",
			.remedy = "take a kernel with CONFIG_CGROUPS=y and tracepoints",
			/* Its hash could not be checked; the title is unique. */
			.since = "\"cgroup: add tracepoints for basic operations\"",
		},
	[CTD_CAP_WAITS] =
		{
			.name = "run-queue waits",
			.required = false,
			.purpose = "tells how long tasks wait for a CPU (--waits)",
			.remedy =
				"take a kernel with CONFIG_SCHED_INFO=y (CONFIG_SCHEDSTATS or CONFIG_TASK_DELAY_ACCT) and CONFIG_FAIR_GROUP_SCHED=y",
			.since = "1da177e4c3f4 (\"Linux-2.6.12-rc2\")",
		},
	[CTD_CAP_MOVED_WAITS] =
		{
			.name = "moved waits",
			.required = false,
			.purpose = "adds what tasks waited before they were moved to another CPU",
			.remedy =
				"take a kernel with CONFIG_SCHEDSTATS=y; without, --waits lacks them",
			.since = "1da177e4c3f4 (\"Linux-2.6.12-rc2\")",
		},
};

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* caps.h - what this kernel and this process can do: facts, each asked of the kernel, none inferred
 * from a version. */
#ifndef CGTOPDOWN_CAPS_H
#define CGTOPDOWN_CAPS_H

#include <stdbool.h>
#include <stddef.h>

/* One requirement or feature. The order is the order in which `doctor` prints them. */
enum ctd_cap {
	CTD_CAP_BTF, /* /sys/kernel/btf/vmlinux */
	CTD_CAP_BPF, /* bpf(2) may be used: CAP_BPF or CAP_SYS_ADMIN */
	CTD_CAP_PERFMON, /* tracing programs and CPU-wide events: CAP_PERFMON or CAP_SYS_ADMIN */
	CTD_CAP_TP_BTF, /* BTF-typed tracepoints */
	CTD_CAP_TEST_RUN_ON_CPU, /* a program can be run on a CPU of choice: the flush. Kernels that
				    have it have all kinds of maps that we use */
	CTD_CAP_RDONLY_CAST, /* bpf_rdonly_cast(): siblings' counts by plain loads; optional */
	CTD_CAP_CGROUP_EVENTS, /* tp_btf/cgroup_mkdir, cgroup_rmdir, cgroup_rename,
				  cgroup_attach_task */
	CTD_CAP_WAITS, /* the kernel notes since when a task waits for a CPU; optional */
	CTD_CAP_MOVED_WAITS, /* and what tasks waited before they were moved to another CPU;
				optional */
	CTD_CAP_COUNT,
};

/* The answer to one question. */
struct ctd_cap_answer {
	bool present;
	int error; /* 0, or the negative errno that the kernel gave */
};

struct ctd_caps {
	struct ctd_cap_answer answer[CTD_CAP_COUNT];
};

/* What a capability is for, in words for people. */
struct ctd_cap_text {
	const char *name; /* short, as printed */
	bool required; /* the main job cannot run without it */
	const char *purpose; /* what needs it */
	const char *remedy; /* what a user can do */
	const char *since; /* kernel commit that introduced it: hash ("title") */
};
extern const struct ctd_cap_text ctd_cap_texts[CTD_CAP_COUNT];

/*
 * Asks the kernel each question. Needs no privilege to be called: what may not be asked is answered
 * absent with -EPERM.
 * @return 0, or -ENOMEM. @p ret_caps is filled on success.
 */
int ctd_caps_probe(struct ctd_caps *ret_caps);

/* First required capability that is missing, or CTD_CAP_COUNT. */
enum ctd_cap ctd_caps_first_missing(const struct ctd_caps *caps);

#endif

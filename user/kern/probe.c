/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* probe.c - asks the kernel what it can do, by doing each thing once on a small scale. */
#include <cgtopdown/caps.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/root.h"

/* All that the programs of this file are made of. */
#define SET_CONSTANT(to, value) \
	((struct bpf_insn){.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (to), .imm = (value)})
#define CALL_KFUNC(btf_id)  \
	((struct bpf_insn){ \
		.code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_KFUNC_CALL, .imm = (btf_id)})
#define END ((struct bpf_insn){.code = BPF_JMP | BPF_EXIT})

static const struct bpf_insn do_nothing[] = {SET_CONSTANT(BPF_REG_0, 0), END};
#define DO_NOTHING do_nothing, sizeof(do_nothing) / sizeof(*do_nothing)

/* @return 0, or negative errno of what cannot be made. Closes what could. */
static int close_made(int fd)
{
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int load_raw_tp(const struct bpf_insn *instructions, size_t count)
{
	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "cgtd_probe", "GPL", instructions, count,
			     NULL);
}

static int probe_btf(void)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);

	return close_made(fd < 0 ? -errno : fd);
}

/* Unlike an array, a hash with eviction is never for the unprivileged. */
static int probe_bpf(void)
{
	return close_made(bpf_map_create(BPF_MAP_TYPE_LRU_HASH, "cgtd_probe", sizeof(uint32_t),
					 sizeof(uint32_t), 1, NULL));
}

static int probe_perfmon(void)
{
	return close_made(load_raw_tp(DO_NOTHING));
}

/* A tracepoint has a type in BTF, btf_trace_<name>, that a program is checked against. */
static int probe_tracepoint(const struct btf *btf, const char *type_name)
{
	int type = btf__find_by_name_kind(btf, type_name, BTF_KIND_TYPEDEF);
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_RAW_TP);

	if (type < 0)
		return type;
	options.attach_btf_id = type;
	return close_made(
		bpf_prog_load(BPF_PROG_TYPE_TRACING, "cgtd_probe", "GPL", DO_NOTHING, &options));
}

static int probe_cgroup_events(const struct btf *btf)
{
	static const char *const types[] = {"btf_trace_cgroup_mkdir", "btf_trace_cgroup_rmdir",
					    "btf_trace_cgroup_rename",
					    "btf_trace_cgroup_attach_task"};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(types) / sizeof(*types); i++)
		err = probe_tracepoint(btf, types[i]);
	return err;
}

/* The CPU may go offline before the program runs there: then we run on another one. */
static int probe_test_run(void)
{
	LIBBPF_OPTS(bpf_test_run_opts, run, .flags = BPF_F_TEST_RUN_ON_CPU);
	autoclose int program = load_raw_tp(DO_NOTHING);
	int error, tries = 0;

	if (program < 0)
		return program;
	do {
		run.cpu = (uint32_t)sched_getcpu();
		error = bpf_prog_test_run_opts(program, &run);
	} while (error == -ENXIO && ++tries < 10);
	return error;
}

/* The object to cast is the context, which is in register 1 already. */
static int probe_cast(int function, int type)
{
	const struct bpf_insn cast[] = {SET_CONSTANT(BPF_REG_2, type), CALL_KFUNC(function),
					SET_CONSTANT(BPF_REG_0, 0), END};

	return close_made(load_raw_tp(cast, sizeof(cast) / sizeof(*cast)));
}

/* Being in BTF is not enough: the kernel must let programs call it. */
static int probe_rdonly_cast(const struct btf *btf)
{
	int function = btf__find_by_name_kind(btf, "bpf_rdonly_cast", BTF_KIND_FUNC);
	int type = btf__find_by_name_kind(btf, "perf_event", BTF_KIND_STRUCT);

	return function < 0 || type < 0 ? -ENOENT : probe_cast(function, type);
}

static bool has_member(const struct btf *btf, const char *type, const char *member)
{
	int id = btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT);
	const struct btf_type *is = id < 0 ? NULL : btf__type_by_id(btf, (uint32_t)id);

	for (int i = 0; is && i < btf_vlen(is); i++) {
		if (strcmp(btf__name_by_offset(btf, btf_members(is)[i].name_off), member) == 0)
			return true;
	}
	return false;
}

/* Some kernels have the fields, and fill them only where delay accounting is on: then this process,
 * which runs, has never been given a CPU. */
static int probe_waits(const struct btf *btf)
{
	char text[128], *times_run;

	if (!btf || !has_member(btf, "sched_info", "last_queued") ||
	    !has_member(btf, "cfs_rq", "rq") || !has_member(btf, "sched_entity", "cfs_rq"))
		return -EOPNOTSUPP;
	if (ctd_root_read(text, sizeof(text), "/proc/self/schedstat") < 0)
		return -errno;
	/* Time run, time waited, times run. */
	times_run = strrchr(text, ' ');
	return times_run && strtoull(times_run, NULL, 10) ? 0 : -ENODATA;
}

/* @p btf: NULL if it cannot be read. */
static int probe(enum ctd_cap cap, const struct btf *btf)
{
	switch (cap) {
	case CTD_CAP_BTF:
		return probe_btf();
	case CTD_CAP_BPF:
		return probe_bpf();
	case CTD_CAP_PERFMON:
		return probe_perfmon();
	case CTD_CAP_TP_BTF:
		return btf ? probe_tracepoint(btf, "btf_trace_sched_switch") : -ENOENT;
	case CTD_CAP_TEST_RUN_ON_CPU:
		return probe_test_run();
	case CTD_CAP_RDONLY_CAST:
		return btf ? probe_rdonly_cast(btf) : -ENOENT;
	case CTD_CAP_CGROUP_EVENTS:
		return btf ? probe_cgroup_events(btf) : -ENOENT;
	case CTD_CAP_WAITS:
		return probe_waits(btf);
	case CTD_CAP_MOVED_WAITS:
		return btf && has_member(btf, "rq", "rq_sched_info") ? probe_waits(btf)
								     : -EOPNOTSUPP;
	case CTD_CAP_COUNT:
		break;
	}
	return -EINVAL;
}

int ctd_caps_probe(struct ctd_caps *ret_caps)
{
	/* A refusal is an answer, not a reason for libbpf to warn. */
	libbpf_print_fn_t print = libbpf_set_print(NULL);
	struct btf *btf = btf__load_vmlinux_btf();
	struct ctd_caps caps;

	libbpf_set_print(print);
	if (!btf && errno == ENOMEM)
		return -ENOMEM;
	for (int cap = 0; cap < CTD_CAP_COUNT; cap++) {
		int err = probe(cap, btf);

		caps.answer[cap] = (struct ctd_cap_answer){.present = !err, .error = err};
	}
	btf__free(btf);
	*ret_caps = caps;
	return 0;
}

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
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"

/* All that the programs of this file are made of. */
#define SET_CONSTANT(to, value) \
	((struct bpf_insn){.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (to), .imm = (value)})
#define CALL_KFUNC(btf_id)  \
	((struct bpf_insn){ \
		.code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_KFUNC_CALL, .imm = (btf_id)})
#define END ((struct bpf_insn){.code = BPF_JMP | BPF_EXIT})

static const struct bpf_insn do_nothing[] = {SET_CONSTANT(BPF_REG_0, 0), END};
#define DO_NOTHING do_nothing, sizeof(do_nothing) / sizeof(*do_nothing)

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
	[CTD_CAP_MMAP_ARRAY] =
		{
			.name = "mapped arrays",
			.required = true,
			.purpose = "lets totals be read without system calls",
			.remedy = "take Linux 5.10 or later",
			.since =
				"fc9702273e2e (\"bpf: Add mmap() support for BPF_MAP_TYPE_ARRAY\")",
		},
	[CTD_CAP_STACK_MAP] =
		{
			.name = "stack maps",
			.required = true,
			.purpose = "hold the rows that are free",
			.remedy = "take Linux 5.10 or later",
			.since = "f1a2e44a3aec (\"bpf: add queue and stack maps\")",
		},
	[CTD_CAP_RINGBUF] =
		{
			.name = "ring buffers",
			.required = true,
			.purpose = "tell of cgroups that come and go",
			.remedy = "take Linux 5.10 or later",
			.since =
				"457f44363a88 (\"bpf: Implement BPF ring buffer and verifier support for it\")",
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
};

/* @return 0, or negative errno of what cannot be made. Closes what could. */
static int close_made(int fd)
{
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int make_map(enum bpf_map_type type, uint32_t key_bytes, uint32_t value_bytes,
		    uint32_t entries, uint32_t flags)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = flags);

	return bpf_map_create(type, "ctd_probe", key_bytes, value_bytes, entries, &options);
}

static int load_raw_tp(const struct bpf_insn *instructions, size_t count)
{
	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "ctd_probe", "GPL", instructions, count,
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
	return close_made(
		make_map(BPF_MAP_TYPE_LRU_HASH, sizeof(uint32_t), sizeof(uint32_t), 1, 0));
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
		bpf_prog_load(BPF_PROG_TYPE_TRACING, "ctd_probe", "GPL", DO_NOTHING, &options));
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

static int probe_test_run(void)
{
	LIBBPF_OPTS(bpf_test_run_opts, run, .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = sched_getcpu());
	autoclose int program = load_raw_tp(DO_NOTHING);

	return program < 0 ? program : bpf_prog_test_run_opts(program, &run);
}

static int probe_mmap_array(void)
{
	size_t page_bytes = sysconf(_SC_PAGESIZE);
	autoclose int map =
		make_map(BPF_MAP_TYPE_ARRAY, sizeof(uint32_t), sizeof(uint64_t), 1, BPF_F_MMAPABLE);
	void *memory;

	if (map < 0)
		return map;
	memory = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (memory == MAP_FAILED)
		return -errno;
	munmap(memory, page_bytes);
	return 0;
}

static int probe_stack_map(void)
{
	return close_made(make_map(BPF_MAP_TYPE_STACK, 0, sizeof(uint32_t), 1, 0));
}

static int probe_ringbuf(void)
{
	return close_made(make_map(BPF_MAP_TYPE_RINGBUF, 0, 0, sysconf(_SC_PAGESIZE), 0));
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
	case CTD_CAP_MMAP_ARRAY:
		return probe_mmap_array();
	case CTD_CAP_STACK_MAP:
		return probe_stack_map();
	case CTD_CAP_RINGBUF:
		return probe_ringbuf();
	case CTD_CAP_RDONLY_CAST:
		return btf ? probe_rdonly_cast(btf) : -ENOENT;
	case CTD_CAP_CGROUP_EVENTS:
		return btf ? probe_cgroup_events(btf) : -ENOENT;
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

enum ctd_cap ctd_caps_first_missing(const struct ctd_caps *caps)
{
	enum ctd_cap cap = 0;

	while (cap < CTD_CAP_COUNT && (!ctd_cap_texts[cap].required || caps->answer[cap].present))
		cap++;
	return cap;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* load.c - loads and attaches the programs, and releases them. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"
#include "base/root.h"
#include "bpf/topdown.skel.h"
#include "bpf/topdown_direct.skel.h"
#include "kern/object.h"
#include "kern/topdown/topdown.h"

#define COMMS_MAX 16384
/* So much is taken without a word. */
#define LARGE_BYTES (256ull << 20)

static int set_sizes(struct ctd_kern *kern)
{
	const struct ctd_kern_options *options = &kern->options;
	struct cgtd_topdown *skeleton = kern->skeleton;
	bool counting = kern->read != CTD_READ_NONE && kern->read != CTD_READ_SIM;
	uint32_t profiles = options->profiles ? options->profiles->count + 1 : 1;
	uint32_t pairs = options->waits ? options->cpus * (options->siblings ? 2 : 1) : 1;

	const struct ctd_object_size sizes[] = {
		{skeleton->maps.cgtd_cpus, options->cpus, 0},
		{skeleton->maps.cgtd_rows, kern->rows_max, kern->row_bytes},
		{skeleton->maps.cgtd_row_index, kern->rows_max, 0},
		{skeleton->maps.cgtd_free_rows, kern->rows_max, 0},
		{skeleton->maps.cgtd_counters, counting ? kern->counters_count * options->cpus : 1,
		 0},
		{skeleton->maps.cgtd_comms, options->by == CTD_BY_CGROUP ? 1 : COMMS_MAX, 0},
		{skeleton->maps.cgtd_profiles, profiles, 0},
		{skeleton->maps.cgtd_waits,
		 options->waits ? CTD_WAIT_ROWS(kern->rows_max, options->cpus) : 1, 0},
		{skeleton->maps.cgtd_wait_cpus, options->waits ? options->cpus : 1, 0},
		{skeleton->maps.cgtd_pairs, pairs, 0},
		{skeleton->maps.cgtd_siblings, options->siblings ? options->cpus : 1, 0},
	};

	return ctd_object_size(sizes, sizeof(sizes) / sizeof(*sizes));
}

/* Of one row in all maps and tables. */
static uint64_t memory_of_row(const struct ctd_kern *kern)
{
	/* A hash element: its header of 48 bytes, key, value, and a bucket of 16. */
	uint64_t index_bytes = 48 + sizeof(struct ctd_row_key) + 8 + 16;

	uint64_t waits_bytes = kern->options.waits ? sizeof(struct ctd_wait_row) : 0;

	return kern->row_bytes + waits_bytes + index_bytes + sizeof(uint32_t);
}

/* Memory that can be had without swapping, or 0 where the kernel does not say. */
static uint64_t available_memory(void)
{
	char text[4096];
	const char *line;

	if (ctd_root_read(text, sizeof(text), "/proc/meminfo") < 0)
		return 0;
	line = strstr(text, "MemAvailable:");
	return line ? strtoull(line + strlen("MemAvailable:"), NULL, 10) << 10 : 0;
}

/* The kernel takes the memory of all rows at once, and would push out others for it. */
static int check_memory(const struct ctd_kern *kern)
{
	uint64_t bytes = kern->rows_max * memory_of_row(kern), available;

	if (bytes < LARGE_BYTES)
		return 0;
	available = available_memory();
	if (available && bytes > available) {
		ctd_log(CTD_LOG_ERROR,
			"room for %" PRIu32
			" rows takes %.1f GB of memory, and %.1f GB are available: name fewer with --rows",
			kern->rows_max, (double)bytes / 1e9, (double)available / 1e9);
		return -ENOMEM;
	}
	ctd_log(kern->options.rows_max ? CTD_LOG_WARNING : CTD_LOG_INFO,
		"room for %" PRIu32 " rows takes %.1f GB of memory (--rows)", kern->rows_max,
		(double)bytes / 1e9);
	return 0;
}

static int map_memory(struct ctd_kern *kern)
{
	kern->cpus = ctd_object_map(kern->skeleton->maps.cgtd_cpus, &kern->cpus_bytes);
	if (!kern->cpus)
		return -ENOMEM;
	kern->tenants = ctd_object_map(kern->skeleton->maps.cgtd_tenants, &kern->tenants_bytes);
	kern->rows = ctd_object_map(kern->skeleton->maps.cgtd_rows, &kern->rows_map_bytes);
	if (!kern->rows || !kern->tenants || !kern->options.waits)
		return kern->rows && kern->tenants ? 0 : -ENOMEM;
	kern->waits = ctd_object_map(kern->skeleton->maps.cgtd_waits, &kern->waits_bytes);
	kern->pairs = ctd_object_map(kern->skeleton->maps.cgtd_pairs, &kern->pairs_bytes);
	if (!kern->waits || !kern->pairs || !kern->options.siblings)
		return kern->waits && kern->pairs ? 0 : -ENOMEM;
	kern->siblings = ctd_object_map(kern->skeleton->maps.cgtd_siblings, &kern->siblings_bytes);
	return kern->siblings ? 0 : -ENOMEM;
}

/* Epoch 0 marks a bank that was never written: charges begin with 1. */
static void begin_epochs(struct ctd_kern *kern)
{
	kern->epoch = 1;
	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		kern->cpus[cpu].epoch = kern->epoch;
		kern->cpus[cpu].wanted_epoch = kern->epoch;
	}
}

static int fill_free_rows(struct ctd_kern *kern)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	int fd = bpf_program__fd(kern->skeleton->progs.cgtd_fill);

	kern->skeleton->bss->unfilled_rows = kern->rows_max;
	while (kern->skeleton->bss->unfilled_rows) {
		if (bpf_prog_test_run_opts(fd, &run))
			return ctd_log_error(-errno, "fill the BPF map 'cgtd_free_rows'");
		if (run.retval)
			return ctd_log_error(-E2BIG, "fill the BPF map 'cgtd_free_rows'");
	}
	return 0;
}

static int fill_profiles(struct ctd_kern *kern)
{
	const struct ctd_sim_profiles *profiles = kern->options.profiles;
	int fd = bpf_map__fd(kern->skeleton->maps.cgtd_profiles);

	for (size_t i = 0; profiles && i < profiles->count; i++) {
		const struct ctd_sim_entry *entry = &profiles->entries[i];

		if (bpf_map_update_elem(fd, entry->comm, &entry->profile, BPF_ANY))
			return ctd_log_error(-errno, "store the simulated profile of '%s'",
					     entry->comm);
	}
	return 0;
}

static int allocate(struct ctd_kern *kern)
{
	int cpus = kern->options.cpus;

	kern->core_type_of = calloc(cpus, sizeof(*kern->core_type_of));
	kern->online = calloc(cpus, sizeof(*kern->online));
	kern->fenced = calloc(cpus, sizeof(*kern->fenced));
	kern->long_slice_links = calloc(cpus, sizeof(struct bpf_link *));
	kern->order = calloc(kern->rows_max, sizeof(*kern->order));
	kern->listed = calloc(kern->rows_max, sizeof(*kern->listed));
	kern->tenant_told = calloc(CTD_TENANTS_MAX, sizeof(*kern->tenant_told));
	kern->freed = calloc(cpus, sizeof(*kern->freed));
	kern->shown = calloc(cpus, sizeof(*kern->shown));
	kern->newest = calloc(cpus, sizeof(*kern->newest));
	if (!kern->core_type_of || !kern->online || !kern->fenced || !kern->long_slice_links ||
	    !kern->order || !kern->listed || !kern->tenant_told || !kern->freed || !kern->shown ||
	    !kern->newest)
		return ctd_log_error(-ENOMEM, "allocate the collector's tables");
	memcpy(kern->online, kern->options.online, cpus * sizeof(*kern->online));
	memcpy(kern->fenced, kern->options.fenced, cpus * sizeof(*kern->fenced));
	for (int cpu = 0; cpu < cpus; cpu++)
		ctd_kern_take_core_type(kern, cpu);
	ctd_kern_take_siblings(kern);
	return 0;
}

/*
 * Two objects are compiled from one source, with and without plain loads of siblings' counts. Their
 * maps, knobs and programs are the same, so one skeleton takes the bytes of either.
 */
static int open_object(struct ctd_kern *kern)
{
	struct cgtd_topdown *skeleton = calloc(1, sizeof(*skeleton));
	size_t elf_bytes = 0;
	const void *elf = kern->direct ? cgtd_topdown_direct__elf_bytes(&elf_bytes) : NULL;

	kern->skeleton = skeleton;
	if (!skeleton || cgtd_topdown__create_skeleton(skeleton))
		return ctd_log_error(-ENOMEM, "open the BPF object");
	return ctd_object_open(skeleton->skeleton, elf, elf_bytes);
}

static int load(struct ctd_kern *kern)
{
	int error = check_memory(kern);

	if (!error)
		error = open_object(kern);
	if (!error)
		error = ctd_kern_set_knobs(kern);
	if (!error)
		error = set_sizes(kern);
	if (!error)
		error = ctd_object_load(kern->skeleton->skeleton);
	if (!error)
		error = map_memory(kern);
	if (!error)
		error = allocate(kern);
	if (error)
		return error;
	begin_epochs(kern);
	error = fill_free_rows(kern);
	if (!error)
		error = fill_profiles(kern);
	return error ? error : ctd_kern_open_events(kern);
}

int ctd_kern_load(const struct ctd_kern_options *options, struct ctd_kern **ret_kern)
{
	struct ctd_kern *kern;
	int error;

	if (options->cpus > CTD_CPUS_MAX) {
		ctd_log(CTD_LOG_ERROR, "this machine may have %d CPUs; at most %d are supported",
			options->cpus, CTD_CPUS_MAX);
		return -E2BIG;
	}
	kern = calloc(1, sizeof(*kern));
	if (!kern)
		return ctd_log_error(-ENOMEM, "allocate the collector");
	kern->options = *options;
	if (!kern->options.core_types_count)
		kern->options.core_types_count = 1;
	if (!kern->options.waits)
		kern->options.siblings = NULL;
	ctd_kern_choose(kern);
	error = load(kern);
	if (error) {
		ctd_kern_free(kern);
		return error;
	}
	*ret_kern = kern;
	return 0;
}

int ctd_kern_attach(struct ctd_kern *kern)
{
	int error = ctd_object_attach(kern->skeleton->skeleton);

	if (error)
		return error;
	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		error = kern->online[cpu] ? ctd_kern_watch_cpu(kern, cpu, true) : 0;
		if (error && error != -ENODEV)
			return error;
		kern->online[cpu] = kern->online[cpu] && !error;
	}
	return ctd_kern_flush(kern, NULL);
}

int ctd_kern_task_name(struct ctd_kern *kern, uint32_t pid, struct ctd_task_name *ret_name)
{
	return bpf_map_lookup_elem(bpf_map__fd(kern->skeleton->maps.cgtd_comms), &pid, ret_name)
		       ? -ENOENT
		       : 0;
}

void ctd_kern_memory(const struct ctd_kern *kern, uint64_t *ret_bytes, uint64_t *ret_row_bytes)
{
	*ret_row_bytes = memory_of_row(kern);
	*ret_bytes = ctd_object_memory(kern->skeleton->skeleton);
}

void ctd_kern_free(struct ctd_kern *kern)
{
	if (!kern)
		return;
	if (kern->skeleton)
		cgtd_topdown__detach(kern->skeleton);
	for (int cpu = 0; kern->long_slice_links && cpu < kern->options.cpus; cpu++)
		ctd_kern_watch_cpu(kern, cpu, false);
	ring_buffer__free(kern->events);
	if (kern->cpus)
		munmap(kern->cpus, kern->cpus_bytes);
	if (kern->rows)
		munmap(kern->rows, kern->rows_map_bytes);
	if (kern->tenants)
		munmap(kern->tenants, kern->tenants_bytes);
	if (kern->waits)
		munmap(kern->waits, kern->waits_bytes);
	if (kern->pairs)
		munmap(kern->pairs, kern->pairs_bytes);
	if (kern->siblings)
		munmap(kern->siblings, kern->siblings_bytes);
	ctd_pairs_free(&kern->pair_totals);
	cgtd_topdown__destroy(kern->skeleton);
	free(kern->core_type_of);
	free(kern->online);
	free(kern->fenced);
	free(kern->long_slice_links);
	free(kern->order);
	free(kern->listed);
	free(kern->tenant_told);
	free(kern->freed);
	free(kern->shown);
	free(kern->newest);
	ctd_idmap_free(&kern->removed);
	free(kern);
}

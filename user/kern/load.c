/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* load.c - loads and attaches the programs, and takes them away again. */
#include "kern/kern.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/log.h"
#include "bpf/topdown.skel.h"
#include "bpf/topdown_direct.skel.h"

#define COMMS_MAX 16384

/* libbpf's words are for those who asked for them; the verifier's come as one text of many lines. */
__attribute__((format(printf, 2, 0))) static int print_libbpf(enum libbpf_print_level level,
							      const char *format, va_list arguments)
{
	enum ctd_log_level as = level <= LIBBPF_WARN ? CTD_LOG_INFO : CTD_LOG_DEBUG;
	autofree char *text = NULL;
	char *rest, *line;

	if (ctd_log_level() < as || vasprintf(&text, format, arguments) < 0)
		return 0;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		ctd_log(as, "%s", line);
	return 0;
}

/* The number that the running kernel gives a controller in css_set.subsys[]; -1 for v2. */
static int find_subsystem(const char *controller, int *ret_index)
{
	char name[64];
	struct btf *btf;
	int id, error = -ENOENT;

	if (!controller || !*controller) {
		*ret_index = -1;
		return 0;
	}
	snprintf(name, sizeof(name), "%s_cgrp_id",
		 strcmp(controller, "blkio") == 0 ? "io" : controller);
	btf = btf__load_vmlinux_btf();
	if (!btf)
		return ctd_log_error(-errno, "read the kernel's BTF");
	id = btf__find_by_name_kind(btf, "cgroup_subsys_id", BTF_KIND_ENUM);
	if (id > 0) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const struct btf_enum *value = btf_enum(type);

		for (int i = 0; i < btf_vlen(type); i++, value++) {
			if (strcmp(btf__name_by_offset(btf, value->name_off), name) != 0)
				continue;
			*ret_index = value->val;
			error = 0;
		}
	}
	btf__free(btf);
	if (error)
		ctd_log(CTD_LOG_ERROR, "this kernel has no cgroup controller '%s'", controller);
	return error;
}

static int cores_count(const struct ctd_kern_options *options)
{
	return options->core_types_count ? options->core_types_count : 1;
}

/* How all kinds of cores are read, and all groups of theirs, if that is one way. */
static enum ctd_read common_read(const struct ctd_kern_options *options)
{
	for (int core = 0; core < cores_count(options); core++) {
		const struct ctd_counter_plan *plan = &options->plans[core];

		if (plan->read != options->plans[0].read ||
		    (plan->general && plan->read == CTD_READ_LEADER))
			return CTD_READ_MIXED;
	}
	return options->plans[0].read;
}

static bool has_leader(const struct ctd_kern_options *options)
{
	bool has = false;

	for (int core = 0; core < cores_count(options); core++)
		has |= options->plans[core].read == CTD_READ_LEADER;
	return has;
}

static uint32_t counters_of(const struct ctd_kern_options *options)
{
	int most = 0;

	for (int core = 0; core < cores_count(options); core++) {
		const struct ctd_counter_plan *plan = &options->plans[core];

		if (plan->read != CTD_READ_NONE && plan->events_count > most)
			most = plan->events_count;
	}
	return (uint32_t)most;
}

static int set_knobs(struct ctd_kern *kern)
{
	const struct ctd_kern_options *options = &kern->options;
	struct topdown_bpf *skeleton = kern->skeleton;
	int subsystem = -1, error;

	error = find_subsystem(options->controller, &subsystem);
	if (error)
		return error;
	skeleton->rodata->cfg_read = kern->read;
	skeleton->rodata->cfg_counters = kern->counters_count;
	skeleton->rodata->cfg_by = options->by;
	skeleton->rodata->cfg_cpus = options->cpus;
	skeleton->rodata->cfg_subsystem = subsystem;
	skeleton->rodata->cfg_hierarchy = (int)options->hierarchy_id;
	skeleton->rodata->cfg_max_slice_ns = options->max_slice_ns;

	if (!options->max_slice_ns)
		bpf_program__set_autoload(skeleton->progs.on_long_slice, false);
	if (options->by == CTD_BY_CGROUP)
		bpf_program__set_autoload(skeleton->progs.on_exec, false);
	if (!has_leader(options))
		bpf_program__set_autoload(skeleton->progs.on_resolve, false);
	return 0;
}

static int set_sizes(struct ctd_kern *kern)
{
	const struct ctd_kern_options *options = &kern->options;
	struct topdown_bpf *skeleton = kern->skeleton;
	bool counting = kern->read != CTD_READ_NONE && kern->read != CTD_READ_SIM;
	uint32_t profiles = options->profiles ? options->profiles->count + 1 : 1;

	kern->rows_max = options->rows_max;
	if (!kern->rows_max)
		kern->rows_max = CTD_ROWS_PER_CPU * options->cpus;
	if (!options->rows_max && kern->rows_max < CTD_ROWS_LEAST)
		kern->rows_max = CTD_ROWS_LEAST;
	kern->row_bytes = CTD_ROW_BYTES(kern->counters_count);

	if (bpf_map__set_max_entries(skeleton->maps.cpus, options->cpus) ||
	    bpf_map__set_max_entries(skeleton->maps.rows, kern->rows_max) ||
	    bpf_map__set_value_size(skeleton->maps.rows, (uint32_t)kern->row_bytes) ||
	    bpf_map__set_max_entries(skeleton->maps.row_index, kern->rows_max) ||
	    bpf_map__set_max_entries(skeleton->maps.free_rows, kern->rows_max) ||
	    bpf_map__set_max_entries(skeleton->maps.counters,
				     counting ? kern->counters_count * options->cpus : 1) ||
	    bpf_map__set_max_entries(skeleton->maps.comms,
				     options->by == CTD_BY_CGROUP ? 1 : COMMS_MAX) ||
	    bpf_map__set_max_entries(skeleton->maps.profiles, profiles))
		return ctd_log_error(-EINVAL, "size the BPF maps");
	return 0;
}

static size_t whole_pages(size_t bytes)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

static void *map_array(const struct bpf_map *map, size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);

	if (memory != MAP_FAILED)
		return memory;
	ctd_log_error(-errno, "map the BPF array '%s' (%zu bytes)", bpf_map__name(map), bytes);
	return NULL;
}

static int map_memory(struct ctd_kern *kern)
{
	kern->cpus_bytes = whole_pages(kern->options.cpus * sizeof(struct ctd_cpu_state));
	kern->rows_map_bytes = whole_pages((size_t)kern->rows_max * kern->row_bytes);
	kern->cpus = map_array(kern->skeleton->maps.cpus, kern->cpus_bytes);
	if (!kern->cpus)
		return -ENOMEM;
	kern->rows = map_array(kern->skeleton->maps.rows, kern->rows_map_bytes);
	return kern->rows ? 0 : -ENOMEM;
}

/* Epoch 0 is that of a bank never written to: charges begin with 1. */
static void begin_epochs(struct ctd_kern *kern)
{
	kern->epoch = 1;
	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		kern->cpus[cpu].epoch = kern->epoch;
		kern->cpus[cpu].wanted_epoch = kern->epoch;
	}
}

/* Low indices on top, so that rows in use stay together and a snapshot walks little memory. */
static int fill_free_rows(struct ctd_kern *kern)
{
	int fd = bpf_map__fd(kern->skeleton->maps.free_rows);

	for (uint32_t i = kern->rows_max; i-- > 0;) {
		if (bpf_map_update_elem(fd, NULL, &i, BPF_ANY))
			return ctd_log_error(-errno, "fill the BPF map 'free_rows'");
	}
	return 0;
}

static int fill_profiles(struct ctd_kern *kern)
{
	const struct ctd_sim_profiles *profiles = kern->options.profiles;
	int fd = bpf_map__fd(kern->skeleton->maps.profiles);

	for (size_t i = 0; profiles && i < profiles->count; i++) {
		const struct ctd_sim_entry *entry = &profiles->entries[i];

		if (bpf_map_update_elem(fd, entry->comm, &entry->profile, BPF_ANY))
			return ctd_log_error(-errno, "store the simulated profile of '%s'",
					     entry->comm);
	}
	return 0;
}

static int take_event(void *context, void *data, size_t bytes)
{
	const struct ctd_cgroup_event *event = data;
	struct ctd_kern *kern = context;

	if (bytes < offsetof(struct ctd_cgroup_event, path) + 1)
		return 0;
	if (event->change == CTD_CGROUP_REMOVED)
		ctd_kern_forget(kern, event->cgroup_id);
	if (kern->options.notice)
		kern->options.notice(event->change, event->cgroup_id, event->path,
				     kern->options.notice_context);
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
	kern->freed = calloc(cpus, sizeof(*kern->freed));
	kern->shown = calloc(cpus, sizeof(*kern->shown));
	kern->newest = calloc(cpus, sizeof(*kern->newest));
	if (!kern->core_type_of || !kern->online || !kern->fenced || !kern->long_slice_links ||
	    !kern->order || !kern->listed || !kern->freed || !kern->shown || !kern->newest)
		return ctd_log_error(-ENOMEM, "allocate the collector's tables");
	memcpy(kern->online, kern->options.online, cpus * sizeof(*kern->online));
	memcpy(kern->fenced, kern->options.fenced, cpus * sizeof(*kern->fenced));
	for (int cpu = 0; cpu < cpus; cpu++)
		ctd_kern_take_core(kern, cpu);
	return 0;
}

/*
 * Two objects are compiled from one source, with and without plain loads of siblings' counts. Their
 * maps, knobs and programs are the same, so one skeleton serves both with the bytes of either.
 */
static int open_object(struct ctd_kern *kern)
{
	struct topdown_bpf *skeleton = calloc(1, sizeof(*skeleton));
	int error;

	if (!skeleton) {
		ctd_log_error(-ENOMEM, "open the BPF object");
		return -ENOMEM;
	}
	kern->skeleton = skeleton;
	error = topdown_bpf__create_skeleton(skeleton);
	if (!error && kern->direct)
		skeleton->skeleton->data =
			(void *)topdown_direct_bpf__elf_bytes(&skeleton->skeleton->data_sz);
	if (!error)
		error = bpf_object__open_skeleton(skeleton->skeleton, NULL);
	if (error)
		ctd_log_error(error, "open the BPF object");
	return error;
}

static int load(struct ctd_kern *kern)
{
	int error;

	error = open_object(kern);
	if (!error)
		error = set_knobs(kern);
	if (!error)
		error = set_sizes(kern);
	if (error)
		return error;
	error = topdown_bpf__load(kern->skeleton);
	if (error)
		return ctd_log_error(
			error,
			"load the BPF programs (-v shows the verifier's words; see 'cgtopdown doctor')");
	error = map_memory(kern);
	if (!error)
		error = allocate(kern);
	if (!error)
		begin_epochs(kern);
	if (!error)
		error = fill_free_rows(kern);
	if (!error)
		error = fill_profiles(kern);
	if (error)
		return error;
	kern->events = ring_buffer__new(bpf_map__fd(kern->skeleton->maps.cgroup_events), take_event,
					kern, NULL);
	if (!kern->events)
		return ctd_log_error(-errno, "open the ring buffer of cgroup events");
	return 0;
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
	libbpf_set_print(print_libbpf);
	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	kern = calloc(1, sizeof(*kern));
	if (!kern)
		return ctd_log_error(-ENOMEM, "allocate the collector");
	kern->options = *options;
	kern->read = common_read(options);
	kern->direct = has_leader(options) && options->caps->answer[CTD_CAP_RDONLY_CAST].present;
	kern->counters_count = counters_of(options);
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
	int error;

	/* on_flush and on_resolve are only ever run by test_run, on_long_slice is attached per CPU.
	 */
	bpf_program__set_autoattach(kern->skeleton->progs.on_flush, false);
	bpf_program__set_autoattach(kern->skeleton->progs.on_resolve, false);
	bpf_program__set_autoattach(kern->skeleton->progs.on_long_slice, false);
	error = topdown_bpf__attach(kern->skeleton);
	if (error)
		return ctd_log_error(error, "attach the BPF programs");
	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		error = kern->online[cpu] ? ctd_kern_watch_cpu(kern, cpu, true) : 0;
		if (error && error != -ENODEV)
			return error;
		kern->online[cpu] = kern->online[cpu] && !error;
	}
	return ctd_kern_flush(kern, NULL);
}

int ctd_kern_poll(struct ctd_kern *kern, int timeout_ms)
{
	return ring_buffer__poll(kern->events, timeout_ms);
}

int ctd_kern_poll_fd(const struct ctd_kern *kern)
{
	return ring_buffer__epoll_fd(kern->events);
}

int ctd_kern_comm(struct ctd_kern *kern, uint32_t pid, char ret_comm[CTD_COMM_BYTES])
{
	return bpf_map_lookup_elem(bpf_map__fd(kern->skeleton->maps.comms), &pid, ret_comm)
		       ? -ENOENT
		       : 0;
}

void ctd_kern_memory(const struct ctd_kern *kern, uint64_t *ret_bytes, uint64_t *ret_row_bytes)
{
	/* A hash element: its header of 48 bytes, key, value, and a bucket of 16. */
	uint64_t index_bytes = 48 + sizeof(struct ctd_row_key) + 8 + 16;

	*ret_row_bytes = kern->row_bytes + index_bytes + sizeof(uint32_t);
	*ret_bytes = kern->rows_max * *ret_row_bytes + kern->cpus_bytes +
		     bpf_map__max_entries(kern->skeleton->maps.cgroup_events);
}

const char *ctd_kern_read_name(const struct ctd_kern *kern)
{
	switch (kern->read) {
	case CTD_READ_LEADER:
		return kern->direct ? "leader" : "leader, siblings copied";
	case CTD_READ_EACH:
		return "each";
	case CTD_READ_SIM:
		return "simulated";
	case CTD_READ_MIXED:
		return kern->direct ? "as each kind of core needs"
				    : "as each kind of core needs, copied";
	case CTD_READ_NONE:
		break;
	}
	return "none";
}

void ctd_kern_free(struct ctd_kern *kern)
{
	if (!kern)
		return;
	if (kern->skeleton)
		topdown_bpf__detach(kern->skeleton);
	for (int cpu = 0; kern->long_slice_links && cpu < kern->options.cpus; cpu++)
		ctd_kern_watch_cpu(kern, cpu, false);
	ring_buffer__free(kern->events);
	if (kern->cpus)
		munmap(kern->cpus, kern->cpus_bytes);
	if (kern->rows)
		munmap(kern->rows, kern->rows_map_bytes);
	topdown_bpf__destroy(kern->skeleton);
	free(kern->core_type_of);
	free(kern->online);
	free(kern->fenced);
	free(kern->long_slice_links);
	free(kern->order);
	free(kern->listed);
	free(kern->freed);
	free(kern->shown);
	free(kern->newest);
	ctd_idmap_free(&kern->removed);
	free(kern);
}

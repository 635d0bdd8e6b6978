/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* knobs.c - what the programs are told when they are loaded. */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "bpf/topdown.skel.h"
#include "kern/topdown/topdown.h"

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

/* How the counters of all core types and groups are read, if that is one way. */
static enum ctd_read common_read(const struct ctd_kern_options *options)
{
	for (int type = 0; type < options->core_types_count; type++) {
		const struct ctd_counter_plan *plan = &options->plans[type];

		if (plan->read != options->plans[0].read ||
		    ((plan->ipc || plan->beside_groups) && plan->read == CTD_READ_LEADER))
			return CTD_READ_MIXED;
	}
	return options->plans[0].read;
}

void ctd_kern_choose(struct ctd_kern *kern)
{
	const struct ctd_kern_options *options = &kern->options;
	int most = 0;

	for (int type = 0; type < options->core_types_count; type++) {
		const struct ctd_counter_plan *plan = &options->plans[type];

		kern->has_leader |= plan->read == CTD_READ_LEADER;
		if (plan->read != CTD_READ_NONE && plan->events_count > most)
			most = plan->events_count;
	}
	kern->read = common_read(options);
	kern->direct = kern->has_leader && options->caps->answer[CTD_CAP_RDONLY_CAST].present;
	kern->counters_count = (uint32_t)most;
	kern->rows_max = options->rows_max;
	if (!kern->rows_max)
		kern->rows_max = CTD_ROWS_PER_CPU * options->cpus;
	if (!options->rows_max && kern->rows_max < CTD_ROWS_LEAST)
		kern->rows_max = CTD_ROWS_LEAST;
	kern->parts = options->siblings ? CTD_SIBLINGS : 1;
	kern->row_bytes = CTD_ROW_BYTES(kern->counters_count, kern->parts);
}

int ctd_kern_set_knobs(struct ctd_kern *kern)
{
	const struct ctd_kern_options *options = &kern->options;
	struct cgtd_topdown *skeleton = kern->skeleton;
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
	skeleton->rodata->cfg_siblings = kern->options.siblings != NULL;
	skeleton->rodata->cfg_waits = options->waits;
	skeleton->rodata->cfg_rows = options->waits ? kern->rows_max : 0;

	if (!options->max_slice_ns)
		bpf_program__set_autoload(skeleton->progs.cgtd_long_slice, false);
	if (options->by == CTD_BY_CGROUP)
		bpf_program__set_autoload(skeleton->progs.cgtd_exec, false);
	bpf_program__set_autoload(skeleton->progs.cgtd_switch, !options->waits);
	bpf_program__set_autoload(skeleton->progs.cgtd_switch_w,
				  options->waits && !options->siblings);
	bpf_program__set_autoload(skeleton->progs.cgtd_switch_s, options->siblings);
	if (!options->waits || !options->caps->answer[CTD_CAP_MOVED_WAITS].present)
		bpf_program__set_autoload(skeleton->progs.cgtd_migrate, false);
	if (!kern->has_leader)
		bpf_program__set_autoload(skeleton->progs.cgtd_resolve, false);
	return 0;
}

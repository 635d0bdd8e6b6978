/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tables.c - gives the unwinder its tables, and hands out its requests for them. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>

#include "base/auto.h"
#include "base/log.h"
#include "bpf/profile.skel.h"
#include "kern/profile/sampler.h"

bool ctd_sampler_can_unwind(void)
{
	/* Kernels with it have all else. */
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT, BPF_FUNC_loop, NULL) == 1;
}

bool ctd_sampler_unwinds(const struct ctd_sampler *sampler)
{
	return sampler->unwinds;
}

/* Elements from @p first on, of an array of @p limit. */
static int set_elements(const struct ctd_sampler *sampler, const struct bpf_map *map,
			uint32_t first, const void *elements, size_t count, uint32_t limit)
{
	size_t bytes = bpf_map__value_size(map);

	if (!sampler->unwinds)
		return -EOPNOTSUPP;
	if (first > limit || count > limit - first)
		return -EINVAL;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t index = first + i;

		if (bpf_map_update_elem(bpf_map__fd(map), &index,
					(const char *)elements + i * bytes, BPF_ANY))
			return -errno;
	}
	return 0;
}

int ctd_sampler_set_rules(struct ctd_sampler *sampler, uint32_t first,
			  const struct ctd_unwind_rule *rules, size_t count)
{
	return set_elements(sampler, sampler->skeleton->maps.cgtd_rules, first, rules, count,
			    CTD_RULES_MAX);
}

int ctd_sampler_set_mappings(struct ctd_sampler *sampler, uint32_t first,
			     const struct ctd_mapping *mappings, size_t count)
{
	return set_elements(sampler, sampler->skeleton->maps.cgtd_mappings, first, mappings, count,
			    CTD_MAPPINGS_MAX);
}

static int fill_table(int table, const uint32_t *words, size_t words_count)
{
	struct ctd_unwind_chunk chunk;
	uint32_t index = 0;

	for (size_t at = 0; at < words_count; at += CTD_UNWIND_CHUNK_WORDS, index++) {
		size_t count = words_count - at;

		if (count > CTD_UNWIND_CHUNK_WORDS)
			count = CTD_UNWIND_CHUNK_WORDS;
		memset(&chunk, 0, sizeof(chunk));
		memcpy(chunk.words, words + at, count * sizeof(*words));
		if (bpf_map_update_elem(table, &index, &chunk, BPF_ANY))
			return -errno;
	}
	return 0;
}

/* An executable's table is a map of its own, as large as it must be. */
int ctd_sampler_set_executable(struct ctd_sampler *sampler, uint32_t executable,
			       const uint32_t *words, size_t words_count)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_INNER_MAP);
	uint32_t chunks =
		(uint32_t)((words_count + CTD_UNWIND_CHUNK_WORDS - 1) / CTD_UNWIND_CHUNK_WORDS);
	int tables = bpf_map__fd(sampler->skeleton->maps.cgtd_tables), error;
	autoclose int table = -1;

	if (!sampler->unwinds)
		return -EOPNOTSUPP;
	if (!executable || executable >= CTD_EXECUTABLES_MAX || words_count > CTD_UNWIND_WORDS_MAX)
		return -EINVAL;
	if (!words)
		return bpf_map_delete_elem(tables, &executable) && errno != ENOENT ? -errno : 0;
	if (!words_count)
		return -EINVAL;
	table = bpf_map_create(BPF_MAP_TYPE_ARRAY, "cgtd_table", sizeof(uint32_t),
			       sizeof(struct ctd_unwind_chunk), chunks, &options);
	if (table < 0)
		return table;
	error = fill_table(table, words, words_count);
	if (error)
		return error;
	return bpf_map_update_elem(tables, &executable, &table, BPF_ANY) ? -errno : 0;
}

int ctd_sampler_set_process(struct ctd_sampler *sampler, uint32_t tgid,
			    const struct ctd_process *process)
{
	int map = bpf_map__fd(sampler->skeleton->maps.cgtd_processes);

	if (!sampler->unwinds)
		return -EOPNOTSUPP;
	if (!process)
		return bpf_map_delete_elem(map, &tgid) && errno != ENOENT ? -errno : 0;
	if (process->count > CTD_PROCESS_MAPPINGS_MAX)
		return -EINVAL;
	return bpf_map_update_elem(map, &tgid, process, BPF_ANY) ? -errno : 0;
}

static int take_request(void *context, void *data, size_t bytes)
{
	struct ctd_sampler *sampler = context;

	if (bytes >= sizeof(struct ctd_unwind_request))
		sampler->take(data, sampler->take_context);
	return 0;
}

int ctd_sampler_open_requests(struct ctd_sampler *sampler)
{
	if (!sampler->unwinds)
		return 0;
	sampler->requests = ring_buffer__new(bpf_map__fd(sampler->skeleton->maps.cgtd_requests),
					     take_request, sampler, NULL);
	return sampler->requests
		       ? 0
		       : ctd_log_error(-errno,
				       "open the ring buffer of requests for unwind tables");
}

int ctd_sampler_take_requests(struct ctd_sampler *sampler,
			      void (*take)(const struct ctd_unwind_request *request, void *context),
			      void *context)
{
	sampler->take = take;
	sampler->take_context = context;
	return sampler->requests ? ring_buffer__consume(sampler->requests) : 0;
}

int ctd_sampler_poll_fd(const struct ctd_sampler *sampler)
{
	return sampler->requests ? ring_buffer__epoll_fd(sampler->requests) : -1;
}

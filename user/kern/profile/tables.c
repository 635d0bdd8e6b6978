/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tables.c - gives the unwinder its tables, and hands out its requests for them. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Elements of an array from @p first on. */
static int set_array(int map, uint32_t first, const void *elements, size_t count)
{
	autofree uint32_t *keys = malloc((count + 1) * sizeof(*keys));
	uint32_t done = (uint32_t)count;

	if (!keys)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		keys[i] = first + i;
	return count && bpf_map_update_batch(map, keys, elements, &done, NULL) ? -errno : 0;
}

static int set_elements(const struct ctd_sampler *sampler, const struct bpf_map *map,
			uint32_t first, const void *elements, size_t count, uint32_t limit)
{
	if (!sampler->unwinds)
		return -EOPNOTSUPP;
	if (first > limit || count > limit - first)
		return -EINVAL;
	return set_array(bpf_map__fd(map), first, elements, count);
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
	size_t whole = words_count / CTD_UNWIND_CHUNK_WORDS,
	       rest = words_count % CTD_UNWIND_CHUNK_WORDS;
	struct ctd_unwind_chunk last = {0};
	int error = set_array(table, 0, words, whole);

	if (error || !rest)
		return error;
	memcpy(last.words, words + whole * CTD_UNWIND_CHUNK_WORDS, rest * sizeof(*words));
	return set_array(table, (uint32_t)whole, &last, 1);
}

/* An executable's table is a map of its own, as large as it must be. */
static int make_table(const struct ctd_unwind_words *words, int *ret_table)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_INNER_MAP);
	uint32_t chunks =
		(uint32_t)((words->count + CTD_UNWIND_CHUNK_WORDS - 1) / CTD_UNWIND_CHUNK_WORDS);
	autoclose int table = -1;
	int error;

	if (!words->executable || words->executable >= CTD_EXECUTABLES_MAX || !words->count ||
	    words->count > CTD_UNWIND_WORDS_MAX)
		return -EINVAL;
	table = bpf_map_create(BPF_MAP_TYPE_ARRAY, "cgtd_table", sizeof(uint32_t),
			       sizeof(struct ctd_unwind_chunk), chunks, &options);
	error = table < 0 ? table : fill_table(table, words->words, words->count);
	if (error)
		return error;
	*ret_table = take_fd(table);
	return 0;
}

/* The kernel waits for running programs after each change of a map of maps, tens of milliseconds on
 * a busy machine: for many at once it does so once ("bpf: Call maybe_wait_bpf_programs() only once
 * for generic_map_update_batch()", 06e5c999f102, 6.8). */
static int put_tables(int map, const uint32_t *keys, const int *tables, uint32_t count)
{
	uint32_t done = count;

	if (!count || !bpf_map_update_batch(map, keys, tables, &done, NULL))
		return 0;
	/* Older kernels know no such thing of maps of maps. */
	for (uint32_t i = 0; i < count; i++)
		if (bpf_map_update_elem(map, &keys[i], &tables[i], BPF_ANY))
			return -errno;
	return 0;
}

int ctd_sampler_set_executables(struct ctd_sampler *sampler, const struct ctd_unwind_words *words,
				size_t count)
{
	uint32_t keys[CTD_EXECUTABLES_AT_ONCE], made = 0;
	int tables[CTD_EXECUTABLES_AT_ONCE], error = 0, put;

	if (!sampler->unwinds)
		return -EOPNOTSUPP;
	if (count > CTD_EXECUTABLES_AT_ONCE)
		return -EINVAL;
	for (size_t i = 0; i < count; i++) {
		int lack = make_table(&words[i], &tables[made]);

		keys[made] = words[i].executable;
		made += !lack;
		error = error ? error : lack;
	}
	put = put_tables(bpf_map__fd(sampler->skeleton->maps.cgtd_tables), keys, tables, made);
	for (uint32_t i = 0; i < made; i++)
		close(tables[i]);
	return error ? error : put;
}

int ctd_sampler_take_executable(struct ctd_sampler *sampler, uint32_t executable)
{
	int tables = bpf_map__fd(sampler->skeleton->maps.cgtd_tables);

	if (!sampler->unwinds)
		return -EOPNOTSUPP;
	return bpf_map_delete_elem(tables, &executable) && errno != ENOENT ? -errno : 0;
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

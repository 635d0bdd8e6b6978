/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* load.c - loads and attaches the sampler, and releases it. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "bpf/profile.skel.h"
#include "bpf/topdown.skel.h"
#include "kern/object.h"
#include "kern/profile/sampler.h"
#include "kern/topdown/topdown.h"

#define FREQUENCY_MAX_HZ 1000
/* Samples of an event that a bank has room for: they are not evenly spread. */
#define EVENT_FREQUENCY_HZ 250
/* Bytes of a sample with a stack of usual depth, and how long a bank has to last. */
#define SAMPLE_BYTES 640
#define BANK_SECONDS 2
#define DATA_LEAST_BYTES 65536
/* Bytes of data for a place in the hash table: the smallest entry has 208, so half stay free. */
#define BYTES_PER_PLACE 128

static uint32_t power_of_two(uint64_t least)
{
	uint32_t power = 1;

	while (power < least)
		power *= 2;
	return power;
}

static int choose(struct ctd_sampler *sampler, const struct ctd_sampler_options *options)
{
	uint32_t frequency_hz =
		options->frequency_hz ? options->frequency_hz : CTD_SAMPLER_FREQUENCY_HZ;
	uint64_t data_bytes;

	if (options->event)
		frequency_hz = EVENT_FREQUENCY_HZ;
	data_bytes = (uint64_t)frequency_hz * BANK_SECONDS * SAMPLE_BYTES;
	sampler->window_ns = options->window_ns ? options->window_ns : CTD_SAMPLER_WINDOW_NS;
	sampler->period_ns = options->event ? 0 : 1000000000 / frequency_hz;
	if (!options->event &&
	    (frequency_hz > FREQUENCY_MAX_HZ || sampler->window_ns > sampler->period_ns / 4)) {
		ctd_log(CTD_LOG_ERROR,
			"cannot sample %u times a second with windows of %llu us: at most %d times, and windows of a quarter of the time between",
			frequency_hz, (unsigned long long)sampler->window_ns / 1000,
			FREQUENCY_MAX_HZ);
		return -EINVAL;
	}
	sampler->data_bytes =
		power_of_two(data_bytes < DATA_LEAST_BYTES ? DATA_LEAST_BYTES : data_bytes);
	sampler->index_size = sampler->data_bytes / BYTES_PER_PLACE;
	sampler->bank_bytes = CTD_SAMPLER_BANK_BYTES(sampler->index_size, sampler->data_bytes);
	return 0;
}

static void set_knobs(struct ctd_sampler *sampler)
{
	const struct cgtd_topdown *topdown = sampler->kern->skeleton;
	struct cgtd_profile *skeleton = sampler->skeleton;
	uint64_t seed = 0;

	/* Also without: it would only be easier to make two stacks look like one. */
	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) < 0)
		seed = (uint64_t)time(NULL);
	skeleton->rodata->cfg_read = topdown->rodata->cfg_read;
	skeleton->rodata->cfg_counters = topdown->rodata->cfg_counters;
	skeleton->rodata->cfg_cpus = topdown->rodata->cfg_cpus;
	skeleton->rodata->cfg_subsystem = topdown->rodata->cfg_subsystem;
	skeleton->rodata->cfg_window_ns = sampler->window_ns;
	skeleton->rodata->cfg_event = sampler->event ? sampler->event->period : 0;
	skeleton->rodata->cfg_index = sampler->index_size;
	skeleton->rodata->cfg_data = sampler->data_bytes;
	skeleton->rodata->cfg_seed = seed;
	skeleton->rodata->cfg_page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Leaves out what is for the other kind of stacks. */
static void choose_program(struct ctd_sampler *sampler)
{
	struct cgtd_profile *skeleton = sampler->skeleton;
	struct bpf_map *const maps[] = {
		skeleton->maps.cgtd_processes, skeleton->maps.cgtd_mappings,
		skeleton->maps.cgtd_tables,    skeleton->maps.cgtd_rules,
		skeleton->maps.cgtd_requests,  skeleton->maps.cgtd_unwinder,
	};

	bpf_program__set_autoload(skeleton->progs.cgtd_window, sampler->windows);
	bpf_program__set_autoload(skeleton->progs.cgtd_sampled, !sampler->unwinds);
	bpf_program__set_autoload(skeleton->progs.cgtd_unwound, sampler->unwinds);
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		bpf_map__set_autocreate(maps[i], sampler->unwinds);
}

/* Takes the tables of another sampler over. They are of incarnations by its seed. */
static int share_tables(struct ctd_sampler *sampler, const struct ctd_sampler *other)
{
	const struct cgtd_profile *from = other->skeleton;
	struct cgtd_profile *to = sampler->skeleton;
	const struct {
		struct bpf_map *to;
		const struct bpf_map *from;
	} maps[] = {
		{to->maps.cgtd_processes, from->maps.cgtd_processes},
		{to->maps.cgtd_mappings, from->maps.cgtd_mappings},
		{to->maps.cgtd_tables, from->maps.cgtd_tables},
		{to->maps.cgtd_rules, from->maps.cgtd_rules},
	};

	to->rodata->cfg_seed = from->rodata->cfg_seed;
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		int error = bpf_map__reuse_fd(maps[i].to, bpf_map__fd(maps[i].from));

		if (error)
			return ctd_log_error(error, "share the BPF map '%s'",
					     bpf_map__name(maps[i].to));
	}
	return 0;
}

static int set_sizes(struct ctd_sampler *sampler)
{
	uint32_t cpus = (uint32_t)sampler->kern->options.cpus;
	const struct ctd_object_size sizes[] = {
		{sampler->skeleton->maps.cgtd_samplers, cpus, 0},
		{sampler->skeleton->maps.cgtd_banks, 2 * cpus, (uint32_t)sampler->bank_bytes},
	};

	return ctd_object_size(sizes, sizeof(sizes) / sizeof(*sizes));
}

static int load(struct ctd_sampler *sampler, const struct ctd_sampler *tables_of)
{
	struct cgtd_profile *skeleton = calloc(1, sizeof(*skeleton));
	int error;

	sampler->skeleton = skeleton;
	sampler->clocks = calloc(sampler->kern->options.cpus, sizeof(*sampler->clocks));
	if (!sampler->clocks || !skeleton || cgtd_profile__create_skeleton(skeleton))
		return ctd_log_error(-ENOMEM, "open the BPF object of the sampler");
	error = ctd_object_open(skeleton->skeleton, NULL, 0);
	if (error)
		return error;
	set_knobs(sampler);
	choose_program(sampler);
	error = set_sizes(sampler);
	if (!error && tables_of && tables_of->unwinds && sampler->unwinds)
		error = share_tables(sampler, tables_of);
	if (!error)
		error = ctd_object_share(skeleton->skeleton, sampler->kern->skeleton->skeleton);
	if (!error)
		error = ctd_object_load(skeleton->skeleton);
	if (error)
		return error;
	sampler->cpus = ctd_object_map(skeleton->maps.cgtd_samplers, &sampler->cpus_bytes);
	if (sampler->cpus)
		sampler->banks =
			ctd_object_map(skeleton->maps.cgtd_banks, &sampler->banks_map_bytes);
	return sampler->banks ? ctd_sampler_open_requests(sampler) : -ENOMEM;
}

bool ctd_sampler_opens_root(void)
{
	/* FIXME(libbpf 1.3): remove when no distribution that we build for has an older one. */
	return libbpf_major_version() == 1 && libbpf_minor_version() < 3;
}

/* On all CPUs, also after one on which it fails. @return 0, or the first error. */
static int divide(struct ctd_sampler *sampler, uint32_t divisor)
{
	int first = 0;

	sampler->divisor = divisor;
	for (int cpu = 0; cpu < sampler->kern->options.cpus; cpu++) {
		bool watched = sampler->clocks[cpu].sample_link != NULL;
		int error = watched ? ctd_sampler_watch_cpu(sampler, cpu, true) : 0;

		/* One that goes offline is found at the next look. */
		if (error && error != -ENODEV && !first)
			first = error;
	}
	return first;
}

static int take_event(struct ctd_sampler *sampler, const struct ctd_sampled_event *event)
{
	if (!event)
		return 0;
	sampler->event = malloc(sizeof(*event));
	if (!sampler->event)
		return ctd_log_error(-ENOMEM, "allocate the sampler");
	*sampler->event = *event;
	return 0;
}

int ctd_sampler_load(const struct ctd_sampler_options *options, struct ctd_kern *kern,
		     struct ctd_sampler **ret_sampler)
{
	struct ctd_sampler *sampler = calloc(1, sizeof(*sampler));
	int error;

	if (!sampler)
		return ctd_log_error(-ENOMEM, "allocate the sampler");
	sampler->kern = kern;
	sampler->divisor = 1;
	sampler->windows = kern->read != CTD_READ_NONE && !options->event;
	sampler->unwinds = !options->frame_pointers && ctd_sampler_can_unwind();
	error = take_event(sampler, options->event);
	if (!error)
		error = choose(sampler, options);
	if (!error)
		error = load(sampler, options->tables_of);
	if (error) {
		ctd_sampler_free(sampler);
		return error;
	}
	*ret_sampler = sampler;
	return 0;
}

int ctd_sampler_attach(struct ctd_sampler *sampler)
{
	return ctd_sampler_follow_cpus(sampler);
}

int ctd_sampler_thin(struct ctd_sampler *sampler, uint32_t divisor)
{
	uint32_t before = sampler->divisor;
	int error = divisor == before ? 0 : divide(sampler, divisor);

	/* A CPU that has lost its clocks gets them back with the next look at all CPUs. */
	if (error)
		divide(sampler, before);
	return error;
}

void ctd_sampler_free(struct ctd_sampler *sampler)
{
	if (!sampler)
		return;
	/* What was not loaded has no state of CPUs, and no clocks. */
	for (int cpu = 0; sampler->clocks && sampler->cpus && cpu < sampler->kern->options.cpus;
	     cpu++)
		ctd_sampler_watch_cpu(sampler, cpu, false);
	ring_buffer__free(sampler->requests);
	if (sampler->cpus)
		munmap(sampler->cpus, sampler->cpus_bytes);
	if (sampler->banks)
		munmap(sampler->banks, sampler->banks_map_bytes);
	cgtd_profile__destroy(sampler->skeleton);
	free(sampler->event);
	free(sampler->clocks);
	free(sampler);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profiler.c - drains the sampler, feeds its unwinder, and names what was sampled. */
#include "app/profiler.h"

#include "base/log.h"

int ctd_profiler_open(struct ctd_profiler *ret_profiler)
{
	struct ctd_profiler profiler = {};
	int error = ctd_namer_new(&profiler.namer);

	if (error)
		return ctd_log_error(error, "read the kernel's symbols");
	*ret_profiler = profiler;
	return 0;
}

/* The sampler is held for moments only: counters can be replaced while files are read. */
static int drain(struct ctd_profiler *profiler, struct ctd_collector *collector)
{
	struct ctd_sampler *sampler = ctd_collector_hold_sampler(collector);
	int error = sampler ? ctd_sampler_drain(sampler, &profiler->samples) : -ENODATA;

	if (!error)
		error = ctd_unwind_feed_take(&profiler->feed, sampler);
	ctd_collector_release_sampler(collector);
	return error;
}

static int answer(struct ctd_profiler *profiler, struct ctd_collector *collector)
{
	struct ctd_sampler *sampler;
	int error = ctd_unwind_feed_learn(&profiler->feed, profiler->namer);

	if (error)
		return error;
	sampler = ctd_collector_hold_sampler(collector);
	if (sampler)
		error = ctd_unwind_feed_answer(&profiler->feed, profiler->namer, sampler);
	ctd_collector_release_sampler(collector);
	return error;
}

static int name(struct ctd_profiler *profiler, const struct ctd_record_header *header,
		struct ctd_stacks **stacks)
{
	int error = ctd_namer_learn(profiler->namer, &profiler->samples);

	if (!error && !*stacks)
		error = ctd_stacks_new(profiler->samples.period_ns, (int)header->counters_count,
				       (int)header->groups_count, stacks);
	return error ? error
		     : ctd_stacks_add_samples(*stacks, &profiler->samples, ctd_namer_name,
					      profiler->namer);
}

int ctd_profiler_take(struct ctd_profiler *profiler, struct ctd_collector *collector,
		      const struct ctd_record_header *header, struct ctd_stacks **stacks)
{
	int error = drain(profiler, collector);

	if (error)
		return error;
	error = answer(profiler, collector);
	if (!error && stacks)
		error = name(profiler, header, stacks);
	ctd_samples_clear(&profiler->samples);
	return error ? ctd_log_error(error, "name the samples") : 0;
}

void ctd_profiler_close(struct ctd_profiler *profiler)
{
	ctd_namer_free(profiler->namer);
	ctd_unwind_feed_free(&profiler->feed);
	ctd_samples_clear(&profiler->samples);
	*profiler = (struct ctd_profiler){};
}

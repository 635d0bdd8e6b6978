/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stack_recorder.c - writes what was sampled to a recording, each name once. */
#include "app/profile/stack_recorder.h"

#include <errno.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/strbuf.h"

/* What is known of names before a new set begins: some 30 MB. */
#define ELEMENTS_MAX ((size_t)1 << 17)
_Static_assert(ELEMENTS_MAX < CTD_RECORDED_ELEMENTS_MAX, "a reader has room for a set");

/* So long lines are looked for while sampling goes on. */
#define LINES_BETWEEN_NS 2000000000ull

static bool is_full(const struct ctd_stacks *stacks)
{
	return stacks->modules_count >= ELEMENTS_MAX / 2 ||
	       stacks->functions_count >= ELEMENTS_MAX / 2 ||
	       stacks->traces_count >= ELEMENTS_MAX / 2;
}

/* A ctd_work_beside. */
static int work_beside(void *context)
{
	struct ctd_stack_recorder *recorder = context;
	int error = ctd_profiler_work(&recorder->profiler, recorder->collector,
				      ctd_collector_header(recorder->collector), &recorder->stacks);

	if (recorder->stacks)
		recorder->stacks->elements_max = ELEMENTS_MAX;
	return error;
}

int ctd_stack_recorder_open(struct ctd_collector *collector, const struct ctd_sampled_event *event,
			    const char *host_root, struct ctd_profile_lines *lines,
			    struct ctd_stack_recorder *ret_recorder)
{
	struct ctd_stack_recorder recorder = {.collector = collector, .lines = lines};
	int error = ctd_profiler_open(event, host_root, &recorder.profiler);

	if (error)
		return error;
	ctd_profile_lines_keep(lines, &recorder.profiler);
	*ret_recorder = recorder;
	return 0;
}

int ctd_stack_recorder_begin(struct ctd_stack_recorder *recorder)
{
	ctd_collector_work_beside(recorder->collector, work_beside, recorder, CTD_PROFILER_TICK_NS);
	return ctd_profiler_take(&recorder->profiler, recorder->collector, NULL, NULL);
}

int ctd_stack_recorder_finish(struct ctd_stack_recorder *recorder, uint64_t patience_ns)
{
	const struct ctd_record_header *header = ctd_collector_header(recorder->collector);
	int error = ctd_profiler_take(&recorder->profiler, recorder->collector, header,
				      &recorder->stacks);

	return error ? error
		     : ctd_profiler_finish(&recorder->profiler, recorder->collector, header,
					   &recorder->stacks, patience_ns);
}

int ctd_stack_recorder_write_lines(struct ctd_stack_recorder *recorder,
				   struct ctd_record_writer *writer, uint64_t time_ns)
{
	auto_ctd_strbuf struct ctd_strbuf payload = {0};
	auto_ctd_lines struct ctd_lines lines = {0};
	struct ctd_record_profile block;
	int error;

	if (!recorder->lines || !ctd_profile_lines_are_wanted(recorder->lines) || !recorder->stacks)
		return 0;
	error = ctd_profile_lines_find(recorder->lines, recorder->stacks, time_ns, &lines);
	/* Also where there are none: a reader looks for the lines of this set. */
	if (error)
		return error;
	ctd_lines_write(&lines, &payload);
	block = (struct ctd_record_profile){.payload = payload.text, .bytes = payload.bytes};
	return payload.failed ? -ENOMEM : ctd_record_write_lines(writer, &block);
}

int ctd_stack_recorder_write(struct ctd_stack_recorder *recorder, struct ctd_record_writer *writer)
{
	auto_ctd_strbuf struct ctd_strbuf payload = {0};
	struct ctd_record_profile profile;
	int error;

	if (!recorder->stacks || !recorder->stacks->stacks_count)
		return 0;
	error = ctd_recorded_stacks_write(recorder->stacks, &recorder->recorded, &payload);
	if (error)
		return error;
	profile = (struct ctd_record_profile){.payload = payload.text,
					      .bytes = payload.bytes,
					      .of_event = *recorder->stacks->event.name};
	error = ctd_record_write_profile(writer, &profile);
	ctd_stacks_clear(recorder->stacks);
	if (!error && is_full(recorder->stacks))
		error = ctd_stack_recorder_write_lines(recorder, writer, LINES_BETWEEN_NS);
	if (is_full(recorder->stacks)) {
		ctd_stacks_free(take_ptr(recorder->stacks));
		if (recorder->lines)
			ctd_line_files_end_set(&recorder->lines->files);
		recorder->recorded = (struct ctd_recorded_stacks){0};
	}
	return error;
}

void ctd_stack_recorder_close(struct ctd_stack_recorder *recorder)
{
	ctd_stacks_free(recorder->stacks);
	ctd_profiler_close(&recorder->profiler);
	*recorder = (struct ctd_stack_recorder){0};
}

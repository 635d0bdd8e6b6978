/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neighbours.c - cgtopdown neighbours: tags of a trace or recording, or of this moment. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/neighbours/live.h"
#include "app/neighbours/recorded.h"
#include "app/options/options.h"
#include "app/sandbox/sandbox.h"
#include "app/stop.h"
#include "base/auto.h"
#include "base/log.h"
#include "neighbour/trace.h"

struct neighbours_run {
	const struct ctd_options *options;
	struct ctd_tags_show show;
	struct ctd_neighbours_feed feed; /* owned; without a detector before the first samples */
	struct ctd_neighbour_trace *trace; /* owned; NULL: it is a recording */
	uint64_t time_ns; /* of the newest samples */
};

static int make_detector(struct neighbours_run *run, uint64_t period_ns)
{
	const struct ctd_neighbours_options options = {.period_ns = period_ns,
						       .subjects_max = 10000};

	return ctd_accounts_feed_open(&options, &run->feed.accounts);
}

/* People are shown what holds at the end. */
static int show(struct neighbours_run *run, bool end)
{
	const struct ctd_neighbour_verdicts now =
		ctd_neighbours_verdicts(run->feed.accounts.neighbours, run->time_ns);

	return ctd_tags_show(&run->show, &now, end);
}

static int take_judged(void *context, uint64_t time_ns)
{
	struct neighbours_run *run = context;

	run->time_ns = time_ns;
	return strcmp(run->options->format, "jsonl") == 0 ? show(run, false) : 0;
}

/* The sample period of a trace is that of its first samples. */
static int take_batch(struct neighbours_run *run, const struct ctd_neighbour_batch *batch)
{
	int error = run->feed.accounts.neighbours ? 0 : make_detector(run, batch->window_ns);

	if (!error)
		error = ctd_neighbours_add(run->feed.accounts.neighbours, batch);
	if (error)
		return error;
	ctd_neighbours_judge(run->feed.accounts.neighbours);
	return take_judged(run, batch->time_ns);
}

static int read_lines(struct neighbours_run *run, FILE *file, const char *name)
{
	const struct ctd_neighbour_batch *batch;
	char why[CTD_TRACE_WHY_BYTES] = "";
	autofree char *line = NULL;
	size_t room = 0;
	ssize_t bytes;
	int error = 0;

	for (uint64_t number = 1; !error && (bytes = getline(&line, &room, file)) >= 0; number++) {
		if (strspn(line, " \t\r\n") == (size_t)bytes)
			continue;
		error = ctd_neighbour_trace_line(run->trace, line, (size_t)bytes, &batch, why);
		if (error == -EBADMSG)
			ctd_log(CTD_LOG_ERROR, "'%s', line %" PRIu64 ": %s", name, number, why);
		else if (!error && batch)
			error = take_batch(run, batch);
	}
	if (!error && ferror(file))
		return ctd_log_error(-errno, "read '%s'", name);
	if (error)
		return error;
	batch = ctd_neighbour_trace_end(run->trace);
	if (batch)
		return take_batch(run, batch);
	ctd_log(CTD_LOG_ERROR,
		"'%s' has samples of fewer than two times: it takes at least two to see how long a sample is",
		name);
	return -ENODATA;
}

static int replay_trace(struct neighbours_run *run, struct ctd_recording *input)
{
	autofclose FILE *file = fdopen(input->fd, "r");

	if (!file)
		return -ENOMEM;
	input->fd = -1;
	if (ctd_neighbour_trace_new(&run->trace))
		return -ENOMEM;
	return read_lines(run, file, input->name);
}

static int replay_recording(struct neighbours_run *run, struct ctd_recording *input)
{
	int error = make_detector(run, run->options->sample_period_ns);

	return error ? error : ctd_neighbours_recorded(input, &run->feed, take_judged, run);
}

static int replay(struct neighbours_run *run)
{
	struct ctd_recording input = CTD_RECORDING_NONE;
	int error = ctd_recording_open(run->options->input, &input);
	bool recorded;

	if (error)
		return error;
	recorded = ctd_is_recording(input.fd);
	/* What others wrote is read by somebody who can do no more than show it. */
	ctd_sandbox_confine(run->options, CTD_PRIVILEGES_TO_SHOW);
	error = recorded ? replay_recording(run, &input) : replay_trace(run, &input);
	ctd_recording_close(&input);
	return error;
}

/* Of one that is cut off that is shown which is whole. @return 0 or negative errno; logs. */
static int show_input(struct neighbours_run *run)
{
	int error = replay(run), shown = 0;

	if (run->time_ns && (!error || error == -EBADMSG) &&
	    strcmp(run->options->format, "jsonl") != 0)
		shown = show(run, true);
	return shown ? shown : error;
}

int ctd_neighbours_main(const struct ctd_options *options)
{
	struct neighbours_run run = {.options = options, .show.options = options};
	int error, status = 0;

	ctd_stop_prepare();
	if (options->input) {
		error = show_input(&run);
	} else if (!ctd_neighbours_remote(&run.show, &error)) {
		status = ctd_neighbours_live(&run.show);
		error = 0;
	}
	if (error == -ENOMEM)
		ctd_log_error(error, "judge the samples");
	ctd_neighbour_trace_free(run.trace);
	ctd_neighbours_feed_close(&run.feed);
	ctd_tags_show_free(&run.show);
	return status || (error && error != -EPIPE) ? 1 : 0;
}

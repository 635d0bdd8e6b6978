/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neighbours.c - cgtopdown neighbours: tags of a trace or recording. */
#include "app/neighbours.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "app/neighbours_recorded.h"
#include "app/options/options.h"
#include "app/sandbox/sandbox.h"
#include "app/text.h"
#include "base/auto.h"
#include "base/log.h"
#include "format/format.h"
#include "format/tag_json.h"
#include "neighbour/trace.h"

struct neighbours_run {
	const struct ctd_options *options;
	bool jsonl;
	struct ctd_accounts_feed feed; /* owned; without a detector before the first samples */
	struct ctd_neighbour_trace *trace; /* owned; NULL: it is a recording */
	uint64_t time_ns; /* of the newest samples */
};

static int make_detector(struct neighbours_run *run, uint64_t period_ns)
{
	const struct ctd_neighbours_options options = {.period_ns = period_ns,
						       .subjects_max = 10000};

	return ctd_accounts_feed_open(&options, &run->feed);
}

/* Each tag of this sample, a line each. */
static int write_lines(const struct neighbours_run *run)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	size_t count;
	const struct ctd_neighbour_tag *tags = ctd_neighbours_tags(run->feed.neighbours, &count);

	for (size_t i = 0; i < count; i++) {
		struct ctd_json json = {.out = &out};

		ctd_tag_add_json(&json, &tags[i], run->time_ns);
		ctd_strbuf_add(&out, "\n");
	}
	if (out.failed)
		return -ENOMEM;
	return out.bytes ? ctd_format_write(stdout, out.text, out.bytes) : 0;
}

static int take_judged(void *context, uint64_t time_ns)
{
	struct neighbours_run *run = context;

	run->time_ns = time_ns;
	return run->jsonl ? write_lines(run) : 0;
}

/* The sample period of a trace is that of its first samples. */
static int take_batch(struct neighbours_run *run, const struct ctd_neighbour_batch *batch)
{
	int error = run->feed.neighbours ? 0 : make_detector(run, batch->window_ns);

	if (!error)
		error = ctd_neighbours_add(run->feed.neighbours, batch);
	if (error)
		return error;
	ctd_neighbours_judge(run->feed.neighbours);
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

/* What holds at the end of the trace. */
static int show_end(const struct neighbours_run *run)
{
	const struct ctd_options *options = run->options;
	const struct ctd_tags_style style = {
		.colour = ctd_text_wants_colour(options->colour, stdout),
		.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
	};
	auto_ctd_strbuf struct ctd_strbuf out = {0};

	if (!options->neighbours.explain) {
		ctd_tags_table(&out, run->feed.neighbours, run->time_ns, &style);
	} else if (!ctd_tags_explain(&out, run->feed.neighbours, options->neighbours.explain,
				     &style)) {
		ctd_log(CTD_LOG_ERROR,
			"--explain '%s': no tag at the end is of a container called so; without --explain all are shown",
			options->neighbours.explain);
		return -ENOENT;
	}
	return out.failed ? -ENOMEM : ctd_format_write(stdout, out.text, out.bytes);
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

int ctd_neighbours_main(const struct ctd_options *options)
{
	struct neighbours_run run = {.options = options,
				     .jsonl = strcmp(options->format, "jsonl") == 0};
	int error = replay(&run);

	if (!error && !run.jsonl)
		error = show_end(&run);
	if (error == -ENOMEM)
		ctd_log_error(error, "judge the samples");
	ctd_neighbour_trace_free(run.trace);
	ctd_accounts_feed_close(&run.feed);
	return error && error != -EPIPE ? 1 : 0;
}

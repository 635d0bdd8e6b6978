/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* output.c - a profile as the command line asks for it: of which containers, where, how. */
#include "app/profile/output.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/text.h"
#include "base/auto.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "format/format.h"

#define TOP_DEFAULT 5
#define WIDTH_DEFAULT 80
/* Part of all samples from which on those that are lost make it another profile; and a number, as
 * one or two are lost where a cgroup begins while a snapshot is taken. */
#define LOST_LEAST 0.01
#define LOST_SAMPLES_LEAST 3

struct ctd_rollup_options ctd_profile_rows(const struct ctd_options *options)
{
	return (struct ctd_rollup_options){.by = CTD_GROUP_CONTAINER,
					   .cgroup_glob = options->cgroup_glob};
}

int ctd_profile_output_open(const struct ctd_options *options,
			    struct ctd_profile_output *ret_output)
{
	const char *path = options->output;
	const char *base = options->profile.base;
	struct ctd_profile_output output = {
		.sink = path   ? ctd_profile_sink_find(path)
			: base ? &ctd_profile_difference
			       : &ctd_profile_summary,
		.path = path,
		.base = CTD_RECORDED_PROFILE_NONE,
	};
	int fd, error;

	if (!output.sink) {
		ctd_log(CTD_LOG_ERROR,
			"--output '%s': the name ends with none of .svg, .pb.gz, .folded, .speedscope.json",
			path);
		return -EINVAL;
	}
	if (base && !output.sink->compares) {
		ctd_log(CTD_LOG_ERROR,
			"--diff goes with a summary, with .svg and .folded; 'go tool pprof -diff_base' compares two files of pprof");
		return -EINVAL;
	}
	error = base ? ctd_recording_open(base, &output.base.recording) : 0;
	if (error)
		return error;
	fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : STDOUT_FILENO;
	output.out = fd < 0 ? NULL : path ? fdopen(fd, "w") : stdout;
	if (!output.out) {
		error = ctd_log_error(-errno, "write '%s'", path);
		ctd_profile_output_close(&output);
		return error;
	}
	*ret_output = output;
	return 0;
}

int ctd_profile_output_read_base(struct ctd_profile_output *output,
				 const struct ctd_options *options)
{
	const struct ctd_rollup_options rows = ctd_profile_rows(options);

	return options->profile.base ? ctd_recorded_profile_read(0, &rows, &output->base) : 0;
}

/* Figures of other nodes, or of none, are no difference. */
static int check_base(const struct ctd_profile *profile, const struct ctd_profile *base)
{
	const struct ctd_cpu_model *is = profile->rollup->plan->model,
				   *was = base->rollup->plan->model;
	const struct ctd_profile *of_event = *profile->stacks->event.name ? profile : base;
	const char *is_name = is ? is->name : "none", *was_name = was ? was->name : "none";

	if (*of_event->stacks->event.name) {
		ctd_log(CTD_LOG_ERROR,
			"--diff is of slots and CPU time, and a profile is of %s: 'go tool pprof -diff_base' compares two files of pprof",
			of_event->stacks->event.name);
		return -EINVAL;
	}
	if (strcmp(is_name, was_name) == 0 && (!is || !was || is->nodes_count == was->nodes_count))
		return 0;
	ctd_log(CTD_LOG_ERROR,
		"--diff: the base was counted on another core design (%s, here %s): its categories are others",
		was_name, is_name);
	return -EINVAL;
}

/* Both get one set of names. */
static int join(const struct ctd_options *options, struct ctd_profile *profile,
		struct ctd_profile *base, struct ctd_stacks **ret_common)
{
	int error = check_base(profile, base);

	if (error)
		return error;
	ctd_profile_keep_wanted(&options->profile.wanted, base);
	error = ctd_stacks_new(profile->stacks->period_ns, profile->stacks->counters_count,
			       profile->stacks->groups_count, ret_common);
	if (!error)
		error = ctd_profile_translate(profile, *ret_common);
	if (!error)
		error = ctd_profile_translate(base, *ret_common);
	return error ? ctd_log_error(error, "compare the profiles") : 0;
}

static int terminal_width(void)
{
	struct winsize size;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return WIDTH_DEFAULT;
}

static int write_output(struct ctd_profile_output *output, const struct ctd_strbuf *out)
{
	const char *path = output->path;
	FILE *file = take_ptr(output->out);
	struct stat status;
	int error;

	/* A pipe or a device has nothing to cut off. */
	if (path && !fstat(fileno(file), &status) && S_ISREG(status.st_mode) &&
	    ftruncate(fileno(file), 0))
		ctd_log_error(-errno, "empty '%s'", path);
	error = ctd_format_write(file, out->text, out->bytes);
	if (path && fclose(file) && !error)
		error = -errno;
	if (path && error)
		return ctd_log_error(error, "write '%s'", path);
	return error && error != -EPIPE ? ctd_log_error(error, "write the output") : error;
}

int ctd_profile_output_refuse_sort(const struct ctd_options *options)
{
	ctd_log(CTD_LOG_ERROR,
		"--sort %s: the profile has no such figure; use samples, cpu, slots, or a metric of 'cgtopdown list metrics' that %s counted: --level 2 counts more",
		options->sort, options->input ? "was" : "is");
	return -EINVAL;
}

static int write_profile(struct ctd_profile_output *output, const struct ctd_options *options,
			 const struct ctd_profile *profile, const struct ctd_profile *base)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_weight weight;
	struct ctd_profile_sink_options wanted = {
		.base = base,
		.top = options->top ? options->top : TOP_DEFAULT,
		.colour = ctd_text_wants_colour(options->colour, stdout),
		.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.width = terminal_width(),
	};
	int error;

	if (options->sort && *profile->stacks->event.name) {
		ctd_log(CTD_LOG_ERROR, "--sort %s: samples of %s have that figure alone",
			options->sort, profile->stacks->event.name);
		return -EINVAL;
	}
	if (options->sort && ctd_weight_parse(profile, options->sort, &weight) == 0)
		wanted.weight = &weight;
	else if (options->sort && options->input)
		return ctd_profile_output_refuse_sort(options);
	else if (options->sort)
		/* What was sampled is not to be lost. */
		ctd_warn("--sort %s: nothing of it was counted; functions are sorted by %s",
			 options->sort, profile->slots_known ? "slots" : "CPU time");
	error = output->sink->write(&wanted, profile, &out);
	if (error)
		return ctd_log_error(error, "make the profile");
	return write_output(output, &out);
}

/* Most files have no place where it could be said. */
static void warn_of_lost(const struct ctd_profile *profile)
{
	double part =
		(double)profile->lost_samples / (double)(profile->samples + profile->lost_samples);

	if (profile->lost_samples >= LOST_SAMPLES_LEAST && part >= LOST_LEAST)
		ctd_warn(
			"%.0f %% of the samples are of cgroups or core types without figures of that time: they are in no row",
			100 * part);
}

int ctd_profile_output_write(struct ctd_profile_output *output, const struct ctd_options *options,
			     struct ctd_profile *profile)
{
	struct ctd_profile *base = options->profile.base ? &output->base.profile : NULL;
	struct ctd_stacks *common = NULL;
	int error;

	warn_of_lost(profile);
	ctd_profile_keep_wanted(&options->profile.wanted, profile);
	error = options->profile.base ? join(options, profile, base, &common) : 0;
	if (!error)
		error = write_profile(output, options, profile, base);
	ctd_stacks_free(common);
	return error;
}

void ctd_profile_output_close(struct ctd_profile_output *output)
{
	if (output->out && output->path)
		fclose(output->out);
	ctd_recorded_profile_free(&output->base);
	*output = (struct ctd_profile_output)CTD_PROFILE_OUTPUT_NONE;
}

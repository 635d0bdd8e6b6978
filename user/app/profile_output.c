/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profile_output.c - a profile as the command line asks for it: of which containers, where, how. */
#include "app/profile_output.h"

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

struct ctd_rollup_options ctd_profile_rows(const struct ctd_options *options)
{
	return (struct ctd_rollup_options){.by = CTD_GROUP_CONTAINER,
					   .cgroup_glob = options->cgroup_glob};
}

int ctd_profile_output_open(const struct ctd_options *options,
			    struct ctd_profile_output *ret_output)
{
	const char *path = options->profile.output;
	struct ctd_profile_output output = {
		.sink = path ? ctd_profile_sink_find(path) : &ctd_profile_summary,
		.path = path,
	};
	int fd;

	if (!output.sink) {
		ctd_log(CTD_LOG_ERROR,
			"--output '%s': the name ends with none of .svg, .pb.gz, .folded, .speedscope.json",
			path);
		return -EINVAL;
	}
	fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : STDOUT_FILENO;
	output.out = fd < 0 ? NULL : path ? fdopen(fd, "w") : stdout;
	if (!output.out)
		return ctd_log_error(-errno, "write '%s'", path);
	*ret_output = output;
	return 0;
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

int ctd_profile_output_write(struct ctd_profile_output *output, const struct ctd_options *options,
			     struct ctd_profile *profile)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_weight weight;
	struct ctd_profile_sink_options wanted = {
		.top = options->top ? options->top : TOP_DEFAULT,
		.colour = ctd_text_wants_colour(options->colour, stdout),
		.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.width = terminal_width(),
	};
	int error;

	ctd_profile_keep_wanted(&options->profile.wanted, profile);
	if (options->sort && ctd_weight_parse(profile, options->sort, &weight)) {
		ctd_log(CTD_LOG_ERROR,
			"--sort %s: the profile has no such figure; use cpu, slots, or a metric of 'cgtopdown list metrics' that was counted: --level 2 counts more",
			options->sort);
		return -EINVAL;
	}
	wanted.weight = options->sort ? &weight : NULL;
	error = output->sink->write(&wanted, profile, &out);
	if (error)
		return ctd_log_error(error, "make the profile");
	return write_output(output, &out);
}

void ctd_profile_output_close(struct ctd_profile_output *output)
{
	if (output->out && output->path)
		fclose(output->out);
	*output = (struct ctd_profile_output){0};
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* regions.c - stat --by region: shows what programs that measure themselves offer. Counts nothing. */
#include "app/regions/regions.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>

#include "app/regions/show.h"
#include "app/regions/which.h"
#include "app/run/command.h"
#include "app/sandbox/sandbox.h"
#include "app/show.h"
#include "app/stop.h"
#include "base/clock.h"
#include "base/file_limit.h"
#include "base/log.h"

#define NS_PER_MS 1000000ull
/* A program that ends is known from a look before: what it did after that is read from its memory.
 * One that offers regions for a shorter time may be missed. */
#define LOOK_FEW_NS (10 * NS_PER_MS)
#define LOOK_ALL_NS (1000 * NS_PER_MS)
/* Of one CPU, the part that looks take. */
#define LOOK_SHARE 20
#define TELLINGS_MAX 10 /* in a minute */
#define FOREVER_NS UINT64_MAX

struct region_run {
	const struct ctd_options *options;
	struct ctd_region_wanted wanted;
	struct ctd_region_programs programs;
	struct ctd_region_looked looked;
	struct ctd_command_run command;
	struct ctd_sink_options outlet;
	bool has_command;
	uint64_t telling_ns; /* when the minute began in which so many refusals were told */
	unsigned int tellings;
	bool told_denied, told_many, told_partial;
	uint64_t look_ns; /* when the next look is due */
	uint64_t before_ns; /* the beginning of the interval */
	uint64_t shown; /* intervals */
};

/* Each thing once, and not more than people can read: the others later. */
static void tell(struct region_run *run)
{
	uint64_t now_ns = ctd_monotonic_ns();

	if (now_ns - run->telling_ns > 60000 * NS_PER_MS) {
		run->telling_ns = now_ns;
		run->tellings = 0;
	}
	for (size_t i = 0; i < run->programs.count; i++) {
		struct ctd_region_program *program = &run->programs.items[i];

		if (!*program->why || program->told || run->tellings == TELLINGS_MAX)
			continue;
		run->tellings++;
		program->told = true;
		ctd_warn("the regions of process %" PRIu32 " (%s) are not shown: %s", program->pid,
			 program->comm, program->why);
	}
	if (run->looked.denied && !run->told_denied)
		ctd_warn(
			"%zu processes, one of them %" PRIu32
			", may not be looked at: run as root, or as their user, with CAP_SYS_PTRACE in a container",
			run->looked.denied, run->looked.denied_pid);
	run->told_denied |= run->looked.denied > 0;
	if (run->programs.too_many && !run->told_many)
		ctd_warn(
			"there is room for the regions of %d processes, with %d names in all: others are not shown until there is some again",
			CTD_REGION_PROGRAMS_MAX, CTD_REGION_SUMS_MAX);
	run->told_many |= run->programs.too_many;
}

/* @return a region that could not be read this time; NULL: there is none. */
static const char *find_partial(const struct region_run *run, uint32_t *ret_pid)
{
	for (size_t i = 0; i < run->programs.count; i++) {
		const struct ctd_region_program *program = &run->programs.items[i];

		*ret_pid = program->pid;
		for (size_t n = 0; !program->hidden && n < program->sums.count; n++)
			if (program->sums.items[n].partial)
				return program->sums.items[n].name;
	}
	return NULL;
}

static void tell_partial(struct region_run *run)
{
	uint32_t pid;
	const char *name = run->told_partial ? NULL : find_partial(run, &pid);

	if (!name)
		return;
	ctd_warn(
		"region '%s' of process %" PRIu32
		" changes faster than it can be read: what it did is shown once it rests; let a pass be of more work",
		name, pid);
	run->told_partial = true;
}

static int look(struct region_run *run)
{
	bool few = run->wanted.directory || run->wanted.pids.count;
	uint64_t pause_ns = few ? LOOK_FEW_NS : LOOK_ALL_NS, begin_ns = ctd_monotonic_ns(), end_ns;
	int error = ctd_region_look(&run->wanted, &run->programs, &run->looked);

	if (error)
		return ctd_log_error(error, "look for programs that offer regions");
	end_ns = ctd_monotonic_ns();
	if (pause_ns < LOOK_SHARE * (end_ns - begin_ns))
		pause_ns = LOOK_SHARE * (end_ns - begin_ns);
	run->look_ns = end_ns + pause_ns;
	tell(run);
	return 0;
}

static int read_all(struct region_run *run)
{
	int error = ctd_region_programs_read(&run->programs);

	if (error)
		return ctd_log_error(error, "read regions");
	tell(run);
	tell_partial(run);
	return 0;
}

/* Of the processes that were asked for there is none any more. */
static bool have_ended(const struct region_run *run)
{
	return run->wanted.pids.count && !run->looked.there;
}

/* A wait that a signal, and the end of a COMMAND, cut short. */
static void wait_until(const struct region_run *run, uint64_t until_ns)
{
	struct pollfd exit = {.fd = run->has_command ? run->command.exit_fd : -1, .events = POLLIN};
	uint64_t now_ns = ctd_monotonic_ns();

	if (now_ns < until_ns)
		poll(&exit, 1, (int)((until_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS));
}

/* @return false: it has ended before @p end_ns. */
static bool goes_on(const struct region_run *run)
{
	return !ctd_stop_came() && !have_ended(run) &&
	       !(run->has_command && ctd_command_ended(&run->command));
}

static int await_interval(struct region_run *run, uint64_t end_ns)
{
	int error = 0;

	while (!error && goes_on(run) && ctd_monotonic_ns() < end_ns) {
		wait_until(run, run->look_ns < end_ns ? run->look_ns : end_ns);
		if (ctd_monotonic_ns() >= run->look_ns)
			error = look(run);
	}
	return error;
}

static int show_interval(struct region_run *run)
{
	uint64_t now_ns;
	int error = look(run);

	if (!error)
		error = read_all(run);
	if (error)
		return error;
	now_ns = ctd_monotonic_ns();
	error = ctd_region_show(run->options, &run->outlet, &run->programs, now_ns - run->before_ns,
				!run->shown);
	run->before_ns = now_ns;
	run->shown++;
	ctd_region_programs_done(&run->programs);
	return error;
}

static int run_intervals(struct region_run *run)
{
	uint64_t interval_ns = run->options->interval_ns, next_ns = ctd_monotonic_ns();
	bool is_last = false;
	int error = 0;

	if (!interval_ns)
		interval_ns = run->has_command ? FOREVER_NS : CTD_INTERVAL_DEFAULT_NS;
	while (!error && !is_last && (!run->options->count || run->shown < run->options->count)) {
		next_ns = interval_ns == FOREVER_NS
				  ? FOREVER_NS
				  : ctd_clock_next_ns(next_ns, interval_ns, ctd_monotonic_ns());
		error = await_interval(run, next_ns);
		/* Who stops it sees what there is of the last one. What ends while that is written,
		 * which a slow reader makes long, has one more. */
		is_last = !goes_on(run);
		if (!error)
			error = show_interval(run);
	}
	return error;
}

static int begin(struct region_run *run)
{
	const struct ctd_options *options = run->options;
	int error = ctd_command_prepare(options, &run->command);

	run->has_command = options->program && !error;
	run->programs.of_command = run->has_command;
	run->wanted.cgroup_glob = options->cgroup_glob;
	if (run->has_command)
		run->wanted.directory = run->command.directory;
	if (!error && options->pids)
		error = ctd_pids_parse(options->pids, &run->wanted.pids);
	if (!error)
		error = ctd_show_open(options, &run->outlet);
	if (error)
		return error;
	/* One for each program; what began with fewer, as a COMMAND's keeper, keeps these. */
	ctd_file_limit_raise(NULL);
	ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_LOOK);
	error = look(run);
	if (!error)
		error = read_all(run);
	if (!error && have_ended(run)) {
		ctd_log(CTD_LOG_ERROR, "--pid %s: there is no such process", options->pids);
		return -ESRCH;
	}
	run->before_ns = ctd_monotonic_ns();
	return !error && run->has_command ? ctd_command_begin(&run->command, options->program)
					  : error;
}

int ctd_regions_main(const struct ctd_options *options)
{
	struct region_run run = {.options = options};
	int error, status;

	ctd_stop_prepare();
	error = begin(&run);
	if (!error)
		error = run_intervals(&run);
	status = ctd_command_status(&run.command, run.has_command, error == -EPIPE ? 0 : error);
	ctd_command_free(&run.command);
	ctd_show_close(&run.outlet);
	ctd_region_programs_free(&run.programs);
	return status;
}

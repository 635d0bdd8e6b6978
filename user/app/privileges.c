/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* privileges.c - keeps the few capabilities that accounting needs while it goes on. */
#include "app/privileges.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/capability.h>
#include <sys/prctl.h>

#include "base/log.h"
#include "pmu/perf_event.h"

/*
 * CPUs come and go, and counters die: their events are opened again, with a program on one of them
 * (CAP_PERFMON). Where kernel.unprivileged_bpf_disabled is set, older kernels refuse every bpf()
 * without CAP_BPF, also the run of the flush program that each snapshot is (5.10 to 5.18, see
 * commit c8644cd0efe7, "bpf: refine kernel.unprivileged_bpf_disabled behaviour"). Files with names,
 * keys and secrets may be of another user (CAP_DAC_READ_SEARCH).
 */
static const cap_value_t to_run[] = {CAP_PERFMON, CAP_BPF, CAP_DAC_READ_SEARCH};

/* Before that limits are raised (CAP_SYS_RESOURCE), and the host's files may be looked for by way
 * of one of its processes, /proc/1/root (CAP_SYS_PTRACE). */
static const cap_value_t to_start[] = {CAP_PERFMON, CAP_BPF, CAP_DAC_READ_SEARCH, CAP_SYS_RESOURCE,
				       CAP_SYS_PTRACE};

/*
 * Debian's and Ubuntu's kernels let CAP_SYS_ADMIN alone open events where
 * kernel.perf_event_paranoid is above 2, which is Debian's default ("security,perf: Allow further
 * restriction of perf_event_open"). Tried, as other kernels have that value, too, and no such rule.
 */
static const cap_value_t to_count[] = {CAP_SYS_ADMIN};

/* A COMMAND may have become another user. */
static const cap_value_t to_end[] = {CAP_KILL};

/* Roots and mapped files of others: /proc/PID/root, /proc/PID/map_files. */
static const cap_value_t to_profile[] = {CAP_SYS_PTRACE, CAP_CHECKPOINT_RESTORE};

/* Open files of others: /proc/PID/fd. */
static const cap_value_t to_look[] = {CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH};

/* A socket of another user, when its server was restarted; or a new file in a directory of one. */
static const cap_value_t to_override[] = {CAP_DAC_OVERRIDE};

#define SET(values)                                        \
	{                                                  \
		values, sizeof(values) / sizeof(*(values)) \
	}

/* What each need takes. */
static const struct {
	const cap_value_t *values;
	size_t count;
} sets[][3] = {
	[CTD_PRIVILEGES_TO_START] = {SET(to_start)},
	[CTD_PRIVILEGES_TO_START_PROFILE] = {SET(to_start), SET(to_profile)},
	[CTD_PRIVILEGES_TO_RUN] = {SET(to_run)},
	[CTD_PRIVILEGES_TO_END_COMMAND] = {SET(to_run), SET(to_end)},
	[CTD_PRIVILEGES_TO_PROFILE] = {SET(to_run), SET(to_end), SET(to_profile)},
	[CTD_PRIVILEGES_TO_ASK] = {SET(to_override)},
	[CTD_PRIVILEGES_TO_LOOK] = {SET(to_look), SET(to_end)},
	[CTD_PRIVILEGES_TO_WATCH] = {SET(to_override)},
	[CTD_PRIVILEGES_TO_SHOW] = {{NULL, 0}},
};

/* Nobody gets them any more, root's own by uid 0 neither. It takes CAP_SETPCAP: who lacks it, as in
 * a container, has them already limited. */
static void empty_bounding_set(void)
{
	for (cap_value_t value = 0; cap_get_bound(value) >= 0; value++)
		if (cap_drop_bound(value))
			return;
}

/* What there is of @p kept. */
static int keep(cap_t capabilities, cap_t there, const cap_value_t *kept, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		cap_flag_value_t permitted = CAP_CLEAR;

		/* Unknown to this kernel, perhaps: then nobody has it. */
		if (cap_get_flag(there, kept[i], CAP_PERMITTED, &permitted) ||
		    permitted == CAP_CLEAR)
			continue;
		if (cap_set_flag(capabilities, CAP_PERMITTED, 1, &kept[i], CAP_SET) ||
		    cap_set_flag(capabilities, CAP_EFFECTIVE, 1, &kept[i], CAP_SET))
			return -errno;
	}
	return 0;
}

/* Would @p capabilities do to open counters, of all that are @p there? */
static bool can_count(cap_t capabilities, cap_t there)
{
	cap_t trial = cap_dup(there);
	int result = 0;

	/* What is only ineffective comes back. */
	for (cap_value_t value = 0; trial && value <= CAP_LAST_CAP; value++) {
		cap_flag_value_t kept = CAP_CLEAR;

		if (!cap_get_flag(capabilities, value, CAP_EFFECTIVE, &kept))
			cap_set_flag(trial, CAP_EFFECTIVE, 1, &value, kept);
	}
	if (trial && !cap_set_proc(trial)) {
		result = ctd_perf_event_try();
		cap_set_proc(there);
	}
	cap_free(trial);
	return result != -EACCES && result != -EPERM;
}

void ctd_privileges_drop(enum ctd_privileges needed)
{
	cap_t there = cap_get_proc(), capabilities = cap_init();
	int error = there && capabilities ? 0 : -errno;

	for (size_t i = 0; !error && i < sizeof(sets[needed]) / sizeof(*sets[needed]); i++)
		error = keep(capabilities, there, sets[needed][i].values, sets[needed][i].count);
	if (!error && needed < CTD_PRIVILEGES_TO_ASK && !can_count(capabilities, there)) {
		error = keep(capabilities, there, to_count, sizeof(to_count) / sizeof(*to_count));
		if (needed == CTD_PRIVILEGES_TO_START || needed == CTD_PRIVILEGES_TO_START_PROFILE)
			ctd_warn(
				"this kernel lets CAP_SYS_ADMIN alone open counters, as kernel.perf_event_paranoid is above 2; it is kept, if there; 'sysctl kernel.perf_event_paranoid=2' makes it needless");
	}
	empty_bounding_set();
	/* Inheritable ones go, too, and with them those of the ambient set. */
	if (!error && cap_set_proc(capabilities))
		error = -errno;
	/* No program is ever started: none is to get more than we have. */
	if (!error && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		error = -errno;
	if (error)
		ctd_log_error(error, "give up privileges; all are kept");
	cap_free(there);
	cap_free(capabilities);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* privileges.c - keeps the few capabilities that accounting needs while it goes on. */
#include "app/privileges.h"

#include <errno.h>
#include <sys/capability.h>
#include <sys/prctl.h>

#include "base/log.h"

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

void ctd_privileges_drop(enum ctd_privileges needed)
{
	cap_t there = cap_get_proc(), capabilities = cap_init();
	int error = there && capabilities ? 0 : -errno;

	if (!error && needed == CTD_PRIVILEGES_TO_START)
		error = keep(capabilities, there, to_start, sizeof(to_start) / sizeof(*to_start));
	else if (!error)
		error = keep(capabilities, there, to_run, sizeof(to_run) / sizeof(*to_run));
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

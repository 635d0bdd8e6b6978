/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* flush.c - closes open slices: of every CPU for a snapshot, and long ones by a clock. */
#include "kern/topdown/topdown.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>

#include "base/log.h"
#include "bpf/topdown.skel.h"
#include "kern/clock.h"

/* Attempts to flush a CPU that is in the middle of another closing. */
#define FLUSH_ATTEMPTS 100

/* bpf: Enable BPF_PROG_TEST_RUN for raw_tracepoint (1b4d60ec162f, 5.10). */
int ctd_kern_flush_cpu(struct ctd_kern *kern, int cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, run, .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = cpu);
	int fd = bpf_program__fd(kern->skeleton->progs.cgtd_flush);

	for (int attempt = 0; attempt < FLUSH_ATTEMPTS; attempt++) {
		if (bpf_prog_test_run_opts(fd, &run))
			return -errno;
		if (!run.retval)
			return 0;
	}
	return -EBUSY;
}

void ctd_kern_forget_slice(struct ctd_kern *kern, int cpu)
{
	kern->cpus[cpu].live = 0;
	kern->cpus[cpu].owner = CTD_OWNER_NONE;
	if (kern->siblings) {
		kern->siblings[cpu].id = CTD_OCCUPIER_IDLE;
		kern->siblings[cpu].stays++;
	}
	/* Simulated counters stand still meanwhile, as those of a PMU do. */
	kern->cpus[cpu].simulated_ns = 0;
}

int ctd_kern_flush(struct ctd_kern *kern, bool *ret_flushed)
{
	int taken = ctd_kern_take_pairs(kern);

	if (taken)
		return ctd_log_error(taken, "take the pairs of waits");
	kern->epoch++;
	for (int cpu = 0; cpu < kern->options.cpus; cpu++)
		__atomic_store_n(&kern->cpus[cpu].wanted_epoch, kern->epoch, __ATOMIC_RELEASE);
	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		bool disturb = ctd_kern_is_alive(kern, cpu) && !kern->fenced[cpu];
		int error = disturb ? ctd_kern_flush_cpu(kern, cpu) : 0;

		/* ENXIO: it went offline since we last looked. */
		if (error && error != -ENXIO)
			return ctd_log_error(error, "run the flush program on cpu %d", cpu);
		/* The CPU went online and offline again before we were told of either. */
		if (error && !kern->online[cpu])
			ctd_kern_forget_slice(kern, cpu);
		if (ret_flushed)
			ret_flushed[cpu] = disturb && !error;
	}
	return 0;
}

int ctd_kern_watch_cpu(struct ctd_kern *kern, int cpu, bool watch)
{
	/* Fires twice per --max-slice: slices end after at most one and a half of it. */
	const struct ctd_clock clock = {
		.purpose = "--max-slice",
		.cpu = cpu,
		.period_ns = kern->options.max_slice_ns / 2,
	};

	bpf_link__destroy(kern->long_slice_links[cpu]); /* closes its event, too */
	kern->long_slice_links[cpu] = NULL;
	if (!watch || !kern->options.max_slice_ns || kern->fenced[cpu])
		return 0;
	return ctd_clock_start(&clock, kern->skeleton->progs.cgtd_long_slice,
			       &kern->long_slice_links[cpu], NULL);
}

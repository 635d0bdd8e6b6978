/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* latencies.h - samples how long events take to retire. */
#ifndef PMU_LATENCIES_H
#define PMU_LATENCIES_H

#include <cgtopdown/counters.h>
#include <cgtopdown/latency.h>

/* Where the kernel offers it, one event after the other on each CPU. */
struct ctd_latency_sampler;

/*
 * Opens the events of @p rotations on the CPUs of their core types that are in @p cpus. They are
 * not pinned: each counts only while the groups that are leave it a counter. @p core_type_of: of
 * each CPU; NULL: all are alike. Logs at level info only. @return NULL: there are none, or the
 * kernel offers none.
 */
struct ctd_latency_sampler *ctd_latency_sampler_new(const struct ctd_rotations *rotations,
						    const uint8_t *core_type_of, const bool *cpus,
						    int cpus_count);
void ctd_latency_sampler_free(struct ctd_latency_sampler *sampler);
/* Takes in what was sampled and lets the next events sample, if it is time to. @return the
 * monotonic time at which it will be. NULL is fine: never. */
uint64_t ctd_latency_sampler_turn(struct ctd_latency_sampler *sampler, uint64_t now_ns);
/* What is known until now. NULL is fine. */
void ctd_latency_sampler_read(const struct ctd_latency_sampler *sampler,
			      struct ctd_latencies *ret_latencies);

struct perf_event_attr;
/* What perf_event_open(2) takes: samples of weights, each with an interrupt of its own. */
void ctd_latency_attr(const struct ctd_latency_event *latency, struct perf_event_attr *ret_attr);

typedef int ctd_latency_ioctl_fn(int fd, unsigned long request, unsigned long argument);
/* A turn begins, of as many samples as turns may have, of which @p left are left from the last
 * one. @return how many are left now: after them the kernel stops the event. */
uint8_t ctd_latency_let_go_on(ctd_latency_ioctl_fn *call, int fd, uint8_t left);

/*
 * Adds up records of a ring buffer of @p bytes, a power of two, from *tail to @p head, and sets
 * *tail to @p head. Of what cannot be, and of what is behind it, nothing is taken. @return how many
 * samples there were, with those that the kernel says were lost.
 */
uint64_t ctd_latency_take_records(const unsigned char *ring, size_t bytes, uint64_t head,
				  uint64_t *tail, struct ctd_latency *sum);

#endif

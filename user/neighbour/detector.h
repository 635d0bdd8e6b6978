/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* detector.h - what is kept of each container, and how it is judged. Private to user/neighbour/. */
#ifndef NEIGHBOUR_DETECTOR_H
#define NEIGHBOUR_DETECTOR_H

#include <cgtopdown/neighbour.h>

#include "base/idmap.h"
#include "neighbour/own_model.h"

/* In samples: of 10 s, one hour, 20 minutes and 10 minutes. */
#define HISTORY 360
#define SERIES CTD_NEIGHBOUR_SERIES
#define LOSS_WINDOW 60
/* A model needs so many samples; until then a container is learning. */
#define LEARNING 90
/* A model is fitted anew every so many samples. */
#define FIT_EVERY 12u
/* Weights of older samples fall by 1/e in so many. */
#define WAITS_DECAY 6
#define SIBLINGS_DECAY 30
/* After so many samples in a row in which it stopped nothing a limit stops a container no more: one
 * that is used up in bursts does not in each of them. */
#define UNSTOPPED 3
/* Others that a container has to do with at a time. */
#define PAIRS 8

/* What contention makes more of: slots of these kinds, per retired one. */
enum ctd_kind { KIND_MEMORY, KIND_FRONTEND, KINDS };

/* One sample, as natural logarithms per retired slot. */
struct ctd_point {
	/* ln of the slots themselves; -INFINITY: it did not run; NAN: not known, as where it ran
	 * and was not counted */
	float retired;
	float kind[KINDS]; /* ln(M/R), ln(F/R); NAN: not known */
	float slots; /* ln(S/R) */
};

/* The bits of enum ctd_neighbour_known that say which slots stand for memory. */
#define MEMORY_KINDS ((uint64_t)(CTD_NEIGHBOUR_MEMORY | CTD_NEIGHBOUR_BACKEND))

/* Sums in which older samples weigh less. */
struct ctd_recent {
	double window_ns, cpu_ns;
	double waits, wait_ns, own_ns, other_ns, kernel_ns, unknown_ns, short_ns, throttled_wait_ns;
	double periods, throttled, throttled_ns;
};

struct ctd_recent_siblings {
	double window_ns, cpu_ns;
	double slots, counted_cpu_ns; /* of samples whose slots are known */
	double sibling_cpu_ns[CTD_SIBLINGS], sibling_retired[CTD_SIBLINGS];
};

/* Where it ran. */
struct ctd_recent_caches {
	double ns[CTD_CACHE_PARTS_MAX];
};

struct ctd_recent_pair {
	uint64_t other; /* serial number of a subject; 0: free */
	double wait_ns, preemptions, together_ns;
};

struct ctd_verdict {
	bool tagged;
	uint32_t streak; /* judgements in a row that speak for a change */
	uint64_t since_ns;
};

/* Slots of one kind beyond what the container's own model expects. */
struct ctd_excess {
	struct ctd_own_model model;
	bool by_slots; /* the load is told by all slots, not by those that retire */
	uint64_t fitted_at; /* tick; 0: never */
	uint64_t until; /* tick up to which the series are made */
	float excess[SERIES]; /* by tick; NAN: not known */
	/* What it asks of the shared resource, in slots; 0: it did not run, or was not counted. */
	float pressure[SERIES];
	float uncounted; /* of the samples in which it ran: the part of which nothing is known */
};

struct ctd_subject {
	uint64_t serial, id; /* 1, 2, ...; the hash by which it is found */
	struct ctd_neighbour_names names; /* one block, owned by names_text */
	char *names_text;
	uint32_t domain, known; /* of the newest sample */
	uint64_t first_at; /* tick of the first sample; 0: it was known before a restart */
	uint64_t seen_at; /* tick of the newest sample */
	uint64_t seen_in; /* batch of the newest sample: 1, 2, ...; 0: none since a restart */
	double limit_cpus;
	bool is_limited; /* in the newest sample its limit counted */
	uint32_t unstopped; /* samples in a row, up to the newest, in which none above stopped it */
	/* See struct ctd_neighbour_throttling: of the newest sample in which a limit stopped it. */
	size_t above_bytes;
	double above_limit_cpus;
	/* What all points are of, as they can be compared: by what slots were counted, and in the
	 * bits of MEMORY_KINDS which ones stand for memory. */
	uint64_t meaning;
	uint32_t strange; /* samples in a row that are of something else, and no points */
	struct ctd_point history[HISTORY]; /* by tick */
	struct ctd_excess excess[KINDS];
	struct ctd_recent recent;
	struct ctd_recent_siblings siblings;
	struct ctd_recent_caches caches;
	float place[CTD_CACHES_MAX]; /* its parts on each cache, of what is known; they come to 1 */
	struct ctd_recent_pair pairs[PAIRS];
	struct ctd_verdict verdicts[CTD_MECHANISMS];
};

/* What one judgement says of one container by one mechanism. */
struct ctd_finding {
	bool enters, stays; /* it is bad enough for a tag to begin, or to go on */
	bool waits; /* it says neither: what speaks for a change so far still does */
	struct ctd_neighbour_tag tag;
};

struct ctd_neighbours {
	struct ctd_neighbours_options options;
	uint64_t tick; /* of the newest batch; 0: none */
	uint64_t time_ns; /* of the newest batch */
	uint64_t next_serial;
	struct ctd_caches caches; /* of the newest batch */
	/* What all containers of a domain ask of each cache; without caches of the first. */
	float pressure[CTD_CACHES_MAX][KINDS][SERIES];
	struct ctd_subject **subjects; /* owned, each */
	size_t subjects_count;
	struct ctd_idmap by_id; /* -> subject */
	struct ctd_idmap by_serial;
	struct ctd_neighbour_tag *tags; /* owned; room for all */
	size_t tags_count;
	struct ctd_neighbour_series series[CTD_NEIGHBOUR_SERIES_TAGS]; /* of tags */
	uint64_t batches, refused_batches, refused_samples;
};

static inline struct ctd_point *ctd_point_at(struct ctd_subject *subject, uint64_t tick)
{
	return &subject->history[tick % HISTORY];
}

/* Of a decaying sum: what it is after one more sample. */
static inline void ctd_decay(double *sum, double added, int samples)
{
	*sum += added - *sum / samples;
}

/* subject.c: @return the subject of the sample, made if there is room; NULL: there is none, or
 * with *ret_error no memory. */
struct ctd_subject *ctd_subject_of(struct ctd_neighbours *neighbours,
				   const struct ctd_neighbour_names *names, uint32_t domain,
				   int *ret_error);
struct ctd_subject *ctd_subject_by_serial(const struct ctd_neighbours *neighbours, uint64_t serial);
/* Frees those that were not seen for the length of a history. */
void ctd_subjects_forget(struct ctd_neighbours *neighbours);
void ctd_subject_free(struct ctd_subject *subject);

/* take.c: enters a sample at the newest tick. */
void ctd_take_sample(struct ctd_subject *subject, uint64_t tick,
		     const struct ctd_neighbour_sample *sample);
/* One batch less weight for all that was. */
void ctd_take_tick(struct ctd_subject *subject, uint64_t tick, uint64_t window_ns);
void ctd_take_pair(struct ctd_subject *victim, uint64_t other,
		   const struct ctd_neighbour_pair *pair);

/* excess.c: brings model and series up to @p tick. */
void ctd_excess_update(struct ctd_subject *subject, enum ctd_kind kind, uint64_t tick);
/* The model's two controls: ln of the load, and of the other slots, ln((S - R - K)/R); NAN: none. */
float ctd_excess_load(const struct ctd_excess *series, const struct ctd_point *point);
float ctd_excess_rest(const struct ctd_point *point, enum ctd_kind kind);
/* Did it run at @p tick without its slots of that kind being known? */
bool ctd_excess_is_uncounted(const struct ctd_subject *subject, enum ctd_kind kind, uint64_t tick);
bool ctd_subject_is_learning(const struct ctd_subject *subject);
/* What was lost in the loss window: @return the part of its slots, mean of samples; NAN: unknown. */
double ctd_excess_lost(const struct ctd_subject *subject, enum ctd_kind kind, uint64_t tick,
		       double *ret_slots);

/* One file each: @return true if anything is to be said. */
/* What was added up is of the victim's domain. */
void ctd_judge_pressure(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			enum ctd_kind kind, struct ctd_finding *ret_finding);
void ctd_judge_run_queue(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			 struct ctd_finding *ret_finding);
void ctd_judge_siblings(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			struct ctd_finding *ret_finding);
void ctd_judge_throttling(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
			  struct ctd_finding *ret_finding);

/* finding.c */
/* Do the first @p bytes name a cgroup, that one itself or one above it? NULL: it is not known. */
bool ctd_cgroup_is_above(const char *cgroup, size_t bytes);
/* Of what is lost with that much CPU time: slots as the container has them in its own. */
void ctd_finding_set_slots(struct ctd_finding *finding, const struct ctd_recent_siblings *siblings,
			   double cpu_ns);
void ctd_finding_add_evidence(struct ctd_finding *finding, const char *name, double value);
/* Keeps the largest shares; those below @p least are none. */
void ctd_finding_add_antagonist(struct ctd_finding *finding, const struct ctd_subject *subject,
				double share, double least);
double ctd_finding_shares(const struct ctd_finding *finding);

/* series.c: gives the first tags what they were decided by. */
void ctd_series_make(struct ctd_neighbours *neighbours);

/* judge.c: all mechanisms of all subjects; makes the tags. */
void ctd_judge_all(struct ctd_neighbours *neighbours);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neighbour.h - finds containers that others slow down: samples in, tags with their evidence out. */
#ifndef CGTOPDOWN_NEIGHBOUR_H
#define CGTOPDOWN_NEIGHBOUR_H

#include <cgtopdown/abi.h>
#include <cgtopdown/caches.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By what one container slows another down. */
enum ctd_mechanism {
	CTD_MECHANISM_RUN_QUEUE, /* its tasks wait for a CPU that others occupy */
	CTD_MECHANISM_SMT, /* the core's other hardware thread is busy */
	CTD_MECHANISM_MEMORY, /* cache and memory channels are shared */
	CTD_MECHANISM_FRONTEND, /* as memory, of fetching instructions */
	CTD_MECHANISM_THROTTLING, /* a limit of CPU time, its own or one above it */
	CTD_MECHANISMS,
};
/* "run_queue", "smt", "memory", "frontend", "throttling". */
const char *ctd_mechanism_name(enum ctd_mechanism mechanism);

/* Whose doing a loss is. */
enum ctd_blame {
	CTD_BLAME_NEIGHBOUR, /* that of the antagonists named */
	/* Of many others, none of which stands out; or others, too, use up the limit of CPU time,
	 * above its own, that stops it. */
	CTD_BLAME_MACHINE,
	CTD_BLAME_INPUT, /* its work changed by itself: the pressure of no other follows the loss */
	/* Its own tasks wait for each other, or a limit of CPU time stops it: its own, or one above
	 * it that no others use up; `neighbours --explain` names it. */
	CTD_BLAME_SELF,
	CTD_BLAMES,
};
/* "neighbour", "machine", "input", "self". */
const char *ctd_blame_name(enum ctd_blame blame);

/* The container of a sample. Only `key` is never NULL; NULL: not known, or none. */
struct ctd_neighbour_names {
	const char *key; /* tells it from others, and is the same after a restart */
	const char *namespace_name, *pod, *container, *container_id, *cgroup;
};

/* What is known of a sample besides its CPU time. A figure that is not is 0, and not used. */
enum ctd_neighbour_known {
	CTD_NEIGHBOUR_SLOTS = 1 << 0, /* slots and retired_slots */
	CTD_NEIGHBOUR_MEMORY = 1 << 1, /* memory_slots, of level 2 */
	CTD_NEIGHBOUR_BACKEND = 1 << 2, /* memory_slots are back-end bound ones: less confidence */
	CTD_NEIGHBOUR_FRONTEND = 1 << 3,
	CTD_NEIGHBOUR_WAITS = 1 << 4,
	CTD_NEIGHBOUR_THROTTLING = 1 << 5,
	CTD_NEIGHBOUR_SIBLINGS = 1 << 6, /* siblings[] */
	CTD_NEIGHBOUR_CACHES = 1 << 7, /* cache_ns[] */
};

/* Time in run queues, in the sample; `wait_ns` is the sum of the parts. */
struct ctd_neighbour_waits {
	uint64_t count, wait_ns;
	uint64_t own_ns; /* while its own tasks had the CPU */
	uint64_t other_ns, kernel_ns, idle_ns, throttled_ns, unknown_ns;
	uint64_t short_ns; /* waits too short to be split */
};

struct ctd_neighbour_throttling {
	uint64_t periods, throttled, throttled_ns;
	double limit_cpus; /* 0: not known */
	/* Instead of its own limit, its tasks waited for that of a cgroup above it: so much of
	 * names.cgroup is that one. 0: they did not, or it is not known. */
	size_t above_bytes;
	double above_limit_cpus;
};

/* While the core's other hardware thread was in one state. */
struct ctd_neighbour_sibling {
	uint64_t cpu_ns; /* of which the slots are known */
	uint64_t retired_slots;
};

/* What two containers share where one presses on the other by memory or front end. */
enum ctd_scope {
	CTD_SCOPE_UNKNOWN, /* nothing is told apart: as if all were one */
	CTD_SCOPE_MACHINE,
	CTD_SCOPE_NODE, /* a memory node */
	CTD_SCOPE_CACHE, /* a last cache */
	CTD_SCOPES,
};
/* "unknown", "machine", "node", "cache". */
const char *ctd_scope_name(enum ctd_scope scope);

/* What one container did in one sample period, on the CPUs of one domain. */
struct ctd_neighbour_sample {
	struct ctd_neighbour_names names;
	uint32_t domain; /* CPUs whose slots are alike; only those of one are compared */
	uint32_t known; /* bits of enum ctd_neighbour_known */
	/* By what slots were counted: a number that is the same after a restart, and another one
	 * where source or level is another. 0: not known, or by several. */
	uint64_t counted_by;
	uint64_t cpu_ns;
	uint64_t slots, retired_slots, memory_slots, frontend_slots;
	struct ctd_neighbour_waits waits;
	struct ctd_neighbour_throttling throttling;
	struct ctd_neighbour_sibling siblings[CTD_SIBLINGS]; /* by enum ctd_sibling */
	/* Of cpu_ns: on CPUs of each of the batch's caches, and behind these of unknown ones. */
	uint64_t cache_ns[CTD_CACHE_PARTS_MAX];
};

/* What one container had to do with another, in the sample period. */
struct ctd_neighbour_pair {
	uint32_t victim, other; /* indices of samples */
	uint64_t wait_ns; /* the victim's tasks waited while the other had the CPU */
	uint64_t waits, preemptions;
	uint64_t together_ns; /* both ran on hardware threads of one core */
};

/* All containers, in one sample period. */
struct ctd_neighbour_batch {
	uint64_t time_ns; /* since 1970: its end */
	uint64_t window_ns; /* its length */
	const struct ctd_neighbour_sample *samples;
	size_t samples_count;
	const struct ctd_neighbour_pair *pairs;
	size_t pairs_count;
	const struct ctd_caches *caches; /* NULL: none are told apart */
};

#define CTD_ANTAGONISTS_MAX 4
#define CTD_EVIDENCE_MAX 16

struct ctd_antagonist {
	const struct ctd_neighbour_names *names;
	double share; /* of what others did to the victim */
};

/* A number that the tag was decided by. */
struct ctd_evidence {
	const char *name; /* static; the member's in jsonl */
	double value;
};

/*
 * What a tag of memory or front end was decided by, sample by sample: the oldest first, the last
 * one is the newest sample.
 */
#define CTD_NEIGHBOUR_SERIES 120
struct ctd_neighbour_series {
	size_t count;
	/* How far the victim's slots are above its own model, as a logarithm; NAN: not known. */
	float excess[CTD_NEIGHBOUR_SERIES];
	/* Of its first antagonist, or where none is named what reaches it of all others, in slots;
	 * NAN: not known. */
	float pressure[CTD_NEIGHBOUR_SERIES];
};
/* So many tags have one: those that lose most, of neighbours' doing first. */
#define CTD_NEIGHBOUR_SERIES_TAGS 32

/* Borrowed from the detector until it takes the next samples. */
struct ctd_neighbour_tag {
	const struct ctd_neighbour_names *victim;
	uint32_t domain;
	enum ctd_mechanism mechanism;
	enum ctd_blame blame;
	struct ctd_antagonist antagonists[CTD_ANTAGONISTS_MAX]; /* the largest share first */
	size_t antagonists_count; /* 0 unless the blame is a neighbour's */
	double loss_cpus; /* CPUs that the victim would need less */
	bool loss_slots_known;
	double loss_slots; /* lost in the evidence's window */
	double confidence; /* 0..1 */
	uint64_t since_ns; /* since 1970: end of the first sample that it was judged by */
	struct ctd_evidence evidence[CTD_EVIDENCE_MAX];
	size_t evidence_count;
	const struct ctd_neighbour_series *series; /* NULL: none */
	/* Of memory and front end, where others do it: what the victim shares with them. */
	enum ctd_scope scope;
	/* Of throttling: so much of the victim's cgroup is the one whose limit it is; 0: its own. */
	size_t limit_bytes;
};

struct ctd_neighbours_options {
	uint64_t period_ns; /* of samples; all windows are multiples of it. 0: 10 s */
	size_t subjects_max; /* containers followed at a time; 0: 1,000 */
};
#define CTD_NEIGHBOUR_PERIOD_DEFAULT_NS 10000000000ull
#define CTD_NEIGHBOUR_SUBJECTS_DEFAULT 1000

/* Of a running detector. */
struct ctd_neighbours_status {
	uint64_t batches; /* taken */
	uint64_t refused_batches; /* their time was not after the one before */
	uint64_t refused_samples; /* there was no room for another container */
	size_t subjects,
		learning; /* followed; whose history is too short for memory and front end */
	size_t bytes; /* memory taken */
	uint32_t caches, nodes; /* that are told apart; 0: the machine is one place */
};

struct ctd_neighbours;
/* @return 0 or -ENOMEM. */
int ctd_neighbours_new(const struct ctd_neighbours_options *options,
		       struct ctd_neighbours **ret_neighbours);
void ctd_neighbours_free(struct ctd_neighbours *neighbours);
/*
 * Takes the samples of one period; tags are as before until ctd_neighbours_judge(). Nothing of
 * the batch is kept by reference. A batch whose time is not after the one before is refused, with
 * -EINVAL: a clock was set back; the next one goes on from its time. A container whose slots are
 * counted by another source, at another level or as another kind for some samples is learning
 * again. @return 0, -EINVAL, or -ENOMEM: the rest of the batch is missing.
 */
int ctd_neighbours_add(struct ctd_neighbours *neighbours, const struct ctd_neighbour_batch *batch);
/* Judges by all that was taken: once after each batch, or where only the end matters, once. */
void ctd_neighbours_judge(struct ctd_neighbours *neighbours);
/* The tags as they were judged: by neighbours first, the largest loss first. */
const struct ctd_neighbour_tag *ctd_neighbours_tags(const struct ctd_neighbours *neighbours,
						    size_t *ret_count);
/* One more number beside those of a tag, of which there is @p tag in the order above. It is for
 * readers: nothing is decided by it. */
void ctd_neighbours_add_evidence(struct ctd_neighbours *neighbours, size_t tag, const char *name,
				 double value);
void ctd_neighbours_status(const struct ctd_neighbours *neighbours,
			   struct ctd_neighbours_status *ret_status);

/* What was judged at one time. A copy is apart from the detector, and shared by reference count. */
struct ctd_neighbour_verdicts {
	uint64_t time_ns; /* since 1970 */
	struct ctd_neighbours_status status;
	const struct ctd_neighbour_tag *tags; /* as ctd_neighbours_tags() has them */
	size_t tags_count;
	/* What tags stood for, of all samples up to here. */
	uint64_t lost_slots[CTD_MECHANISMS][CTD_BLAMES];
};
/* What holds now, without lost slots; tags are borrowed until the detector takes the next samples. */
struct ctd_neighbour_verdicts ctd_neighbours_verdicts(const struct ctd_neighbours *neighbours,
						      uint64_t time_ns);
/* With tags, names and series of its own, but for the names of evidence. @return NULL without
 * memory. */
struct ctd_neighbour_verdicts *
ctd_neighbour_verdicts_copy(const struct ctd_neighbour_verdicts *verdicts);
/* From any thread; NULL is fine. */
const struct ctd_neighbour_verdicts *
ctd_neighbour_verdicts_hold(const struct ctd_neighbour_verdicts *verdicts);
/* From any thread; the last one frees them. NULL is fine. */
void ctd_neighbour_verdicts_release(const struct ctd_neighbour_verdicts *verdicts);

/* The history as bytes, to go on with after a restart: the caller's, by free(). @return 0 or
 * -ENOMEM. */
int ctd_neighbours_save(const struct ctd_neighbours *neighbours, void **ret_bytes,
			size_t *ret_count);
/*
 * Takes up a history that was saved, before the first batch. @p ret_why: static, with -EBADMSG.
 * @return 0, -ENOMEM, or -EBADMSG: it is none, of another version, or of another sample period.
 */
int ctd_neighbours_load(struct ctd_neighbours *neighbours, const void *bytes, size_t count,
			const char **ret_why);

#endif

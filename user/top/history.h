/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* history.h - the intervals of the last time, and names for what is in them: filled by one thread,
 * looked at by another. */
#ifndef TOP_HISTORY_H
#define TOP_HISTORY_H

#include <cgtopdown/identity.h>
#include <cgtopdown/record.h>
#include <cgtopdown/rollup.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/idmap.h"
#include "base/strbuf.h"
#include "rollup/pipeline.h"

/* What one row did on a core type in a frame. */
struct ctd_top_point {
	uint64_t cpu_ns;
	double ipc; /* NaN: not known */
	bool known; /* there are values */
	/* By the columns of the frame's plan. */
	struct ctd_value values[CTD_NODES_MAX];
};

/* Of which machines figures are, where there are several. */
struct ctd_top_nodes {
	size_t shown, asked; /* 0: there is one machine */
	char *missing; /* owned; of those that are not shown a line each: "NAME<tab>WHY"; or NULL */
};
void ctd_top_nodes_free(struct ctd_top_nodes *nodes);

/* One interval, or several that were added up as there was no more room. */
struct ctd_top_frame {
	uint64_t number; /* grows from one to the next */
	const struct ctd_rollup_plan *plan; /* borrowed from the history */
	struct ctd_interval interval; /* owned */
	struct ctd_identities *identities; /* owned; NULL: the history's */
	struct ctd_top_nodes nodes; /* owned */
	/* From the history of a serve, which does not tell switches, slices, costs and faults. */
	bool is_past;
	bool is_cut; /* rows that are not there may have run */
	size_t bytes;
	/* trend.c: CPU time by the key of the row, as rows are grouped now, and where core types
	 * differ by that of its part. */
	struct ctd_idmap cpu_ns;
	int cpu_grouping; /* -1: not there */
	/* point.c: of one row. */
	struct ctd_top_point point;
	uint64_t point_key; /* of that part; 0: not there */
	int point_grouping;
};

struct ctd_top_plan;

/* Everything below is looked at and changed with the lock held. */
struct ctd_top_history {
	pthread_mutex_t lock;
	struct ctd_top_frame **frames; /* owned, and each of them; the oldest first */
	size_t count, capacity;
	size_t bytes, bytes_max; /* of all frames */
	uint64_t numbers; /* given so far */
	struct ctd_identities *identities; /* owned */
	struct ctd_idmap comms; /* pid -> char *, owned */
	struct ctd_record_header header; /* of the newest plan, and */
	/* Owned; of each core type the block of vendors' metrics behind it; empty: none. */
	struct ctd_strbuf vendor[CTD_CORE_TYPES_MAX];
	struct ctd_pipeline pipeline;
	struct ctd_top_plan *plans; /* owned; all that any frame may be of */
	struct ctd_record_writer *writer; /* owned; takes what comes; NULL: nothing does */
	int writer_error; /* it ended for this reason, of which nobody has asked yet */
	struct ctd_top_nodes nodes; /* owned; now */
	bool has_vendor; /* where figures are asked for there are metrics of a vendor, too */
	bool has_ended; /* nothing more comes */
	char why[200]; /* the source's trouble, if any; "" again when it is over */
};

/* @p bytes_max: when frames have more, neighbours are added up, the oldest first. @return 0 or
 * -ENOMEM. */
int ctd_top_history_init(size_t bytes_max, struct ctd_top_history *ret_history);
void ctd_top_history_free(struct ctd_top_history *history);

/* From here on what comes is of the plan that @p header says. @return 0; -EINVAL: a model is not
 * known, *ret_unknown is its name; -ENOMEM. */
int ctd_top_history_plan(struct ctd_top_history *history, const struct ctd_record_header *header,
			 const char **ret_unknown);
/* Takes what a recording has next, but for its end; a snapshot is taken over.
 * @return 1: there is a new frame; 0; or negative errno. */
int ctd_top_history_take(struct ctd_top_history *history, struct ctd_record_item *item);
/* The snapshots end within an interval. @return as above. */
int ctd_top_history_rest(struct ctd_top_history *history);
/* Keeps @p owner, which @p plan is a part of, as long as any frame may need it: in the end @p free
 * frees it. @return 0 or -ENOMEM: it was freed. */
int ctd_top_history_keep_plan(struct ctd_top_history *history, void *owner, void (*free)(void *));
/* Takes an interval over that was made elsewhere, with its own identities. @return 0 or -ENOMEM. */
int ctd_top_history_add(struct ctd_top_history *history, const struct ctd_rollup_plan *plan,
			struct ctd_interval *interval, struct ctd_identities *identities);

/* As above, one that a serve's history tells of. */
int ctd_top_history_add_past(struct ctd_top_history *history, const struct ctd_rollup_plan *plan,
			     struct ctd_interval *interval, struct ctd_identities *identities,
			     bool is_cut);

/* Says of which machines there are figures now, and with @p is_of_frame in the newest frame. Takes
 * @p nodes over. @return 0 or -ENOMEM. */
int ctd_top_history_tell_nodes(struct ctd_top_history *history, struct ctd_top_nodes *nodes,
			       bool is_of_frame);

/* The frame of that number, or that it was added to, which has a later one; else the newest; NULL:
 * there is none yet. */
struct ctd_top_frame *ctd_top_history_find(const struct ctd_top_history *history, uint64_t number);
/* Its place among the frames. */
size_t ctd_top_history_place(const struct ctd_top_history *history,
			     const struct ctd_top_frame *frame);
const struct ctd_identities *ctd_top_history_names(const struct ctd_top_history *history,
						   const struct ctd_top_frame *frame);
/* Are there tasks, and nothing tells their processes? */
bool ctd_top_history_lacks_processes(const struct ctd_top_history *history);
/* A ctd_comm_lookup; the context is the history. */
const char *ctd_top_history_comm(uint32_t pid, void *context);

/* What comes from here on is written to @p fd, too, which is taken over. @return 0 or negative
 * errno.
 */
int ctd_top_history_record(struct ctd_top_history *history, int fd);
/* @return 0, or the error that cut it short, which may have ended it before. */
int ctd_top_history_record_end(struct ctd_top_history *history);

#endif

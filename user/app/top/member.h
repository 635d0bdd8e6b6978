/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* member.h - one of the machines of a cluster: a thread that asks it, when all are asked. */
#ifndef APP_TOP_MEMBER_H
#define APP_TOP_MEMBER_H

#include <pthread.h>

#include "app/options/options.h"
#include "remote/list.h"
#include "remote/machine.h"

/* What all members have in common. */
struct ctd_top_round {
	const struct ctd_options *options; /* borrowed */
	uint64_t interval_ns; /* wanted */
	/* With the lock: all that is below, and the members. */
	pthread_mutex_t lock;
	pthread_cond_t begun, answered;
	uint64_t number; /* grows when all are to be asked */
	bool ends;
};

struct ctd_top_member {
	struct ctd_top_round *round; /* borrowed */
	struct ctd_remote_listed listed; /* owned */
	struct ctd_remote_machine machine; /* owned */
	pthread_t thread;
	bool has_thread;
	uint64_t number; /* of the round in which it was asked last */
	bool is_asked; /* it has not answered yet */
	bool leaves; /* it is not to be asked any more */
	bool has_ended; /* the thread is about to end */
};

/* Takes @p listed over, which it leaves empty. One without a thread has ended, and says why. Logs.
 * @return NULL without memory. */
struct ctd_top_member *ctd_top_member_new(struct ctd_top_round *round,
					  struct ctd_remote_listed *listed);
/* The name by which people know it: that of the list, else its own, else its URL's host. With the
 * lock. */
const char *ctd_top_member_name(const struct ctd_top_member *member);
/* Waits for its thread, which has been told to end: without the lock. NULL is fine. */
void ctd_top_member_free(struct ctd_top_member *member);

#endif

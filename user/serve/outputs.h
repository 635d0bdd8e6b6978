/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* outputs.h - where views go: fetched by HTTP, sent by OTLP; and tags, as events. */
#ifndef SERVE_OUTPUTS_H
#define SERVE_OUTPUTS_H

#include <cgtopdown/export.h>
#include <pthread.h>

#include "serve/events/events.h"
#include "serve/http/server.h"
#include "serve/push/push.h"

/* Texts are borrowed. */
struct ctd_outputs_options {
	const char *listen; /* as ctd_http_options has it; NULL: nothing is served */
	struct ctd_socket_access access; /* of sockets that have a file */
	const char *const *hosts; /* as ctd_http_options has them */
	/* "unix:/run/cgtopdown/socket": for programs on this machine, without secrets; NULL: none.
	 * It is as well without, unless it is `local_needed`. */
	const char *local;
	bool local_needed;
	struct ctd_http_files files;
	struct ctd_push_options push; /* without callback; .url NULL: nothing is sent */
	bool tell_kubernetes; /* of tags */
	struct ctd_events_options events; /* without node */
	const char *node_name; /* NULL: this host's */
	uint64_t interval_ns; /* how often a view is to be expected */
	uint64_t linger_ns; /* a consumer that takes nothing for so long is not waited for */
	int wake_fd; /* an eventfd: written to ask for a view of this moment */
	uint64_t look_count; /* is written for a command on this machine; for a scrape it is 1 */
};

struct ctd_outputs {
	struct ctd_outputs_options options;
	struct ctd_mailbox mailbox;
	struct ctd_profiles *profiles; /* borrowed; NULL: there are none */
	struct ctd_http *http; /* owned; NULL: nothing is served */
	struct ctd_http *local; /* owned; NULL: there is no local socket */
	struct ctd_push *push; /* owned; NULL: nothing is sent */
	struct ctd_events *events; /* owned; NULL: nobody is told of tags */
	uint64_t push_sequence, push_ns; /* what was sent last, and when that was seen */
	char host[256], boot_id[40];
	pthread_mutex_t lock; /* of `self` and `verdicts` */
	struct ctd_self self; /* what is known of the process elsewhere than here */
	const struct ctd_neighbour_verdicts *verdicts; /* held; the newest; NULL: none yet */
};

/*
 * Takes the address to serve at: what may be refused, or need privileges. @p outputs stays where it
 * is from here on. Logs. ctd_outputs_free() is due in any case. @return 0 or negative errno.
 */
int ctd_outputs_open(const struct ctd_outputs_options *options, struct ctd_outputs *outputs);
/* Begins to serve and to send. @p as_it_is: see ctd_http_run(). @p profiles and @p
 * recall, borrowed: as there. Logs. @return 0 or negative errno. */
int ctd_outputs_run(struct ctd_outputs *outputs, bool as_it_is, struct ctd_profiles *profiles,
		    struct ctd_recall *recall);
/* The same @p as_it_is from now on. From any thread. */
void ctd_outputs_set_as_it_is(struct ctd_outputs *outputs, bool as_it_is);
/* The tags from now on, which are taken over, and the view that they were judged by. From any
 * thread. */
void ctd_outputs_judge(struct ctd_outputs *outputs, const struct ctd_neighbour_verdicts *verdicts,
		       const struct ctd_ledger_view *view);
/* What the caller knows of the process; the outputs add what they know. From any thread. */
void ctd_outputs_tell(struct ctd_outputs *outputs, const struct ctd_self *self);
void ctd_outputs_publish(struct ctd_outputs *outputs, const struct ctd_ledger_view *view);
/* @return the newest view that all consumers have; 0: none. */
uint64_t ctd_outputs_acknowledged(struct ctd_outputs *outputs);
void ctd_outputs_free(struct ctd_outputs *outputs);

#endif

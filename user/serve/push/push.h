/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* push.h - sends views of a ledger to a receiver of OTLP, by a thread of its own. */
#ifndef SERVE_PUSH_PUSH_H
#define SERVE_PUSH_PUSH_H

#include <cgtopdown/export.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/mailbox.h"

struct ctd_push_options {
	const char *url; /* all of it: "http://collector:4318/v1/metrics" */
	const char *const *headers; /* "NAME=VALUE", ended by NULL; their values are secrets; NULL:
				       none */
	const char *header_file; /* more of them, lines "NAME: VALUE", read again when it changes;
				    NULL: none */
	const char *ca_file; /* CAs to trust instead of the system's; NULL: these */
	const char *proxy; /* NULL: none, whatever the environment says */
	struct ctd_otlp_resource resource;
	struct ctd_mailbox *mailbox; /* borrowed; where views are */
	/* 0: 10 s; 10 s; 64; 8 MiB; 1 MiB (before compression, which makes it a tenth or less). */
	uint64_t interval_ns;
	uint64_t timeout_ns; /* of a request, with connecting and the answer */
	size_t queue_requests, queue_bytes; /* that wait for a receiver that is away */
	size_t request_bytes;
	/* Called by the thread, for each view that is sent; the part of OTLP it need not know. */
	void (*know_self)(struct ctd_self *ret_self, void *context);
	void *context;
};

struct ctd_push_totals {
	uint64_t sent; /* requests that were taken */
	uint64_t failed; /* that were refused, for good */
	uint64_t dropped; /* that waited too long, for others had to */
	uint64_t rejected_points; /* of requests that were taken but for these */
	uint64_t queued; /* requests that wait now */
};

struct ctd_push;

/* Texts of the options are borrowed. @return 0, or negative errno after a line in the log. */
int ctd_push_new(const struct ctd_push_options *options, struct ctd_push **ret_push);
/*
 * Sends the newest view once more if there is one that was not, and takes 1 s at most, whatever the
 * receiver does. NULL is fine.
 */
void ctd_push_free(struct ctd_push *push);
/* A ctd_watch_look, whose context is the sender: reads the file of headers. */
int ctd_push_look(bool asked, void *context);

/* There is a newer view in the mailbox. From any thread; waits for nothing. */
void ctd_push_wake(struct ctd_push *push);
/* Sequence of the newest view of which every account was taken; 0: none yet. From any thread. */
uint64_t ctd_push_acknowledged(const struct ctd_push *push);
/* From any thread. */
void ctd_push_totals(const struct ctd_push *push, struct ctd_push_totals *ret_totals);

#endif

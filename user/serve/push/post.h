/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* post.h - one HTTP request at a time to one URL, that can be given up at any moment. */
#ifndef SERVE_PUSH_POST_H
#define SERVE_PUSH_POST_H

#include "serve/push/answer.h"
#include "serve/push/push.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct ctd_post;

struct ctd_post_result {
	enum ctd_push_verdict verdict;
	long status; /* of HTTP; 0: there was no answer */
	int transport; /* libcurl's code where there was none */
	uint64_t retry_after_s;
	struct ctd_push_answer answer; /* or why there was none */
};

/* All headers of a request; struct curl_slist is libcurl's. */
struct curl_slist;
/* Reads the file of headers; @p again: see ctd_read_named_file(). @return 0, or negative errno
 * after a line in the log. */
int ctd_post_make_headers(const struct ctd_push_options *options, bool again,
			  struct curl_slist **ret_headers);

/* @return 0, or negative errno after a line in the log. */
int ctd_post_new(const struct ctd_push_options *options, struct ctd_post **ret_post);
/* From the next request on sends these, which are owned from here on. */
void ctd_post_take_headers(struct ctd_post *post, struct curl_slist *headers);
/* NULL is fine. Does not wait for the resolver of names. */
void ctd_post_free(struct ctd_post *post);
/* Where it goes, without what may be secret. */
const char *ctd_post_url(const struct ctd_post *post);

/* Sends gzip of protobuf. Gives up when the monotonic clock passes *@p give_up_ns, 0: never. */
void ctd_post_send(struct ctd_post *post, const char *data, size_t bytes,
		   const _Atomic uint64_t *give_up_ns, struct ctd_post_result *ret_result);
/* From any thread: *give_up_ns has changed. */
void ctd_post_wake(struct ctd_post *post);

#endif

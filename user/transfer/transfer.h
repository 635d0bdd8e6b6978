/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* transfer.h - one HTTP request at a time by libcurl, that can be given up at any moment. */
#ifndef TRANSFER_TRANSFER_H
#define TRANSFER_TRANSFER_H

#include <curl/curl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Texts are copied. */
struct ctd_transfer_options {
	const char *url;
	const char *proxy; /* NULL: none, whatever the environment says */
	const char
		*unix_path; /* of a socket to connect to, whatever the URL's host is; NULL: none */
	const char *ca_file; /* to be trusted instead of those of the system; NULL: these */
	bool insecure; /* takes any certificate */
	long timeout_ms; /* of a whole request */
	long connect_ms; /* of its connection; 0: libcurl's */
	bool (*is_stopped)(void); /* gives a request up; NULL: nothing does */
	curl_write_callback take; /* is given the answer's body */
	void *context;
};

/* Of an answer, as much as can say something. */
struct ctd_transfer_body {
	char text[16384];
	size_t bytes; /* its user's to set to 0 before each request */
};

/* An option's `take` whose context is a struct ctd_transfer_body. What does not fit is read and
 * forgotten. */
size_t ctd_transfer_keep(char *data, size_t size, size_t count, void *context);

struct ctd_transfer {
	CURLM *multi; /* owned */
	CURL *easy; /* owned; keeps the connection; headers and body are its user's to set */
	bool (*is_stopped)(void);
	char error[CURL_ERROR_SIZE]; /* of the last request; "": libcurl said no more than a code */
};

/* The requests that follow show the token in @p file, which is read now: Authorization: Bearer.
 * @return 0, or -EIO and in words why not. */
int ctd_transfer_set_token(struct ctd_transfer *transfer, const char *file, char ret_why[160]);

/* @return 0; -ENOMEM; -EINVAL: libcurl cannot do it. */
int ctd_transfer_new(const struct ctd_transfer_options *options,
		     struct ctd_transfer **ret_transfer);
/* Does not wait for the resolver of host names. NULL is fine. */
void ctd_transfer_free(struct ctd_transfer *transfer);

/*
 * Waits for the whole answer. Gives up when the monotonic clock passes *@p give_up_ns; 0, or NULL:
 * never.
 * @return CURLE_OK; CURLE_ABORTED_BY_CALLBACK where it was given up; what libcurl says otherwise.
 */
CURLcode ctd_transfer_run(struct ctd_transfer *transfer, const _Atomic uint64_t *give_up_ns);
/* Lets time pass between requests, until it is woken. */
void ctd_transfer_wait(struct ctd_transfer *transfer, int ms);
/* From any thread: ends a wait, or *give_up_ns has changed. */
void ctd_transfer_wake(struct ctd_transfer *transfer);

#endif

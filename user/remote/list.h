/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* list.h - which machines to ask, as a command tells them line by line. */
#ifndef REMOTE_LIST_H
#define REMOTE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "remote/view.h"

#define CTD_REMOTE_LISTED_MAX 1000

/* One line: where to ask, or why that cannot be known. Texts are owned. */
struct ctd_remote_listed {
	char *name;
	char *url; /* NULL: it cannot be asked */
	char *socket; /* path of a Unix socket to ask through; NULL: the URL's host */
	char *why; /* where there is no URL */
};

struct ctd_remote_list {
	struct ctd_remote_listed *items; /* owned */
	size_t count;
};

/* What has come so far. Start from a zeroed struct. */
struct ctd_remote_list_reader {
	struct ctd_strbuf text; /* the list that has not ended */
	bool is_none; /* it is no list, and is passed over up to its end */
};

/*
 * Takes some more of what the command writes: lines of "NAME<tab>URL", "NAME<tab>URL<tab>SOCKET" or
 * "NAME<tab>-<tab>WHY"; a list ends with an empty line.
 * @return 1: the newest list that has ended is in @p ret_list; 0: none has; -ENOMEM; or -EBADMSG:
 * one is no list, and *ret_why says why. After 1 and -EBADMSG there may be more: call again, with
 * 0 bytes.
 */
int ctd_remote_list_take(struct ctd_remote_list_reader *reader, const char *text, size_t bytes,
			 struct ctd_remote_list *ret_list, char ret_why[CTD_REMOTE_WHY_BYTES]);
void ctd_remote_list_reader_free(struct ctd_remote_list_reader *reader);
void ctd_remote_listed_free(struct ctd_remote_listed *listed);
void ctd_remote_list_free(struct ctd_remote_list *list);
/* Adds one; texts are copied, NULL where there are none. @return 0 or -ENOMEM. */
int ctd_remote_list_add(struct ctd_remote_list *list, const char *name, const char *url,
			const char *socket, const char *why);

#endif

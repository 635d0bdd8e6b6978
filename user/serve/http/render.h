/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* render.h - a view as bytes, made once for all requests of the same. */
#ifndef SERVE_HTTP_RENDER_H
#define SERVE_HTTP_RENDER_H

#include <cgtopdown/export.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/gzip.h"
#include "base/strbuf.h"
#include "serve/http/routes.h"

/* What is sent; shared by reference count, by one thread. */
struct ctd_body {
	char *data; /* owned */
	size_t bytes;
	uint64_t sequence; /* of its view */
	unsigned int references;
};
/* Takes over the memory of @p text. @return NULL without memory; then nothing was taken. */
struct ctd_body *ctd_body_new(struct ctd_strbuf *text, uint64_t sequence);
void ctd_body_release(struct ctd_body *body);

/* A part of a route's text that seldom changes, compressed: the names of containers are a quarter
 * of what is sent. */
struct ctd_kept_part {
	uint64_t version; /* of ctd_strbuf_begin_part() */
	struct ctd_gzip_part gzip; /* owned */
};
/* As many as there are families of containers. */
#define CTD_KEPT_PARTS_MAX 2

/* Start from {0}. Of one thread. */
struct ctd_renderer {
	uint64_t sequence; /* of the newest view that bodies are of; 0: none */
	struct ctd_body *bodies[CTD_ROUTES_MAX][2]; /* owned; by route; plain and gzip; NULL: none */
	/* Owned; by route, in the order in which they come; of the newest gzip text. */
	struct ctd_kept_part parts[CTD_ROUTES_MAX][CTD_KEPT_PARTS_MAX];
};

/* Of a route that has a writer. @p ret_body is to be released. @return 0 or -ENOMEM. */
int ctd_render(struct ctd_renderer *renderer, const struct ctd_route *route,
	       const struct ctd_ledger_view *view, const struct ctd_self *self, bool gzip,
	       struct ctd_body **ret_body);
void ctd_renderer_free(struct ctd_renderer *renderer);

#endif

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* render.c - makes texts of a view when a request needs them, and keeps them until the next view. */
#include "serve/http/render.h"

#include <errno.h>
#include <stdlib.h>

#include "base/gzip.h"
#include "base/strbuf.h"

void ctd_body_release(struct ctd_body *body)
{
	if (!body || --body->references)
		return;
	free(body->data);
	free(body);
}

struct ctd_body *ctd_body_new(struct ctd_strbuf *text, uint64_t sequence)
{
	struct ctd_body *body = malloc(sizeof(*body));

	if (!body)
		return NULL;
	*body = (struct ctd_body){
		.data = text->text, .bytes = text->bytes, .sequence = sequence, .references = 1};
	*text = (struct ctd_strbuf){};
	return body;
}

static int make_body(struct ctd_strbuf *text, uint64_t sequence, struct ctd_body **ret_body)
{
	struct ctd_body *body = ctd_body_new(text, sequence);

	if (!body)
		return -ENOMEM;
	*ret_body = body;
	return 0;
}

static int make_plain(const struct ctd_route *route, const struct ctd_ledger_view *view,
		      const struct ctd_self *self, struct ctd_body **ret_body)
{
	struct ctd_strbuf text = {};
	int error = route->write(view, self, &text);

	if (!error)
		error = make_body(&text, view->sequence, ret_body);
	ctd_strbuf_free(&text);
	return error;
}

/* A text that is compressed as it is written. */
struct compression {
	struct ctd_gzip *gzip; /* owned */
	struct ctd_kept_part *part, *end; /* the next part of the route, if it is kept */
};

static int take(void *context, const char *text, size_t bytes)
{
	struct compression *compression = context;

	return ctd_gzip_add(compression->gzip, text, bytes);
}

static int begin_part(void *context, uint64_t version)
{
	struct compression *compression = context;
	struct ctd_kept_part *part = compression->part;
	int error;

	if (part == compression->end)
		return 0;
	if (part->gzip.data && part->version == version) {
		compression->part++;
		error = ctd_gzip_add_part(compression->gzip, &part->gzip);
		return error ? error : 1;
	}
	ctd_gzip_part_free(&part->gzip);
	part->version = version;
	return ctd_gzip_begin_part(compression->gzip);
}

static int end_part(void *context)
{
	struct compression *compression = context;

	if (compression->part == compression->end)
		return 0;
	return ctd_gzip_end_part(compression->gzip, &compression->part++->gzip);
}

/* Compressed as it is written: the text is ten times as large, and never there as a whole. */
static int write_gzip(struct ctd_kept_part parts[CTD_KEPT_PARTS_MAX], const struct ctd_route *route,
		      const struct ctd_ledger_view *view, const struct ctd_self *self,
		      struct ctd_strbuf *ret_compressed)
{
	static const struct ctd_drain drain = {take, begin_part, end_part};
	struct compression compression = {.part = parts, .end = parts + CTD_KEPT_PARTS_MAX};
	struct ctd_strbuf text = {.drain = &drain, .drain_context = &compression};
	int error = ctd_gzip_new(&compression.gzip);

	if (error)
		return error;
	error = route->write(view, self, &text);
	if (!error)
		error = ctd_strbuf_drain(&text);
	if (!error)
		error = ctd_gzip_end(compression.gzip, &ret_compressed->text,
				     &ret_compressed->bytes);
	ctd_gzip_free(compression.gzip);
	ctd_strbuf_free(&text);
	return error;
}

static int make_gzip(struct ctd_kept_part parts[CTD_KEPT_PARTS_MAX], const struct ctd_body *plain,
		     const struct ctd_route *route, const struct ctd_ledger_view *view,
		     const struct ctd_self *self, struct ctd_body **ret_body)
{
	struct ctd_strbuf compressed = {};
	int error = plain ? ctd_gzip(plain->data, plain->bytes, &compressed.text, &compressed.bytes)
			  : write_gzip(parts, route, view, self, &compressed);

	if (!error)
		error = make_body(&compressed, view->sequence, ret_body);
	ctd_strbuf_free(&compressed);
	return error;
}

static void forget(struct ctd_renderer *renderer)
{
	for (size_t i = 0; i < CTD_ROUTES_MAX; i++) {
		for (int gzip = 0; gzip < 2; gzip++) {
			ctd_body_release(renderer->bodies[i][gzip]);
			renderer->bodies[i][gzip] = NULL;
		}
	}
}

int ctd_render(struct ctd_renderer *renderer, const struct ctd_route *route,
	       const struct ctd_ledger_view *view, const struct ctd_self *self, bool gzip,
	       struct ctd_body **ret_body)
{
	size_t number = (size_t)(route - ctd_routes);
	struct ctd_body **bodies = renderer->bodies[number], **body = &bodies[gzip];
	int error = 0;

	if (renderer->sequence != view->sequence) {
		forget(renderer);
		renderer->sequence = view->sequence;
	}
	if (!*body && gzip)
		error = make_gzip(renderer->parts[number], bodies[false], route, view, self, body);
	else if (!*body)
		error = make_plain(route, view, self, body);
	if (error)
		return error;
	(*body)->references++;
	*ret_body = *body;
	return 0;
}

void ctd_renderer_free(struct ctd_renderer *renderer)
{
	forget(renderer);
	for (size_t i = 0; i < CTD_ROUTES_MAX; i++) {
		for (size_t part = 0; part < CTD_KEPT_PARTS_MAX; part++)
			ctd_gzip_part_free(&renderer->parts[i][part].gzip);
	}
	*renderer = (struct ctd_renderer){};
}

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

/* Takes over the memory of @p text. */
static int make_body(struct ctd_strbuf *text, uint64_t sequence, struct ctd_body **ret_body)
{
	struct ctd_body *body = malloc(sizeof(*body));

	if (!body)
		return -ENOMEM;
	*body = (struct ctd_body){
		.data = text->text, .bytes = text->bytes, .sequence = sequence, .references = 1};
	*text = (struct ctd_strbuf){};
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

static int add_to_gzip(const char *data, size_t bytes, void *gzip)
{
	return ctd_gzip_add(gzip, data, bytes);
}

/* Compressed as it is written: the text is ten times as large, and never there as a whole. */
static int write_gzip(const struct ctd_route *route, const struct ctd_ledger_view *view,
		      const struct ctd_self *self, struct ctd_strbuf *ret_compressed)
{
	struct ctd_strbuf text = {.drain = add_to_gzip};
	struct ctd_gzip *gzip;
	int error = ctd_gzip_new(&gzip);

	if (error)
		return error;
	text.drain_context = gzip;
	error = route->write(view, self, &text);
	if (!error)
		error = ctd_strbuf_drain(&text);
	if (!error)
		error = ctd_gzip_end(gzip, &ret_compressed->text, &ret_compressed->bytes);
	ctd_gzip_free(gzip);
	ctd_strbuf_free(&text);
	return error;
}

static int make_gzip(const struct ctd_body *plain, const struct ctd_route *route,
		     const struct ctd_ledger_view *view, const struct ctd_self *self,
		     struct ctd_body **ret_body)
{
	struct ctd_strbuf compressed = {};
	int error = plain ? ctd_gzip(plain->data, plain->bytes, &compressed.text, &compressed.bytes)
			  : write_gzip(route, view, self, &compressed);

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
	struct ctd_body **bodies = renderer->bodies[route - ctd_routes], **body = &bodies[gzip];
	int error = 0;

	if (renderer->sequence != view->sequence) {
		forget(renderer);
		renderer->sequence = view->sequence;
	}
	if (!*body && gzip)
		error = make_gzip(bodies[false], route, view, self, body);
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
	*renderer = (struct ctd_renderer){};
}

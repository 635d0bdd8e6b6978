/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* render.c - makes texts of a view when somebody asks for them, and keeps them until the next view.
 */
#include "http/render.h"

#include <errno.h>
#include <stdlib.h>

#include "base/gzip.h"

void ctd_body_release(struct ctd_body *body)
{
	if (!body || --body->references)
		return;
	free(body->data);
	free(body);
}

/* Takes over the memory of @p text. */
static int make_body(struct ctd_export *text, uint64_t sequence, struct ctd_body **ret_body)
{
	struct ctd_body *body = malloc(sizeof(*body));

	if (!body)
		return -ENOMEM;
	*body = (struct ctd_body){
		.data = text->data, .bytes = text->bytes, .sequence = sequence, .references = 1};
	*text = (struct ctd_export){};
	*ret_body = body;
	return 0;
}

static int write_text(const struct ctd_ledger_view *view, const struct ctd_self *self,
		      enum ctd_rendering rendering, struct ctd_export *text)
{
	if (rendering == CTD_RENDER_PAGE)
		return ctd_export_page(view, self, text);
	return ctd_export_metrics(rendering == CTD_RENDER_OPENMETRICS ? CTD_OPENMETRICS_TEXT
								      : CTD_PROMETHEUS_TEXT,
				  view, self, text);
}

static int make_plain(const struct ctd_ledger_view *view, const struct ctd_self *self,
		      enum ctd_rendering rendering, struct ctd_body **ret_body)
{
	struct ctd_export text = {};
	int error = write_text(view, self, rendering, &text);

	if (!error)
		error = make_body(&text, view->sequence, ret_body);
	ctd_export_free(&text);
	return error;
}

static int make_gzip(struct ctd_renderer *renderer, const struct ctd_ledger_view *view,
		     const struct ctd_self *self, enum ctd_rendering rendering,
		     struct ctd_body **ret_body)
{
	const struct ctd_body *plain = renderer->bodies[rendering][false];
	struct ctd_export compressed = {};
	int error = 0;

	renderer->scratch.bytes = 0;
	renderer->scratch.failed = false;
	if (!plain)
		error = write_text(view, self, rendering, &renderer->scratch);
	if (!error)
		error = ctd_gzip(plain ? plain->data : renderer->scratch.data,
				 plain ? plain->bytes : renderer->scratch.bytes, &compressed.data,
				 &compressed.bytes);
	if (!error)
		error = make_body(&compressed, view->sequence, ret_body);
	ctd_export_free(&compressed);
	return error;
}

static void forget(struct ctd_renderer *renderer)
{
	for (int rendering = 0; rendering < CTD_RENDERINGS; rendering++) {
		for (int gzip = 0; gzip < 2; gzip++) {
			ctd_body_release(renderer->bodies[rendering][gzip]);
			renderer->bodies[rendering][gzip] = NULL;
		}
	}
}

int ctd_render(struct ctd_renderer *renderer, const struct ctd_ledger_view *view,
	       const struct ctd_self *self, enum ctd_rendering rendering, bool gzip,
	       struct ctd_body **ret_body)
{
	struct ctd_body **body = &renderer->bodies[rendering][gzip];
	int error = 0;

	if (renderer->sequence != view->sequence)
		forget(renderer);
	renderer->sequence = view->sequence;
	if (!*body && gzip)
		error = make_gzip(renderer, view, self, rendering, body);
	else if (!*body)
		error = make_plain(view, self, rendering, body);
	if (error)
		return error;
	(*body)->references++;
	*ret_body = *body;
	return 0;
}

void ctd_renderer_free(struct ctd_renderer *renderer)
{
	forget(renderer);
	ctd_export_free(&renderer->scratch);
	*renderer = (struct ctd_renderer){};
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* page.c - the page for people: who uses the CPUs, where the slots go, and what that means. */
#include "export/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "export/html.h"

/* Seconds after which a browser asks again: a person reads, a graph is elsewhere. */
#define REFRESH_S "5"

static bool has_part(const struct ctd_page_parts *parts, const char *name)
{
	for (size_t i = 0; i < parts->count; i++)
		if (strcmp(parts->node[i]->name, name) == 0)
			return true;
	return false;
}

/* Kinds of cores may have models of their own, which have the parts of level 1 alike. */
static void find_parts(const struct ctd_ledger_view *view, struct ctd_page_parts *parts)
{
	const struct ctd_cpu_model *last = NULL;

	for (size_t i = 0; i < view->accounts_count; i++) {
		const struct ctd_cpu_model *model = view->accounts[i].model;

		if (!model || model == last)
			continue;
		last = model;
		for (int node = 0; node < model->nodes_count; node++) {
			if (model->nodes[node].level == 1 && parts->count < CTD_PAGE_PARTS_MAX &&
			    !has_part(parts, model->nodes[node].name))
				parts->node[parts->count++] = &model->nodes[node];
		}
	}
}

static void add_head(struct ctd_strbuf *page, const struct ctd_ledger_view *view,
		     const struct ctd_self *self)
{
	ctd_strbuf_add(page,
		       "<!DOCTYPE html>\n"
		       "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
		       "<meta charset=\"utf-8\"/>\n"
		       "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
		       "<meta http-equiv=\"refresh\" content=\"" REFRESH_S "\"/>\n"
		       "<title>");
	ctd_strbuf_add(page, view->simulated ? "SIMULATED - cgtopdown" : "cgtopdown");
	if (self->node && *self->node) {
		ctd_strbuf_add(page, " on ");
		ctd_html_add(page, self->node);
	}
	ctd_strbuf_addf(page, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", ctd_page_style);
}

static void add_top(struct ctd_strbuf *page, const struct ctd_ledger_view *view,
		    const struct ctd_self *self)
{
	ctd_strbuf_add(page, "<header><h1>cgtopdown</h1><span class=\"soft\">where the pipeline "
			     "slots of each container go");
	if (self->node && *self->node) {
		ctd_strbuf_add(page, ", on <b>");
		ctd_html_add(page, self->node);
		ctd_strbuf_add(page, "</b>");
	}
	ctd_strbuf_add(page, "</span></header>\n");
	if (view->simulated)
		ctd_strbuf_add(
			page, "<div class=\"simulated\" role=\"alert\"><strong>SIMULATED</strong>"
			      "The slots on this page are made up, from the CPU time of each "
			      "command and a table of shares by its name (<code>--source "
			      "sim</code>). They say nothing of this machine's processor. CPU time "
			      "is real.</div>\n");
}

/* What the words of the table mean: those of level 1, and deeper ones that are someone's
 * bottleneck. */
static void add_words(struct ctd_strbuf *page, const struct ctd_ledger_view *view,
		      const struct ctd_page_parts *parts)
{
	const struct ctd_node *shown[CTD_NODES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < parts->count; i++)
		shown[count++] = parts->node[i];
	for (size_t i = 0; i < view->accounts_count; i++) {
		const struct ctd_account *account = &view->accounts[i];
		const struct ctd_node *node;
		size_t known = 0;

		if (!account->model || account->recent_dominant < 0)
			continue;
		node = &account->model->nodes[account->recent_dominant];
		while (known < count && strcmp(shown[known]->name, node->name) != 0)
			known++;
		if (known == count && count < CTD_NODES_MAX)
			shown[count++] = node;
	}
	if (!count)
		return;
	ctd_strbuf_add(page, "<h2>What the words mean</h2>\n<p>A core can begin a fixed number of "
			     "operations per cycle. Each such chance is a <i>slot</i>; the shares "
			     "say how the slots ended.</p>\n<dl class=\"words\">\n");
	for (size_t i = 0; i < count; i++) {
		ctd_strbuf_addf(page, "<dt id=\"%s\">%s</dt><dd>", shown[i]->name, shown[i]->name);
		ctd_html_add(page, shown[i]->help);
		ctd_strbuf_add(page, "</dd>\n");
	}
	ctd_strbuf_add(page, "</dl>\n");
}

static void add_foot(struct ctd_strbuf *page)
{
	ctd_strbuf_add(page,
		       "<footer><nav><a href=\"/metrics\">/metrics</a> for Prometheus "
		       "&#160; <a href=\"/healthz\">/healthz</a> "
		       "<a href=\"/readyz\">/readyz</a></nav>"
		       "<p class=\"soft\">Documentation: <code>man cgtopdown</code>, and "
		       "<code>cgtopdown --explain NAME</code> for each of the words above. "
		       "<code>cgtopdown doctor</code> says what can be counted on this machine. "
		       "This page is made anew every " REFRESH_S
		       " seconds.</p></footer>\n</body>\n</html>\n");
}

int ctd_export_page(const struct ctd_ledger_view *view, const struct ctd_self *self,
		    struct ctd_strbuf *page)
{
	struct ctd_page_parts parts = {0};
	int error;

	find_parts(view, &parts);
	add_head(page, view, self);
	add_top(page, view, self);
	ctd_page_add_facts(page, view, self);
	error = ctd_page_add_table(page, view, &parts);
	add_words(page, view, &parts);
	add_foot(page);
	return error || page->failed ? -ENOMEM : 0;
}

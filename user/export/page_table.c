/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* page_table.c - a row for each of the busiest accounts: who, CPUs, shares, bottleneck. */
#include "export/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "export/html.h"
#include "format/format.h"

const char *ctd_page_colour(const struct ctd_node *node)
{
	switch (node->role) {
	case CTD_ROLE_RETIRING:
		return "retiring";
	case CTD_ROLE_BAD_SPECULATION:
		return "bad_speculation";
	case CTD_ROLE_FRONTEND_BOUND:
		return "frontend_bound";
	case CTD_ROLE_BACKEND_BOUND:
		return "backend_bound";
	case CTD_ROLE_SMT_CONTENTION:
		return "smt_contention";
	default:
		return "part";
	}
}

static int by_cpus(const void *a, const void *b)
{
	const struct ctd_account *one = *(const struct ctd_account *const *)a;
	const struct ctd_account *other = *(const struct ctd_account *const *)b;

	/* Idle is not a use of CPUs: it comes last. */
	if ((one->who->kind == CTD_ACCOUNT_IDLE) != (other->who->kind == CTD_ACCOUNT_IDLE))
		return one->who->kind == CTD_ACCOUNT_IDLE ? 1 : -1;
	if (one->recent_cpus != other->recent_cpus)
		return one->recent_cpus < other->recent_cpus ? 1 : -1;
	/* As in the view: qsort() does not keep the order of what is alike. */
	return one < other ? -1 : one > other;
}

/* What is not a container says so; what is one has its name, and the pod that it is in below. */
static void add_who(struct ctd_strbuf *page, const struct ctd_account *account)
{
	const struct ctd_account_who *who = account->who;
	bool contained = who->kind == CTD_ACCOUNT_CONTAINER || who->kind == CTD_ACCOUNT_SANDBOX;

	ctd_strbuf_add(page, "<td class=\"who\"><bdi>");
	if (contained)
		ctd_html_add(page, *who->container ? who->container : "(pod sandbox)");
	else if (who->kind == CTD_ACCOUNT_CGROUP)
		ctd_html_add(page, who->cgroup);
	else
		ctd_strbuf_addf(page, "(%s)", ctd_account_kind_name(who->kind));
	ctd_strbuf_add(page, "</bdi>");
	if (account->ended)
		ctd_strbuf_add(page, " <small>ended</small>");
	ctd_strbuf_add(page, "<small class=\"soft\">");
	if (*who->namespace_name || *who->pod) {
		ctd_strbuf_add(page, "<bdi>");
		ctd_html_add(page, who->namespace_name);
		ctd_strbuf_add(page, "/");
		ctd_html_add(page, who->pod);
		ctd_strbuf_add(page, "</bdi> ");
	}
	if (contained)
		ctd_strbuf_add(page,
			       who->kind == CTD_ACCOUNT_SANDBOX ? "pod sandbox" : "container");
	if (contained && *who->qos) {
		ctd_strbuf_add(page, ", ");
		ctd_html_add(page, who->qos);
	}
	if (*who->core) {
		ctd_strbuf_add(page, contained ? ", on " : "on ");
		ctd_html_add(page, who->core);
	}
	ctd_strbuf_add(page, "</small></td>\n");
}

/* The account's own node of that name: kinds of cores may have others. @return it, or -1. */
static int find_node(const struct ctd_account *account, const char *name)
{
	const struct ctd_cpu_model *model = account->model;

	for (int node = 0; model && node < model->nodes_count; node++)
		if (strcmp(model->nodes[node].name, name) == 0)
			return node;
	return -1;
}

/* A picture of the numbers beside it, so that nobody needs to be told of it. */
static void add_bar(struct ctd_strbuf *page, const struct ctd_account *account,
		    const struct ctd_page_parts *parts)
{
	ctd_strbuf_add(page, "<td class=\"shares\"><div class=\"bar\" aria-hidden=\"true\">");
	for (size_t i = 0; i < parts->count; i++) {
		int node = find_node(account, parts->node[i]->name);

		if (node < 0 || !ctd_value_known(account->recent[node]))
			continue;
		ctd_strbuf_addf(page, "<i class=\"%s\" style=\"width:%.1f%%\"></i>",
				ctd_page_colour(parts->node[i]), 100 * account->recent[node].ratio);
	}
	ctd_strbuf_add(page, "</div></td>\n");
}

/* What holds up the idle loop is of no interest. */
static bool has_bottleneck(const struct ctd_account *account)
{
	return account->model && account->recent_dominant >= 0 &&
	       account->who->kind != CTD_ACCOUNT_IDLE;
}

static void add_shares(struct ctd_strbuf *page, const struct ctd_account *account,
		       const struct ctd_page_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		struct ctd_value value = {.quality = CTD_UNSUPPORTED};
		int node = find_node(account, parts->node[i]->name);
		char text[CTD_FIGURE_BYTES];
		bool hot;

		if (node >= 0)
			value = account->recent[node];
		hot = has_bottleneck(account) &&
		      (account->recent_dominant == node ||
		       account->model->nodes[account->recent_dominant].parent == node);
		ctd_format_value(value, CTD_UNIT_RATIO, text);
		ctd_strbuf_addf(page, "<td class=\"num%s\" data-name=\"%s\">%s</td>\n",
				hot ? " hot" : "", parts->node[i]->title, text);
	}
}

/* "memory bound", and the first sentence of what there is to say of it. */
static void add_bottleneck(struct ctd_strbuf *page, const struct ctd_account *account)
{
	const struct ctd_node *node;
	auto_ctd_strbuf struct ctd_strbuf words = {0};
	const char *end;

	ctd_strbuf_add(page, "<td class=\"why\">");
	if (has_bottleneck(account)) {
		node = &account->model->nodes[account->recent_dominant];
		ctd_strbuf_addf(page, "<a href=\"#%s\">", node->name);
		for (const char *at = node->name; *at; at++)
			ctd_strbuf_add_bytes(page, *at == '_' ? " " : at, 1);
		end = strpbrk(node->help, ".:");
		ctd_strbuf_add_bytes(&words, node->help,
				     end ? (size_t)(end - node->help) : strlen(node->help));
		ctd_strbuf_add(page, "</a><small class=\"soft\">");
		ctd_html_add(page, words.text ? words.text : "");
		ctd_strbuf_add(page, "</small>");
	}
	ctd_strbuf_add(page, "</td>\n");
}

static void add_cpus(struct ctd_strbuf *page, double cpus)
{
	ctd_strbuf_add(page, "<td class=\"num cpus\" data-name=\"CPUs\">");
	if (cpus > 0 && cpus < 0.005)
		ctd_strbuf_add(page, "&lt;0.01</td>\n");
	else
		ctd_strbuf_addf(page, "%.2f</td>\n", cpus);
}

static void add_head(struct ctd_strbuf *page, const struct ctd_page_parts *parts)
{
	if (parts->count) {
		ctd_strbuf_add(page, "<ul class=\"key\">\n");
		for (size_t i = 0; i < parts->count; i++)
			ctd_strbuf_addf(page, "<li><i class=\"%s\"></i>%s</li>\n",
					ctd_page_colour(parts->node[i]), parts->node[i]->name);
		ctd_strbuf_add(page, "<li class=\"soft\">~ counted part of the time</li>"
				     "<li class=\"soft\">? counted too little</li></ul>\n");
	}
	ctd_strbuf_add(page, "<table>\n<thead><tr><th scope=\"col\">Who</th>"
			     "<th scope=\"col\" class=\"num\">CPUs</th>");
	if (parts->count)
		ctd_strbuf_add(page, "<th scope=\"col\">Slots, %</th>");
	for (size_t i = 0; i < parts->count; i++)
		ctd_strbuf_addf(page, "<th scope=\"col\" class=\"num\">%s</th>",
				parts->node[i]->title);
	if (parts->count)
		ctd_strbuf_add(page, "<th scope=\"col\">Bottleneck</th>");
	ctd_strbuf_add(page, "</tr></thead>\n<tbody>\n");
}

int ctd_page_add_table(struct ctd_strbuf *page, const struct ctd_ledger_view *view,
		       const struct ctd_page_parts *parts)
{
	autofree const struct ctd_account **order = NULL;
	size_t shown = view->accounts_count;

	if (!shown) {
		ctd_strbuf_add(page, "<h2>Busiest</h2>\n<p>Nothing has run yet.</p>\n");
		return 0;
	}
	order = calloc(shown, sizeof(*order));
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < view->accounts_count; i++)
		order[i] = &view->accounts[i];
	qsort(order, shown, sizeof(*order), by_cpus);
	if (shown > CTD_PAGE_ROWS_MAX)
		shown = CTD_PAGE_ROWS_MAX;
	ctd_strbuf_add(page, "<h2>Busiest</h2>\n");
	add_head(page, parts);
	for (size_t i = 0; i < shown; i++) {
		ctd_strbuf_add(page, "<tr>\n");
		add_who(page, order[i]);
		add_cpus(page, order[i]->recent_cpus);
		if (parts->count) {
			add_bar(page, order[i], parts);
			add_shares(page, order[i], parts);
			add_bottleneck(page, order[i]);
		}
		ctd_strbuf_add(page, "</tr>\n");
	}
	ctd_strbuf_add(page, "</tbody>\n</table>\n");
	if (shown < view->accounts_count)
		ctd_strbuf_addf(page,
				"<p class=\"soft\">%zu more: see <a "
				"href=\"/metrics\">/metrics</a>.</p>\n",
				view->accounts_count - shown);
	return 0;
}

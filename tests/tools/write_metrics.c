/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* write_metrics.c - a sample view in one of the formats, or its figures as JSON, for others' tools
 * to compare. */
#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* As cmocka has them. */
#define assert_int_equal(a, b) assert((a) == (b))
#define assert_true(what) assert(what)
#define assert_non_null(what) assert(what)

#include "base/strbuf.h"
#include "unit/export/sample_view.h"

static void set_text(json_t *object, const char *name, const char *text)
{
	if (*text)
		json_object_set_new(object, name, json_string(text));
}

static json_t *nodes_of(const struct ctd_ledger_core_type *type, const struct ctd_account *account,
			int level)
{
	json_t *nodes = json_object();

	for (int i = 0; i < type->nodes_count; i++) {
		const struct ctd_node *node = &type->nodes[i];

		if (account->node_slots_known & 1u << i && node->level == level)
			json_object_set_new(nodes, node->name,
					    json_integer((json_int_t)account->node_slots[i]));
	}
	return nodes;
}

static json_t *account_of(const struct ctd_ledger_view *view, const struct ctd_account *account)
{
	const struct ctd_ledger_core_type *type = ctd_account_core_type(view, account);
	const struct ctd_account_who *who = account->who;
	json_t *object = json_object(), *labels = json_object();

	set_text(labels, "kind", ctd_account_kind_name(who->kind));
	set_text(labels, "namespace", who->namespace_name);
	set_text(labels, "pod", who->pod);
	set_text(labels, "container", who->container);
	set_text(labels, "cgroup", who->cgroup);
	json_object_set_new(object, "labels", labels);
	json_object_set_new(object, "image", json_string(who->image));
	json_object_set_new(object, "path", json_string(who->path));
	json_object_set_new(object, "cpu_ns", json_integer((json_int_t)account->cpu_ns));
	json_object_set_new(object, "begun_ns", json_integer((json_int_t)account->begun_ns));
	json_object_set_new(object, "level1", nodes_of(type, account, 1));
	json_object_set_new(object, "level2", nodes_of(type, account, 2));
	if (account->slots_known)
		json_object_set_new(object, "slots", json_integer((json_int_t)account->slots));
	return object;
}

static int write_values(const struct ctd_ledger_view *view)
{
	json_t *all = json_object(), *accounts = json_array();
	int error;

	for (size_t i = 0; i < view->accounts_count; i++)
		json_array_append_new(accounts, account_of(view, &view->accounts[i]));
	json_object_set_new(all, "accounts", accounts);
	json_object_set_new(all, "slots_known", json_boolean(view->totals.slots_known));
	json_object_set_new(all, "node_slots", json_integer((json_int_t)view->totals.slots));
	error = json_dumpf(all, stdout, JSON_INDENT(1));
	json_decref(all);
	return error;
}

static int write_text(enum ctd_exposition exposition, const struct ctd_ledger_view *view)
{
	struct ctd_strbuf text = {0};
	size_t written;

	if (ctd_export_metrics(exposition, view, &sample_self, &text))
		return -1;
	written = fwrite(text.text, 1, text.bytes, stdout);
	ctd_strbuf_free(&text);
	return written ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct book book;
	int error = -1;

	if (argc != 3) {
		fprintf(stderr, "usage: %s full|none values|prometheus|openmetrics\n", argv[0]);
		return 2;
	}
	if (strcmp(argv[1], "none") == 0)
		sample_fill_none(&book);
	else
		sample_fill(&book);
	if (strcmp(argv[2], "values") == 0)
		error = write_values(book.view);
	else if (strcmp(argv[2], "prometheus") == 0)
		error = write_text(CTD_PROMETHEUS_TEXT, book.view);
	else if (strcmp(argv[2], "openmetrics") == 0)
		error = write_text(CTD_OPENMETRICS_TEXT, book.view);
	book_close(&book);
	return error ? 1 : 0;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text.c - a view's newest interval as the table that `stat --by container`
 * shows. */
#include "serve/web/text.h"

#include <cgtopdown/report.h>
#include <cgtopdown/sink.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

/* The nodes of all core types, each once: the columns of the table. */
struct columns {
	struct ctd_cpu_model model;
	struct ctd_node nodes[CTD_NODES_MAX];
	int column[CTD_LEDGER_CORE_TYPES_MAX][CTD_NODES_MAX]; /* of each core type's nodes; -1 */
};

/* Parents come first in every core type, and so in the columns. */
static void add_columns(const struct ctd_ledger_core_type *type, int *column,
			struct columns *columns)
{
	for (int i = 0; i < type->nodes_count; i++) {
		const struct ctd_node *node = &type->nodes[i];
		int at = ctd_cpu_model_find_node(&columns->model, node->name);

		if (at < 0 && columns->model.nodes_count < CTD_NODES_MAX) {
			at = columns->model.nodes_count++;
			columns->nodes[at] = *node;
			columns->nodes[at].parent = node->parent < 0 ? -1 : column[node->parent];
		}
		column[i] = at;
	}
}

/* As reports name it. @return NULL without memory. */
static char *name_of(const struct ctd_account_who *who)
{
	bool contained = who->kind == CTD_ACCOUNT_CONTAINER || who->kind == CTD_ACCOUNT_SANDBOX;
	const char *name = who->kind == CTD_ACCOUNT_SANDBOX ? "(sandbox)" : who->container;
	char *text;
	int bytes;

	if (contained)
		bytes = asprintf(&text, "%s%s%s", who->pod, *who->pod ? "/" : "", name);
	else if (who->kind == CTD_ACCOUNT_CGROUP)
		bytes = asprintf(&text, "%s", who->cgroup);
	else
		bytes = asprintf(&text, "(%s)", ctd_account_kind_name(who->kind));
	return bytes < 0 ? NULL : text;
}

static enum ctd_rollup_kind kind_of(enum ctd_account_kind kind)
{
	static const enum ctd_rollup_kind kinds[CTD_ACCOUNT_KINDS] = {
		[CTD_ACCOUNT_CONTAINER] = CTD_ROLLUP_CONTAINER,
		[CTD_ACCOUNT_SANDBOX] = CTD_ROLLUP_CONTAINER,
		[CTD_ACCOUNT_CGROUP] = CTD_ROLLUP_CGROUP,
		[CTD_ACCOUNT_KERNEL] = CTD_ROLLUP_KERNEL,
		[CTD_ACCOUNT_IDLE] = CTD_ROLLUP_IDLE,
		[CTD_ACCOUNT_OTHER] = CTD_ROLLUP_OTHER,
	};

	return kinds[kind];
}

static void take_values(const struct columns *columns, const struct ctd_ledger_core_type *type,
			const struct ctd_account *account, struct ctd_report_row *row)
{
	const struct ctd_account_recent *recent = &account->recent;
	const int *column = columns->column[account->core_type];

	for (int i = 0; i < CTD_NODES_MAX; i++)
		row->values[i] = (struct ctd_value){.quality = CTD_UNSUPPORTED};
	for (int i = 0; i < type->nodes_count; i++) {
		if (column[i] >= 0)
			row->values[column[i]] = recent->values[i];
	}
	row->dominant = recent->dominant < 0 ? -1 : column[recent->dominant];
}

/* What did nothing in the interval has no row, as in a report. */
static int take_rows(const struct ctd_ledger_view *view, const struct columns *columns,
		     struct ctd_report *report)
{
	report->rows = calloc(view->accounts_count + 1, sizeof(*report->rows));
	if (!report->rows)
		return -ENOMEM;
	for (size_t i = 0; i < view->accounts_count; i++) {
		const struct ctd_account *account = &view->accounts[i];
		const struct ctd_account_recent *recent = &account->recent;
		struct ctd_report_row *row = &report->rows[report->rows_count];

		if ((!recent->cpu_ns && !recent->slices) ||
		    account->core_type >= report->core_types_count)
			continue;
		*row = (struct ctd_report_row){
			.kind = kind_of(account->who->kind),
			.name = name_of(account->who),
			.core_type = account->core_type,
			.parent = -1,
			.cpu_ns = recent->cpu_ns,
			.slices = recent->slices,
			.switches = recent->switches,
			.slots_known = recent->slots_known,
			.slots = recent->slots,
			.quality = recent->quality,
		};
		if (!row->name)
			return -ENOMEM;
		take_values(columns, ctd_account_core_type(view, account), account, row);
		report->rows_count++;
	}
	return 0;
}

/* By CPU time; the kernel's and idle time last. */
static int by_cpu(const void *a, const void *b)
{
	const struct ctd_report_row *one = a, *other = b;
	int one_last = one->kind == CTD_ROLLUP_IDLE ? 2 : one->kind == CTD_ROLLUP_KERNEL;
	int other_last = other->kind == CTD_ROLLUP_IDLE ? 2 : other->kind == CTD_ROLLUP_KERNEL;

	if (one_last != other_last)
		return one_last - other_last;
	if (one->cpu_ns != other->cpu_ns)
		return one->cpu_ns < other->cpu_ns ? 1 : -1;
	return strcmp(one->name, other->name);
}

static void take_totals(const struct ctd_ledger_view *view, struct ctd_report *report)
{
	struct ctd_rollup_totals *totals = &report->totals;

	totals->cpus_online = view->cpus_online;
	for (int i = 0; i < report->core_types_count; i++) {
		const struct ctd_ledger_core_type *type = &view->core_types[i];
		const struct ctd_rollup_totals *of_type = &type->newest;

		report->core_types[i] = (struct ctd_report_core_type){
			.name = type->name, .source = type->source, .why = "", .totals = *of_type};
		totals->slots_known |= of_type->slots_known;
		totals->slots += of_type->slots;
		totals->idle_slots += of_type->idle_slots;
		totals->unattributed_slots += of_type->unattributed_slots;
		totals->residual_slots += of_type->residual_slots;
	}
}

static int make_report(const struct ctd_ledger_view *view, const struct columns *columns,
		       struct ctd_report *ret_report)
{
	struct ctd_report report = {
		.source = view->source,
		.simulated = view->simulated,
		.method = view->method,
		.scope = view->scope,
		.hierarchy = view->hierarchy,
		.model = columns->model.nodes_count ? &columns->model : NULL,
		.core_types_count = view->core_types_count < CTD_CORE_TYPES_MAX
					    ? view->core_types_count
					    : CTD_CORE_TYPES_MAX,
		.level = view->level,
		.groups_count = 1, /* what part of the time each was counted for is not in a view */
		.ipc = view->ipc,
		.by = CTD_GROUP_CONTAINER,
		.realtime_ns = view->realtime_ns,
		.window_ns = view->window_ns,
		.sequence = view->sequence,
		.unattributed_ns = view->unattributed_ns,
		.health = view->health,
	};
	int error = take_rows(view, columns, &report);

	if (error) {
		ctd_report_free(&report);
		return error;
	}
	take_totals(view, &report);
	qsort(report.rows, report.rows_count, sizeof(*report.rows), by_cpu);
	*ret_report = report;
	return 0;
}

static int write_in_locale(const struct ctd_report *report, int width, FILE *stream)
{
	const struct ctd_sink *sink = ctd_sink_find("table");
	struct ctd_sink_options options = {.out = stream, .width = width, .utc = true};
	locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL), before;
	int error;

	/* The answer is UTF-8, whatever the locale is that the server was started in. */
	if (!utf8)
		return sink->write(&options, report, true);
	before = uselocale(utf8);
	options.unicode = true;
	error = sink->write(&options, report, true);
	uselocale(before);
	freelocale(utf8);
	return error;
}

static int write_table(const struct ctd_report *report, int width, struct ctd_strbuf *out)
{
	autofree char *text = NULL;
	size_t bytes = 0;
	FILE *stream = open_memstream(&text, &bytes);
	int error;

	if (!stream)
		return -ENOMEM;
	error = write_in_locale(report, width, stream);
	if (fclose(stream) && !error)
		error = -ENOMEM;
	if (!error)
		ctd_strbuf_add_bytes(out, text, bytes);
	return error ? error : out->failed ? -ENOMEM : 0;
}

int ctd_view_text(const struct ctd_ledger_view *view, int width, struct ctd_strbuf *out)
{
	struct columns columns = {.model.nodes = columns.nodes};
	struct ctd_report report;
	int error;

	for (int i = 0; i < view->core_types_count; i++)
		add_columns(&view->core_types[i], columns.column[i], &columns);
	error = make_report(view, &columns, &report);
	if (error)
		return error;
	error = write_table(&report, width, out);
	ctd_report_free(&report);
	return error;
}

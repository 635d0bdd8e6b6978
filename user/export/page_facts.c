/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* page_facts.c - what runs here, on what it counts, and what it costs, in words. */
#include "export/page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "export/html.h"
#include "format/format.h"

static const char *const state_words[CTD_PMU_STATES] = {
	[CTD_PMU_ABSENT] = "absent: nothing counts slots here. CPU time is all there is.",
	[CTD_PMU_NEVER_RAN] = "never ran: the counters were opened, and no reading ever succeeded.",
	[CTD_PMU_STARVED] =
		"starved: no reading succeeded in the last interval. Someone else holds "
		"the counters.",
	[CTD_PMU_MULTIPLEXED] = "multiplexed: counted a part of the time; figures are scaled up.",
	[CTD_PMU_IMPLAUSIBLE] =
		"implausible: what is counted contradicts itself. Do not rely on it.",
	[CTD_PMU_LIVE] = "live: everything that ran was counted.",
};

static bool is_trouble(enum ctd_pmu_state state)
{
	return state != CTD_PMU_LIVE && state != CTD_PMU_MULTIPLEXED;
}

static void begin_fact(struct ctd_strbuf *page, const char *name)
{
	ctd_strbuf_addf(page, "<div><dt>%s</dt><dd>", name);
}

static void end_fact(struct ctd_strbuf *page)
{
	ctd_strbuf_add(page, "</dd></div>\n");
}

/* "3 d 4 h", "12 min 5 s": the two largest units. */
static void add_age(struct ctd_strbuf *page, uint64_t ns)
{
	uint64_t s = ns / 1000000000;

	if (s >= 86400)
		ctd_strbuf_addf(page, "%" PRIu64 " d %" PRIu64 " h", s / 86400, s / 3600 % 24);
	else if (s >= 3600)
		ctd_strbuf_addf(page, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s / 60 % 60);
	else if (s >= 60)
		ctd_strbuf_addf(page, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
	else
		ctd_strbuf_addf(page, "%" PRIu64 " s", s);
}

/* The titles of the models that accounts have; kinds of cores have one each. */
static void add_models(struct ctd_strbuf *page, const struct ctd_ledger_view *view)
{
	const struct ctd_cpu_model *shown[4];
	size_t count = 0;

	for (size_t i = 0; i < view->accounts_count && count < 4; i++) {
		const struct ctd_cpu_model *model = view->accounts[i].model;
		size_t known = 0;

		while (known < count && shown[known] != model)
			known++;
		if (!model || known < count)
			continue;
		shown[count++] = model;
		ctd_strbuf_add(page, "<br/>");
		ctd_html_add(page, model->title);
	}
}

static void add_source(struct ctd_strbuf *page, const struct ctd_ledger_view *view)
{
	begin_fact(page, "Counted by");
	ctd_strbuf_add(page, "source <b>");
	ctd_html_add(page, view->source);
	ctd_strbuf_add(page, "</b>");
	if (view->level > 0)
		ctd_strbuf_addf(page, ", level %d", view->level);
	if (view->scope && strcmp(view->scope, "core") == 0)
		ctd_strbuf_add(page, ", of whole cores");
	if (view->groups_count > 1)
		ctd_strbuf_addf(page, ", %d groups in turns", view->groups_count);
	add_models(page, view);
	end_fact(page);
}

static void add_own_cost(struct ctd_strbuf *page, const struct ctd_ledger_view *view,
			 const struct ctd_self *self)
{
	double window_s = (double)view->window_ns / 1e9;
	double age_s = (double)(int64_t)(view->realtime_ns - self->started_ns) / 1e9;
	char rate[CTD_FIGURE_BYTES], resident[CTD_FIGURE_BYTES];

	begin_fact(page, "What it costs");
	if (isfinite(view->health.ns_per_switch))
		ctd_strbuf_addf(page, "%.0f ns per switch", view->health.ns_per_switch);
	else
		ctd_strbuf_add(page, "no switch timed yet");
	if (window_s > 0) {
		ctd_format_count(
			(uint64_t)((double)view->health.count[CTD_HEALTH_SWITCHES] / window_s),
			rate);
		ctd_strbuf_addf(page, ", %s switches/s", rate);
	}
	if (age_s >= 1)
		ctd_strbuf_addf(page, "<br/>%.2f %% of one CPU for the rest",
				(double)self->cpu_ns / 1e7 / age_s);
	ctd_format_count(self->resident_bytes, resident);
	ctd_strbuf_addf(page, ", %sB resident", resident);
	end_fact(page);
}

/* Whose counters: nobody's in particular where all are alike. */
static void add_core(struct ctd_strbuf *page, const struct ctd_ledger_core *core)
{
	if (!*core->name)
		return;
	ctd_strbuf_add(page, "of ");
	ctd_html_add(page, core->name);
	ctd_strbuf_add(page, "s ");
}

/* Interrupts all the facts, where there is something to do. */
static void add_troubles(struct ctd_strbuf *page, const struct ctd_ledger_view *view)
{
	const struct ctd_node_totals *totals = &view->totals;

	for (int i = 0; i < view->cores_count; i++) {
		if (!is_trouble(view->cores[i].state))
			continue;
		ctd_strbuf_add(page, "<p class=\"notice\">Counters ");
		add_core(page, &view->cores[i]);
		ctd_strbuf_addf(page,
				"%s <code>cgtopdown doctor</code> on "
				"this machine says why, and what to do.</p>\n",
				state_words[view->cores[i].state]);
	}
	if (totals->residual_slots)
		ctd_strbuf_addf(page,
				"<p class=\"notice\">The books do not balance: %" PRId64
				" slots are in no account. Please report it.</p>\n",
				totals->residual_slots);
	if (totals->folded)
		ctd_strbuf_addf(page,
				"<p class=\"notice\">%" PRIu64
				" containers or cgroups were more than --accounts-max allows: "
				"they are in (other).</p>\n",
				totals->folded);
}

void ctd_page_add_facts(struct ctd_strbuf *page, const struct ctd_ledger_view *view,
			const struct ctd_self *self)
{
	char time[CTD_FIGURE_BYTES], unattributed[CTD_FIGURE_BYTES];

	add_troubles(page, view);
	ctd_strbuf_add(page, "<dl class=\"facts\">\n");
	begin_fact(page, "Program");
	ctd_strbuf_add(page, "version ");
	ctd_html_add(page, self->version);
	ctd_strbuf_add(page, "<br/>up for ");
	add_age(page,
		view->realtime_ns > self->started_ns ? view->realtime_ns - self->started_ns : 0);
	end_fact(page);

	add_source(page, view);
	begin_fact(page, "Counters");
	for (int i = 0; i < view->cores_count; i++) {
		ctd_strbuf_add(page, i ? "<br/>" : "");
		add_core(page, &view->cores[i]);
		ctd_strbuf_add(page, state_words[view->cores[i].state]);
	}
	end_fact(page);
	add_own_cost(page, view, self);

	begin_fact(page, "Figures");
	ctd_format_time(view->realtime_ns, time);
	ctd_strbuf_addf(page,
			"of %.1f s until %.10s %.8s UTC<br/>%" PRIu32 " CPUs, cgroup hierarchy ",
			(double)view->window_ns / 1e9, time, time + strlen("2026-08-30T"),
			view->cpus_online);
	ctd_html_add(page, view->hierarchy);
	if (view->totals.slots_known) {
		ctd_format_count(view->totals.unattributed_slots, unattributed);
		ctd_strbuf_addf(page, "<br/>%s slots unattributed since the start", unattributed);
	}
	end_fact(page);
	ctd_strbuf_add(page, "</dl>\n");
}

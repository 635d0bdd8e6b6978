/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* doctor.c - cgtopdown doctor: what works here, what does not, and what to do. */
#include "app/doctor/doctor.h"

#include <string.h>

#include "app/text.h"
#include "base/auto.h"
#include "base/json.h"
#include "base/known.h"
#include "format/colour.h"
#include "format/format.h"

#define MARK_COLUMN 2
#define NAME_COLUMN 11
#define TEXT_COLUMN 29

#define EXIT_NOTHING 1
#define EXIT_CPU_TIME 3

static const struct {
	const char *word, *colour;
} marks[] = {
	[CTD_FINDING_OK] = {"ok", CTD_COLOUR_GOOD},
	[CTD_FINDING_UNKNOWN] = {"unknown", CTD_COLOUR_DIM},
	[CTD_FINDING_NOTE] = {"note", CTD_COLOUR_WARM},
	[CTD_FINDING_SLOTS] = {"no slots", CTD_COLOUR_BAD},
	[CTD_FINDING_MISSING] = {"missing", CTD_COLOUR_BAD},
};

struct examination {
	FILE *out;
	bool colour;
	struct ctd_json *json; /* written instead; NULL: text */
	const char *section; /* printed last; NULL: none yet */
	enum ctd_finding_mark worst;
};

/* What was found may be names out of files of a machine that somebody sent. */
static void print_safely(FILE *out, int column, const char *text)
{
	autofree char *safe = ctd_format_printable(text, false);

	ctd_text_wrap(out, column, column, safe ? safe : "?");
}

static void add_finding(struct ctd_json *json, const char *section, const char *name,
			const struct ctd_finding *finding)
{
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "section", section);
	ctd_json_string(json, "name", name);
	ctd_json_string(json, "mark", marks[finding->mark].word);
	ctd_json_string(json, "what", finding->what);
	ctd_json_string(json, "remedy", ctd_known(finding->remedy));
	ctd_json_end_object(json);
}

static void print_finding(struct examination *examination, const char *section, const char *name,
			  const struct ctd_finding *finding)
{
	FILE *out = examination->out;

	if (finding->mark == CTD_FINDING_NONE)
		return;
	if (examination->worst < finding->mark)
		examination->worst = finding->mark;
	if (examination->json) {
		add_finding(examination->json, section, name, finding);
		return;
	}
	if (!examination->section || strcmp(examination->section, section) != 0) {
		fputc('\n', out);
		ctd_text_heading(out, examination->colour, section);
	}
	examination->section = section;
	fprintf(out, "%*s%s%-*s%s%-*s", MARK_COLUMN, "",
		examination->colour ? marks[finding->mark].colour : "", NAME_COLUMN - MARK_COLUMN,
		marks[finding->mark].word, examination->colour ? CTD_COLOUR_OFF : "",
		TEXT_COLUMN - NAME_COLUMN, name);
	print_safely(out, TEXT_COLUMN, finding->what);
	if (*finding->remedy) {
		fprintf(out, "%*s> ", TEXT_COLUMN, "");
		print_safely(out, TEXT_COLUMN + 2, finding->remedy);
	}
}

static void print_head(const struct examination *examination, const struct ctd_doctor_facts *facts,
		       const char *root)
{
	struct ctd_json *json = examination->json;
	FILE *out = examination->out;

	if (json) {
		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "schema", "cgtopdown/doctor/1");
		ctd_json_string(json, "version", CTD_VERSION);
		ctd_json_string(json, "root", root);
		ctd_json_string(json, "host", facts->recorded ? NULL : facts->host);
		ctd_json_string(json, "kernel", facts->recorded ? NULL : facts->kernel);
		ctd_json_begin_array(json, "findings");
		return;
	}
	if (facts->recorded)
		fprintf(out, "cgtopdown %s, the machine below %s\n(the kernel is not asked)\n",
			CTD_VERSION, root);
	else
		fprintf(out, "cgtopdown %s, %s, %s\n", CTD_VERSION, facts->host, facts->kernel);
}

/* The deepest of any core type. */
static int deepest_level(const struct ctd_doctor_facts *facts)
{
	int deepest = 0;

	for (int type = 0; type < facts->source->core_types_count; type++) {
		const struct ctd_counter_plan *plan = &facts->source->plans[type];
		int level = plan->model ? ctd_cpu_model_level(plan->model, plan->events_count) : 0;

		deepest = level > deepest ? level : deepest;
	}
	return deepest;
}

static int status_of(const struct examination *examination)
{
	switch (examination->worst) {
	case CTD_FINDING_MISSING:
		return EXIT_NOTHING;
	case CTD_FINDING_SLOTS:
		return EXIT_CPU_TIME;
	default:
		return 0;
	}
}

static void conclude_json(struct ctd_json *json, int status, const struct ctd_doctor_facts *facts)
{
	ctd_json_end_array(json);
	ctd_json_string(json, "works",
			status == EXIT_NOTHING	  ? "nothing"
			: status == EXIT_CPU_TIME ? "cpu_time"
						  : "slots");
	ctd_json_count(json, "level", (uint64_t)deepest_level(facts), !status);
	ctd_json_end_object(json);
}

static void conclude(const struct examination *examination, int status,
		     const struct ctd_doctor_facts *facts)
{
	FILE *out = examination->out;
	const char *where = facts->recorded ? "on that machine" : "here";

	fputc('\n', out);
	if (status == EXIT_NOTHING)
		fprintf(out, "Nothing works %s before what is missing above is there.\n", where);
	else if (status == EXIT_CPU_TIME)
		fprintf(out,
			"CPU time and switches of every cgroup work %s, slots do not;\n"
			"--source sim shows simulated ones.\n",
			where);
	else
		fprintf(out, "Slots of every cgroup work %s, down to level %d.\n", where,
			deepest_level(facts));
}

static void examine(struct examination *examination, const struct ctd_doctor_facts *facts,
		    const struct ctd_check *check, const char *section)
{
	struct ctd_finding finding = {0};

	check->judge(facts, &finding);
	/* Another core type or another source counts: this lack is not the end of it. */
	if (finding.mark == CTD_FINDING_SLOTS && ctd_source_counts(facts->source))
		finding.mark = CTD_FINDING_NOTE;
	print_finding(examination, section, check->name, &finding);
}

static bool is_of_section(const struct ctd_check *check, const char *section)
{
	return check->name && strcmp(check->section, section) == 0;
}

/* Checks from @p first on that have its section and scope, for one core type. @return the first of
 * others. */
static const struct ctd_check *examine_scope(struct examination *examination,
					     struct ctd_doctor_facts *facts,
					     const struct ctd_check *first, const char *section,
					     int type)
{
	bool of_attempts = first->scope == CTD_CHECK_ATTEMPT;
	int attempts = ctd_doctor_attempts(facts, type);
	const struct ctd_check *check = first;

	for (int attempt = of_attempts ? 0 : attempts - 1; attempt < attempts; attempt++) {
		ctd_doctor_look_at(facts, type, attempt);
		for (check = first;
		     is_of_section(check, first->section) && check->scope == first->scope; check++)
			examine(examination, facts, check, section);
	}
	return check;
}

/* Checks one section: either the machine as a whole, or each core type. The machine is judged with
 * the last core type, which needs most. @return the first check after them. */
static const struct ctd_check *examine_section(struct examination *examination,
					       struct ctd_doctor_facts *facts,
					       const struct ctd_check *first)
{
	int types = facts->source->machine.core_types_count;
	bool split = first->scope != CTD_CHECK_MACHINE && types > 1;
	const struct ctd_check *check = first;

	for (int type = 0; type < (split ? types : 1); type++) {
		char section[64];

		snprintf(section, sizeof(section), "%s%s%s", first->section, split ? ": " : "",
			 split ? facts->source->machine.core_types[type].core_name : "");
		check = first;
		do
			check = examine_scope(examination, facts, check, section,
					      split ? type : types - 1);
		while (is_of_section(check, first->section) &&
		       (check->scope == CTD_CHECK_MACHINE) == (first->scope == CTD_CHECK_MACHINE));
		/* It was on this stack frame. */
		examination->section = NULL;
	}
	if (!split)
		examination->section = first->section;
	return check;
}

int ctd_doctor_main(const struct ctd_options *options)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_json json = {.out = &out};
	struct examination examination = {.out = stdout,
					  .colour = ctd_text_wants_colour(options->colour, stdout),
					  .json = options->json ? &json : NULL};
	struct ctd_doctor_facts facts;
	int status;

	if (ctd_doctor_examine(options, &facts))
		return EXIT_NOTHING;
	print_head(&examination, &facts, options->root);
	for (int cap = 0; !facts.recorded && cap < CTD_CAP_COUNT; cap++) {
		struct ctd_finding finding = {0};

		ctd_check_cap(&facts, cap, &finding);
		print_finding(&examination, "Kernel", ctd_cap_texts[cap].name, &finding);
	}
	for (const struct ctd_check *check = ctd_checks; check->name;)
		check = examine_section(&examination, &facts, check);
	status = status_of(&examination);
	if (options->json)
		conclude_json(&json, status, &facts);
	else
		conclude(&examination, status, &facts);
	ctd_doctor_facts_free(&facts);
	return options->json && ctd_text_print_line(&out) ? EXIT_NOTHING : status;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* doctor.c - cgtopdown doctor: what works here, what does not, and what to do. */
#include "app/doctor.h"

#include <string.h>

#include "app/text.h"
#include "format/colour.h"

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
	const char *section; /* printed last; NULL: none yet */
	enum ctd_finding_mark worst;
};

static void print_finding(struct examination *examination, const char *section, const char *name,
			  const struct ctd_finding *finding)
{
	FILE *out = examination->out;

	if (finding->mark == CTD_FINDING_NONE)
		return;
	if (!examination->section || strcmp(examination->section, section) != 0) {
		fputc('\n', out);
		ctd_text_heading(out, examination->colour, section);
	}
	examination->section = section;
	if (examination->worst < finding->mark)
		examination->worst = finding->mark;
	fprintf(out, "%*s%s%-*s%s%-*s", MARK_COLUMN, "",
		examination->colour ? marks[finding->mark].colour : "", NAME_COLUMN - MARK_COLUMN,
		marks[finding->mark].word, examination->colour ? CTD_COLOUR_OFF : "",
		TEXT_COLUMN - NAME_COLUMN, name);
	ctd_text_wrap(out, TEXT_COLUMN, TEXT_COLUMN, finding->what);
	if (*finding->remedy) {
		fprintf(out, "%*s> ", TEXT_COLUMN, "");
		ctd_text_wrap(out, TEXT_COLUMN + 2, TEXT_COLUMN + 2, finding->remedy);
	}
}

static void print_head(const struct examination *examination, const struct ctd_doctor_facts *facts,
		       const char *root)
{
	FILE *out = examination->out;

	if (facts->recorded)
		fprintf(out, "cgtopdown %s, the machine below %s\n(the kernel is not asked)\n",
			CTD_VERSION, root);
	else
		fprintf(out, "cgtopdown %s, %s, %s\n", CTD_VERSION, facts->host, facts->kernel);
}

/* The deepest of any kind of cores. */
static int deepest_level(const struct ctd_doctor_facts *facts)
{
	int deepest = 0;

	for (int core = 0; core < facts->machine.cores_count; core++) {
		const struct ctd_counter_plan *plan = &facts->plans[core];
		int level = plan->model ? ctd_cpu_model_level(plan->model, plan->events_count) : 0;

		deepest = level > deepest ? level : deepest;
	}
	return deepest;
}

/* @return the exit status. */
static int conclude(const struct examination *examination, const struct ctd_doctor_facts *facts)
{
	FILE *out = examination->out;
	const char *where = facts->recorded ? "on that machine" : "here";

	fputc('\n', out);
	switch (examination->worst) {
	case CTD_FINDING_MISSING:
		fprintf(out, "Nothing works %s before what is missing above is there.\n", where);
		return EXIT_NOTHING;
	case CTD_FINDING_SLOTS:
		fprintf(out,
			"CPU time and switches of every cgroup work %s, slots do not;\n"
			"--source sim shows simulated ones.\n",
			where);
		return EXIT_CPU_TIME;
	default:
		fprintf(out, "Slots of every cgroup work %s, down to level %d.\n", where,
			deepest_level(facts));
		return 0;
	}
}

/* Do other kinds of cores count, so that this one's lack is not the end of it? */
static bool others_count(const struct ctd_doctor_facts *facts, int core)
{
	for (int other = 0; other < facts->machine.cores_count; other++) {
		if (other != core && ctd_plan_counts(&facts->plans[other]))
			return true;
	}
	return false;
}

static void examine(struct examination *examination, const struct ctd_doctor_facts *facts,
		    const struct ctd_check *check, const char *section, int core)
{
	struct ctd_finding finding = {0};

	check->judge(facts, &finding);
	if (finding.mark == CTD_FINDING_SLOTS && others_count(facts, core))
		finding.mark = CTD_FINDING_NOTE;
	print_finding(examination, section, check->name, &finding);
}

/* The checks of one section; where cores differ, what is of them once for each kind. @return the
 * first check of the next section. */
static const struct ctd_check *examine_section(struct examination *examination,
					       struct ctd_doctor_facts *facts,
					       const struct ctd_check *first)
{
	bool of_cores = first->is_of_cores && facts->machine.cores_count > 1;
	const struct ctd_check *check = first;

	for (int core = 0; core < (of_cores ? facts->machine.cores_count : 1); core++) {
		char section[64];

		snprintf(section, sizeof(section), "%s%s%s", first->section, of_cores ? ": " : "",
			 of_cores ? facts->machine.core[core].core_name : "");
		if (of_cores)
			ctd_doctor_look_at_core(facts, core);
		for (check = first; check->name && check->is_of_cores == first->is_of_cores &&
				    strcmp(check->section, first->section) == 0;
		     check++)
			examine(examination, facts, check, section, of_cores ? core : -1);
		/* It was on this stack frame. */
		examination->section = NULL;
	}
	if (!of_cores)
		examination->section = first->section;
	return check;
}

int ctd_doctor_main(const struct ctd_options *options)
{
	struct examination examination = {.out = stdout,
					  .colour = ctd_text_wants_colour(options->colour, stdout)};
	struct ctd_doctor_facts facts;

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
	return conclude(&examination, &facts);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* reference.c - finds events in the forms that perf's and Intel's formulas have of them. */
#include "vendor/reference.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "vendor/encode.h"
#include "vendor/fields.h"

#define NAME_BYTES 256

struct finding {
	const struct ctd_reference_scope *scope;
	const char *name; /* the whole */
	struct ctd_reference *reference;
	bool latency;
};

__attribute__((format(printf, 3, 4))) static void
lack(struct finding *finding, enum ctd_vendor_lack which, const char *format, ...)
{
	va_list arguments;

	finding->reference->kind = CTD_REFERENCE_LACK;
	finding->reference->lack = which;
	va_start(arguments, format);
	vsnprintf(finding->reference->why, sizeof(finding->reference->why), format, arguments);
	va_end(arguments);
}

static bool starts_with(const char *text, const char *begin)
{
	return strncasecmp(text, begin, strlen(begin)) == 0;
}

/* Whose events these are, where no file has them. */
static const struct {
	const char *begin, *what;
} others[] = {
	{"UNC_", "is of the uncore, which works for all containers"},
	{"uncore_", "is of the uncore, which works for all containers"},
	{"cha", "is of the uncore, which works for all containers"},
	{"cbox", "is of the uncore, which works for all containers"},
	{"imc", "is of the uncore, which works for all containers"},
	{"pcu", "is of the uncore, which works for all containers"},
	{"FREERUN_", "is of the package, not of what ran"},
	{"power", "is energy of the package, not of what ran"},
	{"cstate_", "is time asleep, when nothing runs"},
	{"msr", "is a register of the whole CPU, not of one cgroup"},
};

static void lack_event(struct finding *finding, const char *name)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (starts_with(name, others[i].begin)) {
			lack(finding, CTD_VENDOR_OTHER_PMU, "%.80s %s", finding->name,
			     others[i].what);
			return;
		}
	}
	lack(finding, CTD_VENDOR_NO_EVENT, "no file has the event %.80s", name);
}

/* Sets the event of a reference. @return false, with a lack. */
static bool set_event(struct finding *finding, const char *name)
{
	const struct ctd_vendor_event *event = ctd_vendor_find_event(finding->scope->table, name);
	struct ctd_vendor_count *count = &finding->reference->count;
	bool amd = starts_with(finding->scope->cpu->id, "AuthenticAMD");
	struct ctd_vendor_code code;

	if (event && event->pmu) {
		lack(finding, CTD_VENDOR_OTHER_PMU,
		     "%.60s is of another PMU, %.30s, which works for all containers", name,
		     event->pmu);
	} else if (event && event->lack) {
		lack(finding, CTD_VENDOR_NO_EVENT, "%.60s: %.80s", name, event->lack);
	} else if (event) {
		*count = (struct ctd_vendor_count){.event = event,
						   .config = event->config,
						   .config1 = event->config1,
						   .config2 = event->config2};
	} else if (!finding->scope->table->arm && ctd_vendor_encode_kernel(name, amd, &code) == 0) {
		*count = (struct ctd_vendor_count){.config = code.config};
	} else if (strcasecmp(name, "TSC") == 0) {
		lack(finding, CTD_VENDOR_OF_SYSTEM,
		     "the time-stamp counter counts for the whole CPU");
	} else {
		lack_event(finding, name);
	}
	return finding->reference->kind != CTD_REFERENCE_LACK;
}

static bool set_part(struct finding *finding, const char *part, size_t bytes, uint64_t number)
{
	struct ctd_vendor_count *count = &finding->reference->count;
	struct ctd_vendor_code code = {count->config, count->config1, count->config2};
	int r = ctd_vendor_encode(&code, finding->scope->table->arm, part, bytes, number);

	if (r) {
		lack(finding, CTD_VENDOR_MALFORMED, "in %.80s, '%.*s' is %s", finding->name,
		     bytes < 20 ? (int)bytes : 20, part,
		     r == -ERANGE ? "too large" : "nothing that an event has");
		return false;
	}
	count->config = code.config;
	count->config1 = code.config1;
	count->config2 = code.config2;
	return true;
}

/* "cmask=1", "edge", "umask=0x80"; the first may be an event's name. */
static bool set_term(struct finding *finding, const char *term, size_t bytes, bool first)
{
	const char *equals = memchr(term, '=', bytes);
	size_t part = equals ? (size_t)(equals - term) : bytes;
	struct ctd_vendor_code ignored = {0};
	char name[NAME_BYTES];
	uint64_t number = 1;

	if (first && !equals &&
	    ctd_vendor_encode(&ignored, finding->scope->table->arm, term, bytes, 1) == -ENOENT) {
		snprintf(name, sizeof(name), "%.*s", (int)bytes, term);
		return set_event(finding, name);
	}
	if (equals && ctd_vendor_number(equals + 1, bytes - part - 1, &number)) {
		lack(finding, CTD_VENDOR_MALFORMED, "in %.80s, '%.*s' is no number", finding->name,
		     bytes < 20 ? (int)bytes : 20, term);
		return false;
	}
	return set_part(finding, term, part, number);
}

static bool set_terms(struct finding *finding, const char *terms, size_t bytes, bool first)
{
	const char *end = terms + bytes;

	for (; terms < end; first = false) {
		const char *comma = memchr(terms, ',', (size_t)(end - terms));
		size_t term = comma ? (size_t)(comma - terms) : (size_t)(end - terms);

		if (!set_term(finding, terms, term, first))
			return false;
		terms += term + 1;
	}
	return true;
}

/* Suffixes of Intel's files that are parts of events, with the number behind them. */
static const struct {
	const char *begin, *part;
} suffixes[] = {
	{"ocr_msr_val=", "offcore_rsp"},
	{"eq", "eq"},
	{"c", "cmask"},
	{"e", "edge"},
	{"i", "inv"},
	{"u", "umask"},
};

/* @return 1: it is one of them; 0; -1: with a lack. */
static int set_suffix(struct finding *finding, const char *text, size_t bytes)
{
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t begin = strlen(suffixes[i].begin);
		uint64_t number;

		if (bytes > begin && strncmp(text, suffixes[i].begin, begin) == 0 &&
		    ctd_vendor_number(text + begin, bytes - begin, &number) == 0)
			return set_part(finding, suffixes[i].part, strlen(suffixes[i].part), number)
				       ? 1
				       : -1;
	}
	return 0;
}

static bool is(const char *word, const char *text, size_t bytes)
{
	return strlen(word) == bytes && strncasecmp(word, text, bytes) == 0;
}

/* perf's letters: of these, only who runs and what is measured matter to a count. */
static bool set_letters(struct finding *finding, const char *text, size_t bytes)
{
	struct ctd_vendor_count *count = &finding->reference->count;

	for (size_t i = 0; i < bytes; i++) {
		if (text[i] == 'u')
			count->user_only = true;
		else if (text[i] == 'k')
			count->kernel_only = true;
		else if (text[i] == 'R')
			finding->latency = true;
		else if (!strchr("hGHpPSDWeb", text[i]))
			return false;
	}
	return true;
}

static bool set_modifier(struct finding *finding, const char *text, size_t bytes)
{
	struct ctd_vendor_count *count = &finding->reference->count;
	int suffix = set_suffix(finding, text, bytes);

	if (suffix)
		return suffix > 0;
	if (is("sup", text, bytes)) {
		count->kernel_only = true;
	} else if (is("user", text, bytes)) {
		count->user_only = true;
	} else if (is("retire_latency", text, bytes)) {
		finding->latency = true;
	} else if (is("percore", text, bytes)) {
		lack(finding, CTD_VENDOR_BOTH_THREADS,
		     "%.80s is of both threads of a core, which run different containers",
		     finding->name);
	} else if (!is("perf_metrics", text, bytes) && !set_letters(finding, text, bytes)) {
		lack(finding, CTD_VENDOR_MALFORMED, "%.80s has an unknown modifier", finding->name);
	}
	return finding->reference->kind != CTD_REFERENCE_LACK;
}

static bool set_modifiers(struct finding *finding, const char *text)
{
	while (*text) {
		size_t bytes = strcspn(text, ":");

		if (bytes && !set_modifier(finding, text, bytes))
			return false;
		text += bytes + (text[bytes] == ':');
	}
	return true;
}

static bool is_core_pmu(const struct finding *finding, const char *pmu)
{
	if (finding->scope->table->arm)
		return starts_with(pmu, "armv") || strcmp(pmu, "cpu") == 0;
	return strcmp(pmu, "cpu") == 0 ||
	       strcmp(pmu, *finding->scope->cpu->pmu ? finding->scope->cpu->pmu : "cpu_core") == 0;
}

/* "cpu@EVENT,cmask=1@R", "EVENT@offcore_rsp=0x1@" */
static bool set_of_pmu(struct finding *finding, const char *at)
{
	const char *name = finding->name, *terms = at + 1, *end = strrchr(terms, '@');
	char before[NAME_BYTES];
	bool is_event;

	snprintf(before, sizeof(before), "%.*s", (int)(at - name), name);
	if (!end) {
		lack(finding, CTD_VENDOR_MALFORMED, "%.80s has one '@' only", name);
		return false;
	}
	is_event = ctd_vendor_find_event(finding->scope->table, before) != NULL;
	if (is_event ? !set_event(finding, before) : !is_core_pmu(finding, before)) {
		if (!is_event && starts_with(before, "cpu_"))
			lack(finding, CTD_VENDOR_OTHER_PMU, "%.80s is of another core type", name);
		else if (!is_event && starts_with(name, "msr@tsc"))
			lack(finding, CTD_VENDOR_OF_SYSTEM,
			     "the time-stamp counter counts for the whole CPU");
		else if (!is_event)
			lack_event(finding, before);
		return false;
	}
	return set_terms(finding, terms, (size_t)(end - terms), !is_event) &&
	       set_modifiers(finding, end + 1);
}

static bool set_plain(struct finding *finding)
{
	size_t bytes = strcspn(finding->name, ":");
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%.*s", (int)bytes, finding->name);
	return set_event(finding, name) &&
	       set_modifiers(finding, finding->name + bytes + (finding->name[bytes] == ':'));
}

/* How long an event takes to retire, instead of how often it came. */
static void use_latency(struct finding *finding)
{
	struct ctd_reference *reference = finding->reference;
	const struct ctd_vendor_event *event = reference->count.event;

	if (!event || isnan(event->latency)) {
		lack(finding, CTD_VENDOR_NO_LATENCY,
		     "no file has a mean of how long %.80s takes to retire", finding->name);
		return;
	}
	reference->kind = CTD_REFERENCE_LATENCY;
	reference->count.latency = true;
	reference->number = event->latency;
}

void ctd_reference_find(const struct ctd_reference_scope *scope, const char *name,
			struct ctd_reference *ret_reference)
{
	struct finding finding = {.scope = scope, .name = name, .reference = ret_reference};
	const char *at = strchr(name, '@');

	*ret_reference = (struct ctd_reference){.kind = CTD_REFERENCE_COUNT};
	if (ctd_reference_find_constant(scope->machine, name, ret_reference))
		return;
	if (*name == '#')
		lack(&finding, CTD_VENDOR_MALFORMED, "%.80s is unknown", name);
	else if (at ? set_of_pmu(&finding, at) : set_plain(&finding))
		if (finding.latency)
			use_latency(&finding);
}

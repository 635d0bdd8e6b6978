/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.h - what there is to say on a command line: parsing and all help are made from it. */
#ifndef OPTIONS_TABLE_H
#define OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/options/options.h"
#include "app/options/suggest.h"
#include "base/strbuf.h"

enum ctd_option_section {
	CTD_OPTIONS_COLLECTING,
	CTD_OPTIONS_SHOWING,
	CTD_OPTIONS_SERVING,
	CTD_OPTIONS_PUSHING,
	CTD_OPTIONS_NAMING,
	CTD_OPTIONS_GENERAL,
	CTD_OPTION_SECTIONS,
	CTD_OPTIONS_HIDDEN, /* parsed, but in no help */
};

/* What ctd_store_time() takes. */
#define CTD_TIME_WANTED \
	"now, today, yesterday, or a time such as '2 hours ago', 14:30, '2026-03-01 14:30' or @1772375400 (seconds since 1970)"

/* Bits of all commands. */
#define CTD_OPTION_OF_ALL (~0u)

struct ctd_option;
/* Puts @p text into @p field. @return 0, or -EINVAL if it is not what the option wants. */
typedef int ctd_option_store_fn(const struct ctd_option *option, const char *text, void *field);

struct ctd_option {
	const char *name; /* long, without dashes */
	const char *metavar; /* NULL: takes no value */
	enum ctd_option_section section;
	unsigned int commands; /* bit 1 << enum ctd_command of those that take it */
	char letter; /* 0: none */
	bool argv_only; /* not for the configuration file */
	ctd_option_store_fn *store; /* NULL: help and version, which come before all others */
	size_t offset, bytes; /* of the field in struct ctd_options */
	const char *fallback; /* stored where the option is not given; NULL: the field is 0 */
	/* What is accepted. The first that is given also says so: see ctd_option_add_wants(). */
	const char *wants;
	const char *const *choices; /* ended by NULL */
	uint64_t min, max;
	const char *help; /* sentences; what is accepted and the fallback are added */
	const struct ctd_option *further; /* of a row without a name, which ends a table: the next
					     table; NULL: there is none */
};

/* @return the option after this one, the first after NULL, and NULL after the last. */
const struct ctd_option *ctd_option_next(const struct ctd_option *option);
extern const char *const ctd_option_section_titles[CTD_OPTION_SECTIONS];

/* store.c: kinds of values. */
ctd_option_store_fn ctd_store_flag, ctd_store_more, ctd_store_number, ctd_store_duration,
	ctd_store_percentage, ctd_store_choice, ctd_store_choice_text, ctd_store_text,
	ctd_store_source, ctd_store_sort, ctd_store_metric, ctd_store_format, ctd_store_grouping,
	ctd_store_socket, ctd_store_mode, ctd_store_cpus, ctd_store_pids, ctd_store_max_slice,
	ctd_store_listen, ctd_store_url, ctd_store_urls, ctd_store_texts, ctd_store_headers,
	ctd_store_time;
/* Is it a key of --sort, or a metric of a core's design, and not one of a vendor's files? */
bool ctd_sort_is_ours(const char *text);
/* Shows it the keys of --sort that are no metrics. */
void ctd_sort_suggest(struct ctd_suggestion *suggestion);
/* Adds what the option wants: "seconds between 0.01 and 86400", "leader or each". */
void ctd_option_add_wants(const struct ctd_option *option, struct ctd_strbuf *text);
/* True if its field is a struct ctd_texts: it may have several values. */
bool ctd_option_is_list(const struct ctd_option *option);
/* True if each time that it is given adds to what there is. */
bool ctd_option_adds(const struct ctd_option *option);
/*
 * show.c: the texts from which @p store makes what is in the field. Adds the text number
 * @p number to @p text. @return false if there is no such one: none at all for what is not given.
 */
bool ctd_option_show(const struct ctd_option *option, const struct ctd_options *options,
		     size_t number, struct ctd_strbuf *text);
/* Shows it the names that the option takes, where they are too many to be all said. */
void ctd_option_suggest(const struct ctd_option *option, struct ctd_suggestion *suggestion);

/* What a command takes besides options. */
enum ctd_positional { CTD_TAKES_NOTHING, CTD_TAKES_FILE, CTD_TAKES_LIST, CTD_TAKES_COMMAND };

struct ctd_example {
	const char *line, *what;
};

struct ctd_command_text {
	const char *name;
	const char *arguments; /* of the usage line */
	const char *summary; /* half a line */
	const char *about; /* paragraphs, each a line */
	enum ctd_positional takes;
	bool takes_program; /* after "--" */
	const struct ctd_example *examples; /* ended by a NULL line; NULL: none */
	const char *exit_status;
};

/* command_texts.c: by enum ctd_command. */
#define CTD_COMMANDS (CTD_COMMAND_VERSION + 1)
extern const struct ctd_command_text ctd_command_texts[CTD_COMMANDS];

#endif

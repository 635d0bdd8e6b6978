/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.c - writes tags as lines for programs, or as a table. */
#include "app/neighbours/show.h"

#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "app/neighbours/neighbours.h"
#include "app/text.h"
#include "base/auto.h"
#include "base/log.h"
#include "format/format.h"
#include "format/tag_json.h"

static bool is_same(const struct ctd_neighbour_tag *a, const struct ctd_neighbour_tag *b)
{
	return a->mechanism == b->mechanism && a->domain == b->domain &&
	       strcmp(a->victim->key, b->victim->key) == 0;
}

static bool holds(const struct ctd_neighbour_verdicts *verdicts,
		  const struct ctd_neighbour_tag *tag)
{
	for (size_t i = 0; i < verdicts->tags_count; i++)
		if (is_same(&verdicts->tags[i], tag))
			return true;
	return false;
}

static void add_line(struct ctd_strbuf *out, const struct ctd_neighbour_tag *tag, uint64_t time_ns,
		     enum ctd_tag_detail detail)
{
	struct ctd_json json = {.out = out};

	ctd_tag_add_json(&json, tag, time_ns, detail);
	ctd_strbuf_add(out, "\n");
}

static void add_lines(struct ctd_strbuf *out, const struct ctd_tags_show *show,
		      const struct ctd_neighbour_verdicts *now)
{
	for (size_t i = 0; i < now->tags_count; i++)
		add_line(out, &now->tags[i], now->time_ns, CTD_TAG_EVIDENCE);
	for (size_t i = 0; show->before && i < show->before->tags_count; i++)
		if (!holds(now, &show->before->tags[i]))
			add_line(out, &show->before->tags[i], now->time_ns, CTD_TAG_ENDED);
}

static int add_text(struct ctd_strbuf *out, const struct ctd_tags_show *show,
		    const struct ctd_neighbour_verdicts *now)
{
	const struct ctd_options *options = show->options;
	const struct ctd_tags_style style = {
		.colour = ctd_text_wants_colour(options->colour, stdout),
		.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
	};
	const char *name = options->neighbours.explain;

	if (show->shown)
		ctd_strbuf_add(out, "\n");
	if (name && ctd_tags_explain(out, now, name, &style))
		return 0;
	if (name && options->input) {
		ctd_log(CTD_LOG_ERROR,
			"--explain '%s': no tag at the end is of a container called so; without --explain all are shown",
			name);
		return -ENOENT;
	}
	ctd_tags_table(out, now, &style);
	for (size_t i = 0; show->before && i < show->before->tags_count; i++)
		if (!holds(now, &show->before->tags[i]))
			ctd_tags_add_ended(out, &show->before->tags[i], &style);
	return 0;
}

int ctd_tags_show(struct ctd_tags_show *show, const struct ctd_neighbour_verdicts *now, bool whole)
{
	bool lines = strcmp(show->options->format, "jsonl") == 0;
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	int error = 0;

	if (lines)
		add_lines(&out, show, now);
	else if (whole)
		error = add_text(&out, show, now);
	if (error)
		return error;
	if (out.failed)
		return -ENOMEM;
	ctd_neighbour_verdicts_release(show->before);
	show->before = ctd_neighbour_verdicts_copy(now);
	if (!show->before)
		return -ENOMEM;
	show->shown++;
	return out.bytes ? ctd_format_write(stdout, out.text, out.bytes) : 0;
}

void ctd_tags_show_free(struct ctd_tags_show *show)
{
	ctd_neighbour_verdicts_release(show->before);
	show->before = NULL;
}

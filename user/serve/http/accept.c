/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* accept.c - reads lists of alternatives with weights. */
#include "serve/http/accept.h"

#include <string.h>
#include <strings.h>

#define WEIGHT_FULL 1000

/* A piece of the header. */
struct span {
	const char *text;
	size_t bytes;
};

static bool is(struct span span, const char *word)
{
	return span.bytes == strlen(word) && strncasecmp(span.text, word, span.bytes) == 0;
}

static struct span trim(struct span span)
{
	while (span.bytes && (*span.text == ' ' || *span.text == '\t')) {
		span.text++;
		span.bytes--;
	}
	while (span.bytes &&
	       (span.text[span.bytes - 1] == ' ' || span.text[span.bytes - 1] == '\t'))
		span.bytes--;
	return span;
}

/* What is before @p separator, which does not count within quotes; @p rest is what follows it. */
static struct span cut(struct span *rest, char separator)
{
	struct span head = *rest;
	bool quoted = false;
	size_t i = 0;

	for (; i < rest->bytes && (quoted || rest->text[i] != separator); i++) {
		if (rest->text[i] == '"')
			quoted = !quoted;
		else if (quoted && rest->text[i] == '\\' && i + 1 < rest->bytes)
			i++;
	}
	head.bytes = i;
	i += i < rest->bytes;
	rest->text += i;
	rest->bytes -= i;
	return trim(head);
}

static struct span unquote(struct span span)
{
	if (span.bytes >= 2 && *span.text == '"' && span.text[span.bytes - 1] == '"')
		return (struct span){span.text + 1, span.bytes - 2};
	return span;
}

/* RFC 9110, 12.4.2: "0", "1", and up to three decimals; in thousandths. What is none counts as 0. */
static int weight_of(struct span span)
{
	int weight, digit = WEIGHT_FULL / 10;

	if (!span.bytes || span.bytes > 5 || (span.text[0] != '0' && span.text[0] != '1') ||
	    (span.bytes > 1 && span.text[1] != '.'))
		return 0;
	weight = span.text[0] == '1' ? WEIGHT_FULL : 0;
	for (size_t i = 2; i < span.bytes; i++, digit /= 10) {
		if (span.text[i] < '0' || span.text[i] > '9')
			return 0;
		weight += (span.text[i] - '0') * digit;
	}
	return weight > WEIGHT_FULL ? 0 : weight;
}

/* One of the alternatives: a media range, or an encoding. */
struct range {
	struct span type;
	struct span version; /* without text: any */
	int weight;
};

/* Takes the next alternative off @p rest. */
static struct range next_range(struct span *rest)
{
	struct span text = cut(rest, ',');
	struct range range = {.type = cut(&text, ';'), .weight = WEIGHT_FULL};

	while (text.bytes) {
		struct span value = cut(&text, ';'), name = cut(&value, '=');

		if (is(name, "q"))
			range.weight = weight_of(trim(value));
		else if (is(name, "version"))
			range.version = unquote(trim(value));
	}
	return range;
}

static bool is_version(const struct range *range, const char *version)
{
	return !range->version.bytes || is(range->version, version);
}

/* How closely a range names the plain text; 0: not at all. */
static int names_text(const struct range *range)
{
	if (is(range->type, "text/plain"))
		return is_version(range, "0.0.4") ? 3 : 0;
	if (is(range->type, "text/*"))
		return 2;
	return is(range->type, "*/*") ? 1 : 0;
}

static struct span span_of(const char *header)
{
	return (struct span){header ? header : "", header ? strlen(header) : 0};
}

bool ctd_accepts_openmetrics(const char *accept)
{
	struct span rest = span_of(accept);
	int openmetrics = 0, plain = 0, closeness = 0;

	while (rest.bytes) {
		struct range range = next_range(&rest);
		int close = names_text(&range);

		if (is(range.type, "application/openmetrics-text") && is_version(&range, "1.0.0") &&
		    range.weight > openmetrics)
			openmetrics = range.weight;
		/* RFC 9110, 12.5.1: the most specific range has precedence. */
		if (close > closeness || (close && close == closeness && range.weight > plain)) {
			closeness = close;
			plain = range.weight;
		}
	}
	return openmetrics && openmetrics >= plain;
}

bool ctd_accepts_gzip(const char *accept_encoding)
{
	struct span rest = span_of(accept_encoding);
	int gzip = -1, identity = 0, any = 0;

	while (rest.bytes) {
		struct range range = next_range(&rest);

		if (is(range.type, "gzip") || is(range.type, "x-gzip"))
			gzip = range.weight;
		else if (is(range.type, "identity"))
			identity = range.weight;
		else if (is(range.type, "*"))
			any = range.weight;
	}
	if (gzip < 0)
		gzip = any;
	return gzip > 0 && gzip >= identity;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* encoding.c - reads Accept-Encoding by RFC 9110, section 12.5.3. */
#include "serve/http/encoding.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* "q=0.25" in thousandths; without it, or with one that is none: 1000. */
static int weight_of(const char *parameters, size_t bytes)
{
	const char *end = parameters + bytes;
	int weight, digit = 100;

	while (parameters < end && (*parameters == ';' || isspace((unsigned char)*parameters)))
		parameters++;
	if (end - parameters < 3 || strncasecmp(parameters, "q=", 2) != 0 ||
	    (parameters[2] != '0' && parameters[2] != '1'))
		return 1000;
	weight = parameters[2] == '1' ? 1000 : 0;
	parameters += 3;
	if (weight || parameters == end || *parameters != '.')
		return weight;
	for (parameters++; parameters < end && isdigit((unsigned char)*parameters) && digit;
	     parameters++, digit /= 10)
		weight += (*parameters - '0') * digit;
	return weight;
}

static bool is_name(const char *item, size_t bytes, const char *name)
{
	return bytes == strlen(name) && strncasecmp(item, name, bytes) == 0;
}

bool ctd_accepts_gzip(const char *accept_encoding)
{
	static const char blanks[] = ", \t";
	int gzip = -1, identity = -1, any = -1;

	const char *at = accept_encoding ? accept_encoding : "";

	for (at += strspn(at, blanks); *at; at += strspn(at, blanks)) {
		size_t name = strcspn(at, ";, \t"), bytes = strcspn(at, ",");
		int weight = weight_of(at + name, bytes - name);

		if (is_name(at, name, "gzip") || is_name(at, name, "x-gzip"))
			gzip = weight;
		else if (is_name(at, name, "identity"))
			identity = weight;
		else if (is_name(at, name, "*"))
			any = weight;
		at += bytes;
	}
	if (gzip < 0)
		gzip = any;
	return gzip > 0 && gzip >= identity;
}

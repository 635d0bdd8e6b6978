/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* component.c - compares and cuts one component of a cgroup path. */
#include "identity/path/component.h"

#include <string.h>

bool ctd_component_is(struct ctd_component component, const char *text)
{
	return component.bytes == strlen(text) && !memcmp(component.text, text, component.bytes);
}

bool ctd_component_cut(struct ctd_component component, const char *prefix, const char *suffix,
		       struct ctd_component *ret_rest)
{
	size_t before = strlen(prefix);
	size_t after = strlen(suffix);

	if (component.bytes < before + after || memcmp(component.text, prefix, before) != 0 ||
	    memcmp(component.text + component.bytes - after, suffix, after) != 0)
		return false;
	*ret_rest =
		(struct ctd_component){component.text + before, component.bytes - before - after};
	return true;
}

bool ctd_component_is_hex(struct ctd_component component, size_t digits)
{
	if (component.bytes != digits)
		return false;
	for (size_t i = 0; i < digits; i++)
		if (!component.text[i] || !strchr("0123456789abcdef", component.text[i]))
			return false;
	return true;
}

bool ctd_component_cut_id(struct ctd_component component, const char *prefix, const char *suffix,
			  struct ctd_component *ret_id)
{
	struct ctd_component rest;

	if (!ctd_component_cut(component, prefix, suffix, &rest) ||
	    !ctd_component_is_hex(rest, CTD_CONTAINER_ID_CHARS))
		return false;
	*ret_id = rest;
	return true;
}

/* The directory named "<slice>.slice:<unit>:<id>". */
static bool literal_unit_id(struct ctd_component component, const char *unit,
			    struct ctd_component *ret_id)
{
	const char *colon = memchr(component.text, ':', component.bytes);
	struct ctd_component slice, rest, id;

	if (!colon)
		return false;
	slice = (struct ctd_component){component.text, (size_t)(colon - component.text)};
	rest = (struct ctd_component){colon + 1, component.bytes - slice.bytes - 1};
	if (!ctd_component_cut(slice, "", ".slice", &slice) ||
	    !ctd_component_cut(rest, unit, "", &rest) || !ctd_component_cut_id(rest, ":", "", &id))
		return false;
	*ret_id = id;
	return true;
}

bool ctd_component_unit_id(struct ctd_component component, const char *unit,
			   struct ctd_component *ret_id)
{
	struct ctd_component rest;

	if (ctd_component_cut(component, unit, ".scope", &rest) &&
	    ctd_component_cut_id(rest, "-", "", ret_id))
		return true;
	return literal_unit_id(component, unit, ret_id);
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* component.h - one component of a cgroup path: how its text is compared and cut. */
#ifndef IDENTITY_PATH_COMPONENT_H
#define IDENTITY_PATH_COMPONENT_H

#include <stdbool.h>

#include <cgtopdown/runtime.h>

/* Is the whole component @p text? */
bool ctd_component_is(struct ctd_component component, const char *text);
/* Cuts @p prefix and @p suffix ("" for none) off. @return false if it does not have both. */
bool ctd_component_cut(struct ctd_component component, const char *prefix, const char *suffix,
		       struct ctd_component *ret_rest);
/* Is it lower-case hexadecimal, exactly @p digits of them? */
bool ctd_component_is_hex(struct ctd_component component, size_t digits);
/* Cuts @p prefix and @p suffix off and wants the rest to be a container id, 64 hex. */
bool ctd_component_cut_id(struct ctd_component component, const char *prefix, const char *suffix,
			  struct ctd_component *ret_id);
/*
 * The id in a container's systemd unit, "<unit>-<id>.scope". Also where the runtime was told
 * "<slice>:<unit>:<id>" for systemd but makes directories itself, and so made one of that name.
 */
bool ctd_component_unit_id(struct ctd_component component, const char *unit,
			   struct ctd_component *ret_id);

#endif

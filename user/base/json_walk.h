/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* json_walk.h - goes through a long JSON text piece by piece: all of it as a tree takes ten times
 * its text. */
#ifndef BASE_JSON_WALK_H
#define BASE_JSON_WALK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CTD_JSON_WHY_BYTES 160

struct ctd_json_walk {
	const char *text, *end; /* what is left */
	char why[CTD_JSON_WHY_BYTES]; /* with -EBADMSG */
};

static inline void ctd_json_auto_decref(json_t **json)
{
	json_decref(*json);
}
#define auto_json __attribute__((cleanup(ctd_json_auto_decref)))

/* What takes a value: that of @p name in an object, or an element of an array. @return 0 or
 * negative errno, which ends the walk. */
typedef int ctd_json_take(struct ctd_json_walk *walk, const char *name, void *context);

/* Sets `why`. @return -EBADMSG. */
int ctd_json_refuse(struct ctd_json_walk *walk, const char *why);
/*
 * @return the next value of any kind as a tree, the caller's; NULL with `why`. jansson has integers
 * up to INT64_MAX; larger ones, up to UINT64_MAX, are texts of their digits in the tree.
 */
json_t *ctd_json_walk_value(struct ctd_json_walk *walk);
/* Of any size that ctd_json_walk_value() has. @return false: it is none, or negative. */
bool ctd_json_take_integer(const json_t *value, uint64_t *ret_integer);
/* Each member of the object that comes next, by @p member, which takes its value off the text.
 * @return 0, -EBADMSG: there is none, or it is cut off; or what @p member returned. */
int ctd_json_walk_object(struct ctd_json_walk *walk, ctd_json_take *member, void *context);
/* Each element of the array that comes next; its name is NULL. */
int ctd_json_walk_array(struct ctd_json_walk *walk, ctd_json_take *element, void *context);
/* @return 0, or -EBADMSG: something follows. */
int ctd_json_walk_end(struct ctd_json_walk *walk);

#endif

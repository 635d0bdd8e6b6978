/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* refusal.c - reads the Status object of an API server. */
#include "remote/refusal.h"

#include <stdio.h>
#include <string.h>

#include "base/json_walk.h"
#include "base/utf8.h"

/* No Status is longer, and a tree takes forty times its text. */
#define STATUS_BYTES_MAX ((size_t)64 << 10)

bool ctd_remote_refusal_read(const char *text, size_t bytes, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	json_error_t problem;
	auto_json json_t *root =
		bytes && bytes <= STATUS_BYTES_MAX ? json_loadb(text, bytes, 0, &problem) : NULL;
	const char *kind = json_string_value(json_object_get(root, "kind"));
	const char *message = json_string_value(json_object_get(root, "message"));

	if (!kind || strcmp(kind, "Status") != 0)
		return false;
	snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "API server: %s",
		 message && *message ? message : "no");
	ctd_utf8_mask_controls(ret_why);
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* flame.h - a flame graph as data, for scripts that draw it. Private to user/profile_sink/. */
#ifndef PROFILE_SINK_FLAME_H
#define PROFILE_SINK_FLAME_H

#include "profile_sink/tree.h"

struct ctd_flame {
	const struct ctd_profile *profile, *base; /* borrowed; base: NULL: none */
	struct ctd_tree tree; /* owned */
	int weight; /* of the tree: what is shown first */
	bool has_top; /* and with the functions that have most */
	char **row_names; /* owned, with the names; of the base's rows behind those of the profile */
};

/* ctd_flame_free() is due in any case. @return 0 or -ENOMEM. */
int ctd_flame_make(const struct ctd_profile_sink_options *options,
		   const struct ctd_profile *profile, struct ctd_flame *ret_flame);
/* Appends one JSON object, with the functions that are in it alone; failures are the buffer's. */
void ctd_flame_json(const struct ctd_flame *flame, struct ctd_strbuf *out);
void ctd_flame_free(struct ctd_flame *flame);

#endif

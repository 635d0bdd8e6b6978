/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kubelets.h - the client of the kubelet that holds now, in the place of those before it. */
#ifndef IDENTITY_KUBELETS_H
#define IDENTITY_KUBELETS_H

#include "identity/kubelet.h"
#include "identity/resolve.h"

/* Earlier clients that have not ended. One ends within a moment, unless the file of its token does
 * not answer. */
#define CTD_KUBELETS_ENDING 4

struct ctd_kubelets;
/* Nobody is asked. @return 0 or -ENOMEM. */
int ctd_kubelets_new(struct ctd_kubelets **ret_kubelets);
/* Waits as ctd_kubelet_free() does. */
void ctd_kubelets_free(struct ctd_kubelets *kubelets);

/*
 * Asks as @p options say, whose `before` is not looked at; with a URL of NULL nobody any more. What
 * was listed stays known until there is another list: nobody loses names on the way. Waits for no
 * request. @return 0; -EBUSY where too many have not ended; other negative errno: then all stays.
 */
int ctd_kubelets_follow(struct ctd_kubelets *kubelets, const struct ctd_kubelet_options *options);
/* For the resolver; borrowed until ctd_kubelets_free(). */
const struct ctd_name_source *ctd_kubelets_source(const struct ctd_kubelets *kubelets);
/* Of all that were asked so far. @return false if nobody is asked now. */
bool ctd_kubelets_counts(struct ctd_kubelets *kubelets, struct ctd_kubelet_counts *ret_counts);

#endif

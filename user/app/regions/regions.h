/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* regions.h - stat --by region: what programs that measure themselves offer. */
#ifndef APP_REGIONS_REGIONS_H
#define APP_REGIONS_REGIONS_H

#include "app/options/options.h"

/* @return the exit status. */
int ctd_regions_main(const struct ctd_options *options);

#endif

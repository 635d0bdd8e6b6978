/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* input.h - profile --input: the profile of a recording. */
#ifndef APP_PROFILE_INPUT_H
#define APP_PROFILE_INPUT_H

#include "app/options/options.h"

/* @return the exit status. */
int ctd_profile_input_main(const struct ctd_options *options);

#endif

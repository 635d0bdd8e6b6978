/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tag_advice.h - what a tag means, and what to do. */
#ifndef FORMAT_TAG_ADVICE_H
#define FORMAT_TAG_ADVICE_H

#include <cgtopdown/neighbour.h>

/* Sentences, in lines for a terminal, that are indented by two but for the first. Static. */
const char *ctd_tag_advice(enum ctd_mechanism mechanism);

#endif

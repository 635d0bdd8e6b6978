/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* model_text.h - pieces of what is said of a core design. */
#ifndef EXPLAIN_MODEL_TEXT_H
#define EXPLAIN_MODEL_TEXT_H

#include <cgtopdown/counters.h>

#include "base/strbuf.h"

/* Adds the name of an event of the model's group; what is not in sysfs comes with its code, and a
 * leader with the event that is opened where sysfs lacks it. */
void ctd_model_text_add_event(struct ctd_strbuf *text, const struct ctd_cpu_model *model, int group,
			      const struct ctd_cpu_event *event);

/* Says so, where the model is of this machine's cores, and of which core type. */
void ctd_model_text_add_here(struct ctd_strbuf *text, const struct ctd_machine *machine,
			     const struct ctd_cpu_model *model);

#endif

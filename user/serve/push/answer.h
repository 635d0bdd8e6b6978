/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* answer.h - what a receiver of OTLP says of a request. */
#ifndef SERVE_PUSH_ANSWER_H
#define SERVE_PUSH_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ctd_push_verdict {
	CTD_PUSH_TAKEN,
	CTD_PUSH_LATER, /* to be tried again */
	CTD_PUSH_REFUSED, /* and would be again */
};
/* Of an HTTP status, by the OTLP specification, "Failures": it names those to be tried again. */
enum ctd_push_verdict ctd_push_judge(long status);

struct ctd_push_answer {
	uint64_t rejected_points; /* of a request that was taken otherwise */
	char text[256]; /* why; of ASCII that prints; "" if nothing was said */
};
/*
 * Reads the body of an answer: with @p taken an ExportMetricsServiceResponse, else with @p protobuf
 * a google.rpc.Status, else a text. What cannot be read says nothing.
 */
void ctd_push_answer_read(const char *body, size_t bytes, bool taken, bool protobuf,
			  struct ctd_push_answer *ret_answer);

#endif

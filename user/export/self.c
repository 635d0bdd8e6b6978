/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* self.c - what the process knows of itself, as samples. */
#include "export/families.h"

#include <string.h>

static uint64_t of_self(const struct exposition *exposition)
{
	uint64_t count;

	memcpy(&count, (const char *)exposition->self + exposition->family->offset, sizeof(count));
	return count;
}

void ctd_samples_self_count(struct exposition *exposition)
{
	ctd_sample_count(exposition, "", of_self(exposition));
}

void ctd_samples_self_ns(struct exposition *exposition)
{
	ctd_sample_ns(exposition, "", of_self(exposition));
}

void ctd_samples_self_cpu(struct exposition *exposition)
{
	ctd_sample_ns(exposition, "", (uint64_t)(exposition->self->cpu_s * 1e9 + .5));
}

void ctd_samples_names(struct exposition *exposition)
{
	ctd_sample_count(exposition, "state=\"waiting\"", exposition->self->names_waiting);
}

void ctd_samples_kubelet_up(struct exposition *exposition)
{
	if (exposition->self->kubelet)
		ctd_sample_count(exposition, "", exposition->self->kubelet_up);
}

void ctd_samples_kubelet_count(struct exposition *exposition)
{
	if (exposition->self->kubelet)
		ctd_samples_self_count(exposition);
}

void ctd_samples_otlp_requests(struct exposition *exposition)
{
	const struct ctd_self *self = exposition->self;

	if (!self->otlp)
		return;
	ctd_sample_count(exposition, "result=\"sent\"", self->otlp_sent);
	ctd_sample_count(exposition, "result=\"failed\"", self->otlp_failed);
	ctd_sample_count(exposition, "result=\"dropped\"", self->otlp_dropped);
}

void ctd_samples_otlp_queue(struct exposition *exposition)
{
	if (exposition->self->otlp)
		ctd_sample_count(exposition, "", exposition->self->otlp_queued);
}

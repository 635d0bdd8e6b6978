/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* otlp.c - a ledger as a request of OpenTelemetry's protocol. */
#include "export/otlp.h"

#include <errno.h>

#include "base/protobuf.h"

/* ExportMetricsServiceRequest, ResourceMetrics, ScopeMetrics, InstrumentationScope. */
enum { RESOURCE_METRICS = 1 };
enum { RESOURCE = 1, SCOPE_METRICS = 2 };
enum { SCOPE = 1 };
enum { SCOPE_NAME = 1, SCOPE_VERSION = 2 };

static size_t begin_scope(const struct ctd_self *self, struct ctd_strbuf *message)
{
	size_t mark = ctd_protobuf_begin(message, SCOPE_METRICS);
	size_t scope = ctd_protobuf_begin(message, SCOPE);

	ctd_protobuf_text(message, SCOPE_NAME, "cgtopdown");
	ctd_protobuf_text(message, SCOPE_VERSION, self->version);
	ctd_protobuf_end(message, scope);
	return mark;
}

static void add_container(const struct ctd_ledger_view *view, const struct ctd_self *self,
			  const struct ctd_otlp_resource *resource, size_t at,
			  struct ctd_strbuf *message)
{
	size_t metrics = ctd_protobuf_begin(message, RESOURCE_METRICS);
	size_t mark = ctd_protobuf_begin(message, RESOURCE);

	ctd_otlp_resource_container(view, resource, view->accounts[at].who, message);
	ctd_protobuf_end(message, mark);
	mark = begin_scope(self, message);
	ctd_otlp_families(view, self, at, at + 1, false, message);
	ctd_protobuf_end(message, mark);
	ctd_protobuf_end(message, metrics);
}

/* The accounts from @p at to before @p end, which are no containers; @p whole: the node's own
 * figures, too. */
static void add_node(const struct ctd_ledger_view *view, const struct ctd_self *self,
		     const struct ctd_otlp_resource *resource, size_t at, size_t end, bool whole,
		     struct ctd_strbuf *message)
{
	size_t metrics = ctd_protobuf_begin(message, RESOURCE_METRICS);
	size_t mark = ctd_protobuf_begin(message, RESOURCE);

	ctd_otlp_resource_node(view, self, resource, message);
	ctd_protobuf_end(message, mark);
	mark = begin_scope(self, message);
	ctd_otlp_families(view, self, at, end, whole, message);
	ctd_protobuf_end(message, mark);
	ctd_protobuf_end(message, metrics);
}

int ctd_export_otlp(const struct ctd_ledger_view *view, const struct ctd_self *self,
		    const struct ctd_otlp_resource *resource, size_t first, size_t accounts_max,
		    struct ctd_strbuf *message)
{
	size_t left = first < view->accounts_count ? view->accounts_count - first : 0;
	size_t end = first + (left < accounts_max ? left : accounts_max);
	size_t at = first;

	/* Accounts are sorted by kind: containers come first. */
	for (; at < end && ctd_otlp_is_container(&view->accounts[at]); at++)
		add_container(view, self, resource, at, message);
	if (first == 0 || at < end)
		add_node(view, self, resource, at, end, first == 0, message);
	return message->failed ? -ENOMEM : 0;
}

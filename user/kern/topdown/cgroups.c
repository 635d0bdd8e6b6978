/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cgroups.c - takes events of cgroups that come and go. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stddef.h>

#include "base/log.h"
#include "bpf/topdown.skel.h"
#include "kern/topdown/topdown.h"

int ctd_kern_forget(struct ctd_kern *kern, uint64_t cgroup_id)
{
	return ctd_idmap_set(&kern->removed, cgroup_id, kern->epoch);
}

static int take_event(void *context, void *data, size_t bytes)
{
	const struct ctd_cgroup_event *event = data;
	struct ctd_kern *kern = context;

	if (bytes < offsetof(struct ctd_cgroup_event, path) + 1)
		return 0;
	if (event->change == CTD_CGROUP_REMOVED)
		ctd_kern_forget(kern, event->cgroup_id);
	if (kern->options.notice)
		kern->options.notice(event->change, event->cgroup_id, event->path,
				     kern->options.notice_context);
	return 0;
}

int ctd_kern_open_events(struct ctd_kern *kern)
{
	kern->events = ring_buffer__new(bpf_map__fd(kern->skeleton->maps.cgtd_events), take_event,
					kern, NULL);
	return kern->events ? 0 : ctd_log_error(-errno, "open the ring buffer of cgroup events");
}

int ctd_kern_poll(struct ctd_kern *kern, int timeout_ms)
{
	return ring_buffer__poll(kern->events, timeout_ms);
}

int ctd_kern_poll_fd(const struct ctd_kern *kern)
{
	return ring_buffer__epoll_fd(kern->events);
}

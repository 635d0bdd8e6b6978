/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* server.h - where the API server is of the cluster that this process runs in. */
#ifndef SERVE_EVENTS_SERVER_H
#define SERVE_EVENTS_SERVER_H

#include <stdbool.h>
#include <stddef.h>

/* What a pod is given: its ServiceAccount's token, which the kubelet renews, and the cluster's CA. */
#define CTD_SERVICE_ACCOUNT "/var/run/secrets/kubernetes.io/serviceaccount"
#define CTD_SERVICE_ACCOUNT_TOKEN CTD_SERVICE_ACCOUNT "/token"
#define CTD_SERVICE_ACCOUNT_CA CTD_SERVICE_ACCOUNT "/ca.crt"

/* By KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT of the environment. @return false: it is
 * not in a pod. */
bool ctd_api_server_url(char *ret_url, size_t bytes);

#endif

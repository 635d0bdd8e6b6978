/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* trees.c - the places in the file system that each command reads: one table. */
#include <cgtopdown/identity.h>
#include <cgtopdown/sampler.h>
#include <ctype.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "app/sandbox/sandbox.h"
#include "base/auto.h"
#include "base/root.h"

#define ON(command) (1u << CTD_COMMAND_##command)
#define MEASURES (ON(STAT) | ON(RECORD) | ON(PROFILE) | ON(SERVE) | ON(NEIGHBOURS))

/* Below what a place lies. */
enum base {
	OURS, /* the file system as we see it */
	MACHINE, /* --root */
	HOST, /* --host-root, else --root */
};

static const struct {
	unsigned int commands;
	enum base base;
	const char *path;
} places[] = {
	{MEASURES | ON(DOCTOR), OURS, "/proc"},
	{MEASURES | ON(DOCTOR), OURS, "/sys"},
	{MEASURES | ON(DOCTOR), MACHINE, "/proc"},
	{MEASURES | ON(DOCTOR), MACHINE, "/sys"},
	/* Where runtimes and the kubelet keep names: they may come, or be mounted, later. */
	{MEASURES, HOST, "/run"},
	{MEASURES, HOST, "/var/run"},
	{MEASURES, HOST, "/var/lib"},
	{MEASURES, HOST, "/var/log"},
	/* Names of hosts and certificates, by libraries that are loaded when needed. Whole, as the
	   files there are replaced. */
	{ON(SERVE), OURS, "/etc"},
	{ON(SERVE), OURS, "/usr"},
	{ON(SERVE), OURS, "/lib"},
	{ON(SERVE), OURS, "/lib64"},
	{ON(SERVE), OURS, "/run"},
	{ON(SERVE), OURS, "/var/run"},
	{ON(SERVE), OURS, "/dev/null"},
	{ON(SERVE), OURS, "/dev/urandom"},
};

#define FILE_OF(field) offsetof(struct ctd_options, field)

/* Files that are read again when they change, with all beside them, as what takes the place of one
 * is another file. */
static const struct {
	size_t field;
	bool later; /* not read yet, and not by this thread: its filesystem may not answer */
} files[] = {
	{FILE_OF(profile_file), false},
	{FILE_OF(serve.config), false},
	{FILE_OF(serve.tls_cert), false},
	{FILE_OF(serve.tls_key), false},
	{FILE_OF(serve.bearer_token_file), false},
	{FILE_OF(serve.basic_auth_file), false},
	{FILE_OF(serve.otlp_header_file), true},
	{FILE_OF(serve.otlp_ca), true},
	{FILE_OF(serve.kubelet_ca), true},
	{FILE_OF(serve.kubelet_token_file), true},
	{FILE_OF(serve.kubernetes_ca), true},
	{FILE_OF(serve.kubernetes_token_file), true},
};

static const char *base_of(const struct ctd_options *options, enum base base)
{
	const char *root = options->root ? options->root : "";

	return base == OURS || (base == HOST && options->host_root)
		       ? base == OURS ? "" : options->host_root
		       : root;
}

static void allow_parent(const char *path, unsigned int access, ctd_allow_tree *allow,
			 void *context)
{
	autofree char *copy = strdup(path);
	const char *parent = copy ? dirname(copy) : path;

	/* All of the file system would be too much. */
	allow(strcmp(parent, "/") ? parent : path, access, context);
}

/* Where it is, and where a link there leads to. */
static void allow_file(const char *path, bool later, ctd_allow_tree *allow, void *context)
{
	autofree char *target = later ? NULL : realpath(path, NULL);

	allow_parent(path, CTD_TREE_READ, allow, context);
	if (target)
		allow_parent(target, CTD_TREE_READ, allow, context);
}

static void allow_socket(const char *path, ctd_allow_tree *allow, void *context)
{
	if (path && *path == '/')
		allow_parent(path, CTD_TREE_REMOVE | CTD_TREE_SOCKET, allow, context);
}

void ctd_trees_each(const struct ctd_options *options, ctd_allow_tree *allow, void *context)
{
	const char *local = options->local_socket ? options->local_socket : CTD_LOCAL_SOCKET;
	const char *listen = options->serve.listen;
	struct ctd_cgroup_hierarchy hierarchy;
	char path[CTD_PATH_MAX], why[160];

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (!(places[i].commands & (1u << options->command)))
			continue;
		if (snprintf(path, sizeof(path), "%s%s", base_of(options, places[i].base),
			     places[i].path) < (int)sizeof(path))
			allow(path, CTD_TREE_READ, context);
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		const char *file = *(const char *const *)((const char *)options + files[i].field);

		if (file)
			allow_file(file, files[i].later, allow, context);
	}
	/* It may be mounted anywhere. A COMMAND's cgroup is removed in the end. */
	if (!ctd_cgroup_hierarchy_find(options->hierarchy, &hierarchy, why))
		allow(hierarchy.mount, CTD_TREE_READ | (options->program ? CTD_TREE_REMOVE : 0),
		      context);
	/* Where limits of CPU time are; with v1 another mount. */
	if (!ctd_cgroup_hierarchy_find("cpu", &hierarchy, why))
		allow(hierarchy.mount, CTD_TREE_READ, context);
	if (options->command != CTD_COMMAND_SERVE)
		return;
	/* Where counters are replaced, another sampler is loaded. Landlock knows no rule for "/"
	 * alone; the names below it are no secret to a process that samples. */
	if (options->with_profile && ctd_sampler_opens_root())
		allow("/", CTD_TREE_LIST, context);
	if (options->serve.history)
		allow(options->serve.history, CTD_TREE_READ | CTD_TREE_WRITE, context);
	allow_socket(local, allow, context);
	if (listen && strncmp(listen, "unix:", strlen("unix:")) == 0)
		allow_socket(listen + strlen("unix:"), allow, context);
}

/* "/proc/1/root": a link that only those may follow who may trace that process. */
static bool is_elsewhere(const char *path)
{
	return path && strncmp(path, "/proc/", strlen("/proc/")) == 0 &&
	       isdigit((unsigned char)path[strlen("/proc/")]);
}

bool ctd_trees_are_elsewhere(const struct ctd_options *options)
{
	return is_elsewhere(options->root) || is_elsewhere(options->host_root);
}

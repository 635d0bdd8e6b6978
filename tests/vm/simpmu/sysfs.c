// SPDX-License-Identifier: GPL-2.0-only
/* sysfs.c - format, events, caps and cpus of a core's PMU, as its driver would show them. */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "simpmu.h"

#define TEXT_BYTES 80

/* One file with a fixed text. */
struct text_attribute {
	struct device_attribute attribute;
	char text[TEXT_BYTES];
};

struct group {
	struct attribute_group group; /* first: what is freed is this */
	struct text_attribute *files;
	unsigned int count;
};

static const char *const intel_formats[][2] = {
	{"event", "config:0-7"},
	{"umask", "config:8-15"},
	{"edge", "config:18"},
	{"any", "config:21"},
	{"inv", "config:23"},
	{"cmask", "config:24-31"},
	{"offcore_rsp", "config1:0-63"},
	{"frontend", "config1:0-23"},
	{"ldlat", "config1:0-15"},
	{NULL, NULL},
};
static const char *const amd_formats[][2] = {
	{"event", "config:0-7,32-35"}, {"umask", "config:8-15"},  {"edge", "config:18"},
	{"inv", "config:23"},	       {"cmask", "config:24-31"}, {NULL, NULL},
};
static const char *const arm_formats[][2] = {
	{"event", "config:0-15"},
	{NULL, NULL},
};

static ssize_t show(struct device *device, struct device_attribute *attribute, char *page)
{
	return sprintf(page, "%s\n",
		       container_of(attribute, struct text_attribute, attribute)->text);
}

static struct group *make_group(const char *name, unsigned int files)
{
	struct group *group = kzalloc(sizeof(*group), GFP_KERNEL);

	if (!group)
		return NULL;
	group->files = kcalloc(files, sizeof(*group->files), GFP_KERNEL);
	group->group.attrs = kcalloc(files + 1, sizeof(*group->group.attrs), GFP_KERNEL);
	group->group.name = name;
	return group;
}

static void add(struct group *group, const char *name, const char *text)
{
	struct text_attribute *file = &group->files[group->count];

	sysfs_attr_init(&file->attribute.attr);
	file->attribute.attr.name = name;
	file->attribute.attr.mode = 0444;
	file->attribute.show = show;
	strscpy(file->text, text, sizeof(file->text));
	group->group.attrs[group->count++] = &file->attribute.attr;
}

static void encode(enum encoding encoding, u64 config, char *text)
{
	u64 event = config & 0xff, umask = config >> 8 & 0xff, cmask = config >> 24 & 0xff;
	int length;

	if (encoding == ARM_ENCODING) {
		snprintf(text, TEXT_BYTES, "event=0x%04llx", config);
		return;
	}
	if (encoding == AMD_ENCODING)
		event |= config >> 24 & 0xf00;
	length = snprintf(text, TEXT_BYTES, "event=0x%02llx,umask=0x%llx", event, umask);
	if (config & 1 << 21)
		length += snprintf(text + length, TEXT_BYTES - length, ",any=1");
	if (cmask)
		snprintf(text + length, TEXT_BYTES - length, ",cmask=0x%llx", cmask);
}

static struct group *make_events(const struct simpmu_core *core)
{
	const struct simpmu_event *event;
	unsigned int count = 0;
	char text[TEXT_BYTES];
	struct group *group;

	for (event = core->events; event->name || event->terms[0].denominator; event++)
		count += !!event->name;
	group = make_group("events", count);
	if (!group)
		return NULL;
	for (event = core->events; event->name || event->terms[0].denominator; event++) {
		if (!event->name)
			continue;
		encode(core->encoding, event->config, text);
		add(group, event->name, text);
	}
	return group;
}

static struct group *make_format(enum encoding encoding)
{
	const char *const(*formats)[2] = encoding == INTEL_ENCODING ? intel_formats
					 : encoding == AMD_ENCODING ? amd_formats
								    : arm_formats;
	struct group *group = make_group("format", ARRAY_SIZE(intel_formats));

	for (; group && (*formats)[0]; formats++)
		add(group, (*formats)[0], (*formats)[1]);
	return group;
}

static struct group *make_caps(const struct simpmu_core *core)
{
	struct group *group = make_group("caps", 2);
	char text[TEXT_BYTES];

	if (!group)
		return NULL;
	if (core->caps_name)
		add(group, "pmu_name", core->caps_name);
	if (core->encoding == ARM_ENCODING) {
		snprintf(text, sizeof(text), "0x%08x", core->width);
		add(group, "slots", text);
	}
	return group;
}

static struct group *make_cpus(const struct simpmu_core *core, const struct cpumask *cpus)
{
	struct group *group = make_group(NULL, 1);
	char text[TEXT_BYTES];

	if (!group)
		return NULL;
	snprintf(text, sizeof(text), "%*pbl", cpumask_pr_args(cpus));
	add(group, "cpus", text);
	return group;
}

const struct attribute_group **simpmu_sysfs_make(const struct simpmu_core *core,
						 const struct cpumask *cpus, bool hybrid)
{
	const struct attribute_group **groups = kcalloc(5, sizeof(*groups), GFP_KERNEL);
	struct group *made[4];
	unsigned int i, count = 0;

	if (!groups)
		return NULL;
	made[count++] = make_format(core->encoding);
	made[count++] = make_events(core);
	made[count++] = make_caps(core);
	if (hybrid || core->encoding == ARM_ENCODING)
		made[count++] = make_cpus(core, cpus);
	for (i = 0; i < count; i++)
		groups[i] = made[i] ? &made[i]->group : NULL;
	return groups;
}

void simpmu_sysfs_free(const struct attribute_group **groups)
{
	const struct attribute_group **each;

	for (each = groups; *each; each++) {
		struct group *group = container_of(*each, struct group, group);

		kfree(group->files);
		kfree(group->group.attrs);
		kfree(group);
	}
	kfree(groups);
}

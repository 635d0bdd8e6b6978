// SPDX-License-Identifier: GPL-2.0-only
/* topdown.c - PERF_METRICS and fixed counter 3, and a driver that handles them as Linux does. */
/*
 * The metrics are fractions of the slots since both registers were last written, in 255ths. A read
 * of any topdown event updates all that are active and clears the registers; one that goes off the
 * PMU saves them, to be written back when it returns. See intel_update_topdown_event() and
 * icl_set_topdown_event_period() in arch/x86/events/intel/core.c.
 */
#include "simpmu.h"

/*
 * The four fields of a level add up to 255 (tools/perf/Documentation/topdown.txt), those of level 1
 * by themselves: each is the nearest 255th, but one further off where the sum would not be right.
 * How hardware does it is nowhere written. Level 2 is rounded field by field.
 */
static u32 nearest_field(const struct topdown *registers, unsigned int metric)
{
	u64 part[METRICS_MAX / 2], sum = 0, rest = 0;
	unsigned int i, before = 0;

	if (metric >= METRICS_MAX / 2)
		return (registers->metric[metric] * 255 + registers->slots / 2) / registers->slots;
	for (i = 0; i < METRICS_MAX / 2; i++) {
		part[i] = registers->metric[i] * 255;
		sum += part[i] / registers->slots;
	}
	/* The largest remainders are rounded up, as many as it takes. */
	rest = part[metric] % registers->slots;
	for (i = 0; i < METRICS_MAX / 2; i++) {
		u64 other = part[i] % registers->slots;

		before += other > rest || (other == rest && i < metric);
	}
	return part[metric] / registers->slots + (sum + before < 255);
}

/* Field @p metric as it reads, as slots. */
static u64 metric_slots(const struct topdown *registers, unsigned int metric)
{
	u64 slots = registers->slots >> WORK_BITS;
	u64 work = registers->metric[metric];

	if (simpmu_control.quantise == EXACT)
		return work >> WORK_BITS;
	if (!registers->slots)
		return 0;
	if (simpmu_control.quantise == NEAREST)
		return slots * nearest_field(registers, metric) / 255;
	return slots * (work * 255 / registers->slots) / 255;
}

static u64 value_of(const struct counter *counter, const struct topdown *registers)
{
	if (counter->kind->kind == SLOTS_EVENT ||
	    (simpmu_control.bad_spec_is_slots && counter->kind->metric == BAD_SPEC - RETIRING))
		return registers->slots >> WORK_BITS;
	return metric_slots(registers, counter->kind->metric);
}

/* A difference that would be negative is left out, as the fields are coarse. */
static void add_since(struct counter *counter, const struct topdown *now,
		      const struct topdown *before)
{
	u64 value = value_of(counter, now);
	u64 last = before->slots ? value_of(counter, before) : 0;

	if (value > last && !simpmu_control.counts_nothing)
		local64_add(value - last, &counter->event->count);
}

/* What is left below a whole count stays in the registers. */
static void clear_registers(struct topdown *registers)
{
	unsigned int i;

	registers->slots &= WORK_ONE - 1;
	for (i = 0; i < METRICS_MAX; i++)
		registers->metric[i] = simpmu_control.quantise == EXACT
					       ? registers->metric[i] & (WORK_ONE - 1)
					       : 0;
}

static void save(struct machine *machine, struct counter *counter, const struct topdown *registers)
{
	unsigned int i;

	counter->saved = *registers;
	for (i = 0; i < machine->active_count; i++) {
		if (is_topdown(machine->active[i]) && machine->active[i]->active)
			machine->active[i]->saved = *registers;
	}
}

/* What a counter of slots shows that was full in between. The fields are of all slots, but it is
 * what it shows that they are taken of. Sixteen bits less, so that products fit. */
static void wrap(struct topdown *registers)
{
	u64 slots = registers->slots;
	unsigned int i;

	registers->slots &= (WORK_ONE << simpmu_control.counter_bits) - 1;
	if (registers->slots == slots)
		return;
	for (i = 0; i < METRICS_MAX; i++)
		registers->metric[i] =
			(registers->metric[i] >> 16) * (registers->slots >> 16) / (slots >> 16)
			<< 16;
}

void simpmu_topdown_update(struct machine *machine, struct counter *counter)
{
	static const struct topdown nothing;
	struct topdown now = machine->topdown;
	struct topdown before = counter->saved;
	unsigned int i;

	wrap(&now);
	machine->updates++;
	if (!(now.slots >> WORK_BITS))
		return;
	for (i = 0; i < machine->active_count; i++) {
		if (is_topdown(machine->active[i]) && machine->active[i]->active)
			add_since(machine->active[i], &now, &before);
	}
	if (!counter->active) {
		add_since(counter, &now, &before);
		save(machine, counter, &now);
		return;
	}
	clear_registers(&machine->topdown);
	save(machine, counter, &nothing);
}

/* With the leader come the registers as they were when it left, in what precision they had. */
void simpmu_topdown_start(struct machine *machine, struct counter *counter)
{
	unsigned int i;

	if (counter->kind->kind != SLOTS_EVENT)
		return;
	machine->topdown = (struct topdown){};
	if (!counter->restarted || !counter->saved.slots)
		return;
	machine->topdown.slots = counter->saved.slots;
	for (i = 0; i < METRICS_MAX; i++)
		machine->topdown.metric[i] = simpmu_control.quantise == EXACT
						     ? counter->saved.metric[i]
						     : metric_slots(&counter->saved, i)
							       << WORK_BITS;
}

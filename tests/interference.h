/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interference.h - traces of containers that slow each other down by a stated law:
 * docs/neighbours.md has it, with its parameters. */
#ifndef TESTS_INTERFERENCE_H
#define TESTS_INTERFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define INTERFERENCE_CONTAINERS_MAX 24
#define INTERFERENCE_SAMPLES 540 /* 90 minutes of 10 s */
#define INTERFERENCE_JUDGED 60 /* the last 10 minutes: truth is what was lost in them; */
#define INTERFERENCE_BLAMED 120 /* and who did it, what was lost to each in the last 20 */
#define INTERFERENCE_PAST 400 /* before anything happens; the detector sees the last 220 of them */
#define INTERFERENCE_VICTIM 0.05 /* of its slots: who loses more to others is a victim */
#define INTERFERENCE_CLEAN                                                   \
	0.02 /* who loses less is none; between them, a tag is neither right \
		nor wrong */
#define INTERFERENCE_FIRST 0.67 /* of what the worst did: who did so much may be named first */
#define INTERFERENCE_CAPACITY 3e11 /* memory slots that make a pressure of 1 */
#define ANTAGONISTS 2
#define STREAMS 3 /* of random numbers, by seed and class: as they were judged first */

/* Where containers run on several caches: two on each of two memory nodes. */
#define INTERFERENCE_CACHES 4
#define INTERFERENCE_NODES 2

enum interference_class { EASY, HARD, STRONG, TWINS, INTERFERENCE_CLASSES };

/* What containers slow each other down by: anything is shared by all, or by those of a node, or of
 * a cache, as much as their times there overlap. */
enum interference_shared { SHARE_MACHINE, SHARE_NODE, SHARE_CACHE, INTERFERENCE_SHARED };

struct interference_parameters {
	const char *name;
	int containers;
	double noise, noise_memory; /* of ln(M/R): standard deviation, AR(1) coefficient */
	double sensitivity; /* ln M gained at the pressure of one antagonist, median */
	double share; /* median of M/S without pressure */
	double antagonist, second; /* probability of an antagonist, and of another one */
	int decoys, echoes; /* busy by a pattern of their own; by the antagonist's */
	int inputs, loads; /* whose M/R, and whose load, changes for good */
	int twins; /* of the antagonist: they do as it does, when it does */
};

static const struct interference_parameters interference_parameters[INTERFERENCE_CLASSES] = {
	[EASY] = {"easy", 11, .05, .5, .50, .06, .5, .0, 1, 0, 0, 1, 0},
	[HARD] = {"hard", 16, .10, .8, .35, .06, .5, .3, 2, 1, 2, 3, 0},
	[STRONG] = {"strong", 8, .08, .7, .55, .05, .5, .25, 1, 1, 1, 1, 0},
	[TWINS] = {"twins", 16, .08, .7, .55, .10, .8, .0, 1, 1, 1, 1, 2},
};

struct interference_point {
	float retired, memory, slots, cpu; /* slots, and CPUs */
	float frontend;
};

struct interference_container {
	double share, sensitivity;
	double demand, saturated_slots; /* retired slots of a usual sample; or 0 and all slots */
	double swing, period, phase; /* of its load */
	double memory_slope, rest_slope, rest; /* of ln(M/R) and ln(F/R) by ln(load) */
	double noise, rest_noise, load_noise; /* state */
	double weight; /* of its memory slots, as pressure */
	int pattern; /* -1: none; else index of the pattern that its load follows */
	double pattern_gain; /* ln load when on */
	int input_at, load_at;
	double input_step, load_step;
	double usual_pressure; /* that it makes, mean of the past */
	double lost; /* truth: part of its slots lost to what others make beyond it */
	double lost_to[INTERFERENCE_CONTAINERS_MAX]; /* to each alone */
};

struct interference_trace {
	const struct interference_parameters *parameters;
	int containers, antagonists;
	int antagonist[ANTAGONISTS];
	struct interference_container container[INTERFERENCE_CONTAINERS_MAX];
	struct interference_point point[INTERFERENCE_SAMPLES][INTERFERENCE_CONTAINERS_MAX];
	bool on[INTERFERENCE_CONTAINERS_MAX][INTERFERENCE_SAMPLES];
	/* Of the time of each, the part on each cache. */
	double place[INTERFERENCE_CONTAINERS_MAX][INTERFERENCE_CACHES];
	/* How much of the pressure of one reaches the other. */
	double reach[INTERFERENCE_CONTAINERS_MAX][INTERFERENCE_CONTAINERS_MAX];
	uint64_t random;
};

static inline double interference_uniform(struct interference_trace *trace, double low, double high)
{
	uint64_t z = trace->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return low + (high - low) * (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static inline double interference_normal(struct interference_trace *trace)
{
	double radius = sqrt(-2 * log(interference_uniform(trace, 1e-12, 1)));

	return radius * cos(2 * M_PI * interference_uniform(trace, 0, 1));
}

/* On and off in turn, from @p start on. */
static inline void interference_pattern(struct interference_trace *trace, int pattern, int start)
{
	bool on = true;

	for (int t = start; t < INTERFERENCE_SAMPLES; on = !on) {
		int end = t + (int)(on ? interference_uniform(trace, 4, 20)
				       : interference_uniform(trace, 3, 14));

		for (; t < end && t < INTERFERENCE_SAMPLES; t++)
			trace->on[pattern][t] = on;
	}
}

static inline void interference_usual(struct interference_trace *trace,
				      struct interference_container *container)
{
	const struct interference_parameters *with = trace->parameters;

	*container = (struct interference_container){
		.share = fmin(with->share * exp(.7 * interference_normal(trace)), .6),
		.sensitivity = fmin(with->sensitivity * exp(.4 * interference_normal(trace)), .9),
		.demand = 1e10 * exp(interference_uniform(trace, 0, 3)),
		.weight = exp(.3 * interference_normal(trace)),
		.swing = interference_uniform(trace, 0, .5),
		.period = interference_uniform(trace, 60, 1000),
		.phase = interference_uniform(trace, 0, 2 * M_PI),
		.memory_slope = interference_uniform(trace, -.1, .4),
		.rest_slope = interference_uniform(trace, -.2, .2),
		.rest = log(interference_uniform(trace, .5, 2)),
		.pattern = -1,
		.input_at = INTERFERENCE_SAMPLES,
		.load_at = INTERFERENCE_SAMPLES,
	};
	if (interference_uniform(trace, 0, 1) < .3)
		container->saturated_slots = container->demand * 3;
}

/* ln(M/R) at usual load, as a ratio. */
static inline double interference_usual_memory(const struct interference_container *container)
{
	return container->share / (1 - container->share) * (1 + exp(container->rest));
}

/* One that has no part yet. */
static inline int interference_pick(struct interference_trace *trace)
{
	int i;

	do
		i = (int)interference_uniform(trace, 0, trace->containers);
	while (trace->container[i].pattern >= 0);
	return i;
}

static inline void interference_cast(struct interference_trace *trace)
{
	const struct interference_parameters *with = trace->parameters;
	int wanted = (interference_uniform(trace, 0, 1) < with->antagonist) *
		     (1 + (interference_uniform(trace, 0, 1) < with->second));

	for (; trace->antagonists < wanted; trace->antagonists++) {
		int i = interference_pick(trace), n = trace->antagonists;
		struct interference_container *container = &trace->container[i];

		trace->antagonist[n] = i;
		container->pattern = n;
		container->pattern_gain = interference_uniform(trace, 1.5, 3);
		container->share = interference_uniform(trace, .3, .6);
		container->saturated_slots = 0;
		/* So that when it is on its pressure is 0.7 to 1.3, half of that of another one. */
		container->demand = interference_uniform(trace, .7, 1.3) / (1 + n) *
				    INTERFERENCE_CAPACITY / container->weight /
				    interference_usual_memory(container) /
				    exp(container->pattern_gain * (1 + container->memory_slope));
		interference_pattern(trace, n, (int)interference_uniform(trace, 420, 465));
	}
	for (int n = 0; n < with->twins && trace->antagonists; n++) {
		int i = interference_pick(trace);
		struct interference_container *container = &trace->container[i];

		container->pattern = 0;
		container->pattern_gain = interference_uniform(trace, 1.5, 3);
		container->share = interference_uniform(trace, .3, .6);
		container->saturated_slots = 0;
		container->demand = interference_uniform(trace, .7, 1.3) * INTERFERENCE_CAPACITY /
				    container->weight / interference_usual_memory(container) /
				    exp(container->pattern_gain * (1 + container->memory_slope));
	}
	for (int n = 0; n < with->decoys + with->echoes; n++) {
		int i = interference_pick(trace), own = ANTAGONISTS + n;
		struct interference_container *container = &trace->container[i];
		bool echo = n >= with->decoys && trace->antagonists;

		container->pattern = echo ? 0 : own;
		container->pattern_gain = interference_uniform(trace, .7, 2);
		container->share = fmin(container->share, .06);
		container->saturated_slots = 0;
		interference_pattern(trace, own, (int)interference_uniform(trace, 400, 470));
	}
}

static inline void interference_change(struct interference_trace *trace)
{
	for (int n = 0; n < trace->parameters->inputs; n++) {
		struct interference_container *container =
			&trace->container[(int)interference_uniform(trace, 0, trace->containers)];

		container->input_at = (int)interference_uniform(trace, 420, 520);
		container->input_step = interference_uniform(trace, .15, .6) *
					(interference_uniform(trace, 0, 1) < .7 ? 1 : -1);
	}
	for (int n = 0; n < trace->parameters->loads; n++) {
		struct interference_container *container =
			&trace->container[(int)interference_uniform(trace, 0, trace->containers)];

		container->load_at = (int)interference_uniform(trace, 420, 520);
		container->load_step = interference_uniform(trace, -.7, .7);
	}
}

/* What it does at @p t without pressure. @return ln load. */
static inline double interference_step(struct interference_trace *trace,
				       struct interference_container *container, int t)
{
	const struct interference_parameters *with = trace->parameters;
	double keep = sqrt(1 - with->noise_memory * with->noise_memory);
	double load = container->swing * sin(2 * M_PI * t / container->period + container->phase);

	container->noise = with->noise_memory * container->noise +
			   keep * with->noise * interference_normal(trace);
	container->rest_noise = .7 * container->rest_noise + .05 * interference_normal(trace);
	container->load_noise = .9 * container->load_noise + .05 * interference_normal(trace);
	load += container->load_noise;
	if (t >= container->load_at)
		load += container->load_step;
	if (container->pattern >= 0 && trace->on[container->pattern][t])
		load += container->pattern_gain;
	return load;
}

/* What others' pressure beyond the usual takes from each. */
static inline void interference_truth(struct interference_trace *trace, int t,
				      const double *pressure)
{
	for (int j = 0; j < trace->containers; j++)
		if (t >= INTERFERENCE_PAST - 220 && t < INTERFERENCE_PAST)
			trace->container[j].usual_pressure += pressure[j] / 220;
	for (int i = 0; i < trace->containers && t >= INTERFERENCE_SAMPLES - INTERFERENCE_BLAMED;
	     i++) {
		struct interference_container *container = &trace->container[i];
		double share = (double)(trace->point[t][i].memory / trace->point[t][i].slots);
		double all = 0;

		for (int j = 0; j < trace->containers; j++) {
			double more =
				j == i ? 0
				       : trace->reach[i][j] *
						 (pressure[j] - trace->container[j].usual_pressure);

			container->lost_to[j] += share * (1 - exp(-container->sensitivity * more));
			all += more;
		}
		if (t >= INTERFERENCE_SAMPLES - INTERFERENCE_JUDGED)
			container->lost += share * (1 - exp(-container->sensitivity * all)) /
					   INTERFERENCE_JUDGED;
	}
}

/* The pressure of all others, as much as reaches container @p i. */
static inline double interference_reaches(const struct interference_trace *trace, int i,
					  const double *pressure)
{
	double sum = 0;

	for (int j = 0; j < trace->containers; j++)
		sum += j == i ? 0 : trace->reach[i][j] * pressure[j];
	return sum;
}

/*
 * ln(M0/R) = c + a ln(load) + noise + step of its input;  ln(F/R) = d + b ln(load) + noise;
 * pressure p = weight * M0 / capacity;  M = M0 exp(sensitivity * sum of others' p that reaches it).
 */
static inline void interference_sample(struct interference_trace *trace, int t)
{
	double memory[INTERFERENCE_CONTAINERS_MAX], rest[INTERFERENCE_CONTAINERS_MAX],
		load[INTERFERENCE_CONTAINERS_MAX], pressure[INTERFERENCE_CONTAINERS_MAX];

	for (int i = 0; i < trace->containers; i++) {
		struct interference_container *container = &trace->container[i];
		load[i] = interference_step(trace, container, t);
		memory[i] = interference_usual_memory(container) *
			    exp(container->memory_slope * load[i] + container->noise +
				(t >= container->input_at) * container->input_step);
		rest[i] = exp(container->rest + container->rest_slope * load[i] +
			      container->rest_noise);
		pressure[i] = container->weight * container->demand * exp(load[i]) * memory[i] /
			      INTERFERENCE_CAPACITY;
	}
	for (int i = 0; i < trace->containers; i++) {
		struct interference_container *container = &trace->container[i];
		struct interference_point *point = &trace->point[t][i];
		double gain = container->sensitivity * interference_reaches(trace, i, pressure);
		double slots = 1 + memory[i] * exp(gain) + rest[i];
		double retired = container->demand * exp(load[i]);

		if (container->saturated_slots > 0)
			retired = container->saturated_slots / slots;
		*point = (struct interference_point){
			.retired = (float)retired,
			.memory = (float)(retired * memory[i] * exp(gain)),
			.slots = (float)(retired * slots),
			.frontend = (float)(retired * rest[i] * .4),
			.cpu = (float)(retired * slots / 1.2e11),
		};
	}
	interference_truth(trace, t, pressure);
}

/* Most stay on one cache, some on two of a node, some run anywhere, and a little elsewhere. */
static inline void interference_place(struct interference_trace *trace, int i)
{
	double where = interference_uniform(trace, 0, 1);
	int first = (int)interference_uniform(trace, 0, INTERFERENCE_CACHES);
	int caches = where < .6	  ? 1
		     : where < .8 ? INTERFERENCE_CACHES / INTERFERENCE_NODES
				  : INTERFERENCE_CACHES;
	double stray = interference_uniform(trace, 0, .1);

	first -= first % caches;
	for (int c = 0; c < INTERFERENCE_CACHES; c++)
		trace->place[i][c] = stray / INTERFERENCE_CACHES +
				     (c >= first && c < first + caches) * (1 - stray) / caches;
}

static inline double interference_overlap(const struct interference_trace *trace,
					  enum interference_shared shared, int i, int j)
{
	const int each = INTERFERENCE_CACHES / INTERFERENCE_NODES;
	double sum = 0;

	for (int a = 0; a < INTERFERENCE_CACHES; a++)
		for (int b = 0; b < INTERFERENCE_CACHES; b++)
			if (shared == SHARE_MACHINE || a == b ||
			    (shared == SHARE_NODE && a / each == b / each))
				sum += trace->place[i][a] * trace->place[j][b];
	return shared == SHARE_MACHINE ? 1 : sum;
}

/* By numbers of their own: the rest of the trace is the same wherever they run. */
static inline void interference_place_all(struct interference_trace *trace,
					  enum interference_shared shared)
{
	uint64_t random = trace->random;

	trace->random = ~random;
	for (int i = 0; i < trace->containers; i++)
		interference_place(trace, i);
	trace->random = random;
	for (int i = 0; i < trace->containers; i++)
		for (int j = 0; j < trace->containers; j++)
			trace->reach[i][j] = interference_overlap(trace, shared, i, j);
}

static inline void interference_make(enum interference_class class, enum interference_shared shared,
				     uint64_t seed, struct interference_trace *trace)
{
	memset(trace, 0, sizeof(*trace));
	trace->parameters = &interference_parameters[class];
	trace->containers = trace->parameters->containers;
	trace->random = seed * STREAMS + class;
	interference_place_all(trace, shared);
	for (int i = 0; i < trace->containers; i++)
		interference_usual(trace, &trace->container[i]);
	interference_cast(trace);
	interference_change(trace);
	for (int t = 0; t < INTERFERENCE_SAMPLES; t++)
		interference_sample(trace, t);
}

/* Did @p suspect most to container @p i? Of two that did nearly the same, either did. */
static inline bool interference_is_first(const struct interference_trace *trace, int i, int suspect)
{
	const struct interference_container *container = &trace->container[i];
	double most = 0;

	for (int j = 0; j < trace->containers; j++)
		most = fmax(most, container->lost_to[j]);
	return container->lost_to[suspect] >= INTERFERENCE_FIRST * most;
}

#endif

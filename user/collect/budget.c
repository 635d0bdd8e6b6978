/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* budget.c - decides what of a measurement is given up for its budget, and when it comes back. */
#include "collect/budget.h"

#define MILLION 1000000

static uint64_t bit(enum ctd_budget_part part)
{
	return UINT64_C(1) << part;
}

void ctd_budget_begin(struct ctd_budget *budget, uint64_t limit_ppm, uint64_t window_ns)
{
	*budget = (struct ctd_budget){
		.state = {.limit_ppm = limit_ppm},
		.window_ns = window_ns ? window_ns : CTD_BUDGET_WINDOW_NS,
		.wait = CTD_BUDGET_WAIT_LEAST,
	};
}

uint64_t ctd_budget_next_ns(const struct ctd_budget *budget)
{
	return budget->state.limit_ppm ? budget->begun_ns + budget->window_ns : UINT64_MAX;
}

static void begin_window(struct ctd_budget *budget, uint64_t now_ns, uint64_t cost_ns)
{
	budget->begun_ns = now_ns;
	budget->begun_cost_ns = cost_ns;
}

void ctd_budget_settle(struct ctd_budget *budget, uint64_t now_ns, uint64_t cost_ns)
{
	begin_window(budget, now_ns, cost_ns);
	budget->settles = true;
	budget->over = budget->room = 0;
}

/* Of the window, without overflow. */
static uint64_t allowed_ns(const struct ctd_budget_state *state)
{
	return state->capacity_ns / MILLION * state->limit_ppm +
	       state->capacity_ns % MILLION * state->limit_ppm / MILLION;
}

static unsigned int at_least(unsigned int least, unsigned int number)
{
	return number > least ? number : least;
}

static void judge(struct ctd_budget *budget)
{
	uint64_t allowed = allowed_ns(&budget->state);
	bool over = budget->state.cost_ns > allowed;

	budget->over = over ? budget->over + 1 : 0;
	budget->within = over ? 0 : budget->within + 1;
	if (budget->state.cost_ns < allowed - allowed / 4)
		budget->room++;
	else
		budget->room -= budget->room < CTD_BUDGET_HIGH_WINDOW ? budget->room
								      : CTD_BUDGET_HIGH_WINDOW;
	if (++budget->quiet == CTD_BUDGET_HOUR) {
		budget->quiet = 0;
		budget->wait = at_least(CTD_BUDGET_WAIT_LEAST, budget->wait / 2);
	}
	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		budget->barred_windows[part] -= budget->barred_windows[part] > 0;
}

static uint64_t barred(const struct ctd_budget *budget)
{
	uint64_t bits = 0;

	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		if (budget->barred_windows[part])
			bits |= bit(part);
	return bits;
}

static void change_part(struct ctd_budget_state *state, enum ctd_budget_part part)
{
	state->given_up ^= bit(part);
	state->changes[part]++;
}

static struct ctd_budget_change give_up(struct ctd_budget *budget,
					const struct ctd_budget_parts *parts)
{
	struct ctd_budget_state *state = &budget->state;
	uint64_t left = parts->measured & ~state->given_up & ~barred(budget);
	uint64_t first = left & ~parts->asked_for ? left & ~parts->asked_for : left;
	enum ctd_budget_part part = 0;

	if (!left) {
		bool was = state->exceeded;

		state->exceeded = 1;
		return (struct ctd_budget_change){was ? CTD_BUDGET_STAY : CTD_BUDGET_EXCEEDED, 0};
	}
	while (!(first & bit(part)))
		part++;
	budget->wait_before = budget->wait;
	budget->quiet_before = budget->quiet;
	/* It had not come back to stay. */
	if (budget->came_back && budget->wait < CTD_BUDGET_WAIT_MOST)
		budget->wait *= 2;
	budget->came_back = false;
	budget->quiet = 0;
	change_part(state, part);
	return (struct ctd_budget_change){CTD_BUDGET_GIVE_UP, part};
}

static struct ctd_budget_change bring_back(struct ctd_budget *budget,
					   const struct ctd_budget_parts *parts)
{
	uint64_t left = budget->state.given_up & ~barred(budget);
	uint64_t first = left & parts->asked_for ? left & parts->asked_for : left;
	enum ctd_budget_part part = CTD_BUDGET_PARTS - 1;

	if (!left)
		return (struct ctd_budget_change){};
	while (!(first & bit(part)))
		part--;
	budget->wait_before = budget->wait;
	budget->quiet_before = budget->quiet;
	budget->came_back = true;
	change_part(&budget->state, part);
	return (struct ctd_budget_change){CTD_BUDGET_BRING_BACK, part};
}

struct ctd_budget_change ctd_budget_look(struct ctd_budget *budget, uint64_t now_ns,
					 uint64_t cost_ns, uint32_t cpus,
					 const struct ctd_budget_parts *parts)
{
	struct ctd_budget_state *state = &budget->state;
	uint64_t spent_ns = cost_ns > budget->begun_cost_ns ? cost_ns - budget->begun_cost_ns : 0;
	uint64_t capacity_ns = (now_ns - budget->begun_ns) * cpus;
	bool settles = budget->settles;

	if (now_ns < ctd_budget_next_ns(budget))
		return (struct ctd_budget_change){};
	begin_window(budget, now_ns, cost_ns);
	budget->settles = false;
	if (settles || !capacity_ns)
		return (struct ctd_budget_change){};
	state->cost_ns = spent_ns;
	state->capacity_ns = capacity_ns;
	judge(budget);
	if (budget->over >= CTD_BUDGET_OVER_WINDOWS)
		return give_up(budget, parts);
	if (state->exceeded && budget->within >= CTD_BUDGET_WAIT_LEAST) {
		state->exceeded = 0;
		return (struct ctd_budget_change){CTD_BUDGET_WITHIN, 0};
	}
	if (budget->room >= budget->wait)
		return bring_back(budget, parts);
	return (struct ctd_budget_change){};
}

void ctd_budget_refuse(struct ctd_budget *budget, const struct ctd_budget_change *change,
		       unsigned int windows)
{
	budget->state.given_up ^= bit(change->part);
	budget->state.changes[change->part]--;
	budget->wait = budget->wait_before;
	budget->quiet = budget->quiet_before;
	budget->came_back = false;
	budget->barred_windows[change->part] = windows;
}

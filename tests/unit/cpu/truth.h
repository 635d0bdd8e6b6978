/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* truth.h - what a core did, and what each event counts of it. */
#ifndef TESTS_UNIT_CPU_TRUTH_H
#define TESTS_UNIT_CPU_TRUTH_H

#include <cgtopdown/cpu.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline double random_part(double whole)
{
	return floor(whole * (double)(random() % 1001) / 1000);
}

/* What a core did, in slots. */
struct truth {
	double cycles, slots, retiring, bad, frontend, backend;
	double contention; /* slots of the other hyper-thread, where they are told apart */
	double heavy, mispredicted, latency, memory; /* parts of these four */
	double dropped, clears; /* what Intel's counters count in the wrong place */
	double wasted; /* the part of bad that was issued */
	double fused; /* instructions that became one operation with another one */
	double alone_ratio; /* the part of the cycles in which the other thread was idle */
	/* Beside the slots. Instructions are less than retired slots by what is heavy. */
	double instructions, branches, misses, time_ns;
};

/* Cores before PERF_METRICS, whose slots are width times cycles. */
static inline bool is_old(const struct ctd_cpu_model *model)
{
	return !strcmp(model->source, "core_events");
}

static inline bool has_node(const struct ctd_cpu_model *model, const char *name)
{
	for (int i = 0; i < model->nodes_count; i++) {
		if (!strcmp(model->nodes[i].name, name))
			return true;
	}
	return false;
}

static inline void make_truth(const struct ctd_cpu_model *model, struct truth *ret_truth)
{
	struct truth truth = {.retiring = (double)(1 + random() % 1000000000),
			      .bad = random_part(1e9),
			      .frontend = random_part(1e9),
			      .backend = random_part(1e9)};

	if (has_node(model, "smt_contention"))
		truth.contention = random_part(1e9);
	truth.slots =
		truth.retiring + truth.bad + truth.frontend + truth.backend + truth.contention;
	/* Where slots are not known, cycles are some other number. */
	truth.cycles = truth.slots / (model->slots_per_cycle ? model->slots_per_cycle : 3);
	truth.heavy = random_part(truth.retiring);
	truth.mispredicted = random_part(truth.bad);
	truth.latency = random_part(truth.frontend);
	truth.memory = random_part(truth.backend);
	truth.dropped = random_part(truth.frontend);
	truth.clears = random_part(truth.backend / 5);
	truth.wasted = random_part(truth.bad);
	truth.fused = random_part(truth.retiring);
	if (is_old(model))
		truth.dropped = 0;
	if (model->smt == CTD_SMT_ON) {
		/* A thread has half of the cycles in which the other one runs. */
		truth.alone_ratio = (double)(random() % 1001) / 1000;
		truth.cycles *= 2 / (1 + truth.alone_ratio);
	}
	truth.instructions = truth.retiring + truth.fused - truth.heavy;
	if (!strcmp(model->name, "kunpeng_920")) /* has no operations beside instructions */
		truth.instructions = truth.retiring;
	truth.branches = truth.mispredicted / 64;
	truth.misses = random_part(1e6);
	truth.time_ns = truth.cycles / 3;
	*ret_truth = truth;
}

/* What an event counts of it: as the vendors say, so that the formulas give the parts back. */
static inline double count_of(const struct ctd_cpu_model *model, const struct truth *truth,
			      const char *event)
{
	bool is_sunny_cove = !strncmp(model->name, "sunny_cove", 10);
	double issued = truth->retiring + truth->wasted;
	const double cycles_per_tick = 32; /* of the reference clock; any number will do */
	/* Arm: half of bad speculation is operations that do not retire, the rest is in stalls: of
	 * the front end, or three quarters of it of the back end. */
	bool is_split =
		!strcmp(model->name, "neoverse_v2") || !strncmp(model->name, "neoverse_n2", 11);
	double hidden_in_backend = is_split ? truth->bad * 3 / 8 : 0;
	double hidden_in_frontend = truth->bad / 2 - hidden_in_backend;
	/* Those that count what was issued in vain as a whole; stalls are then without it. */
	bool is_issued =
		!strncmp(model->name, "ampereone", 9) || !strcmp(model->name, "kunpeng_920");
	double one_a_cycle = !strcmp(model->name, "neoverse_n2_r0p0") ? truth->cycles : 0;
	double width = truth->slots / truth->cycles;
	const struct {
		const char *event;
		double count;
	} counts[] = {
		{"slots", truth->slots},
		{"topdown-retiring", truth->retiring},
		{"topdown-bad-spec", truth->bad},
		{"topdown-fe-bound", truth->frontend},
		{"topdown-be-bound", truth->backend},
		{"topdown-heavy-ops", truth->heavy},
		{"topdown-br-mispredict", truth->mispredicted},
		{"topdown-fetch-lat", truth->latency},
		{"topdown-mem-bound", truth->memory},

		{"uops_retired.slots", truth->retiring},
		{"idq_uops_not_delivered.core", truth->frontend + truth->dropped},
		{"int_misc.uop_dropping", truth->dropped},
		{"int_misc.clears_count", truth->clears},
		{"topdown.backend_bound_slots",
		 truth->backend - (is_sunny_cove ? 5 * truth->clears : 0)},
		{"uops_retired.heavy", truth->heavy},
		{"topdown.br_mispredict_slots", truth->mispredicted},
		{"idq_uops_not_delivered.cycles_0_uops_deliv.core",
		 (truth->latency + truth->dropped) / model->slots_per_cycle},
		{"topdown.memory_bound_slots", truth->memory},

		{"cpu_clk_unhalted.thread", truth->cycles},
		{"cpu_clk_unhalted.ref_xclk", truth->cycles / cycles_per_tick},
		{"cpu_clk_unhalted.one_thread_active",
		 truth->alone_ratio * truth->cycles / cycles_per_tick},
		{"uops_issued.any", issued},
		{"uops_retired.retire_slots", truth->retiring},
		{"uops_retired.macro_fused", truth->fused},
		{"inst_retired.any", truth->instructions},
		{"int_misc.recovery_cycles", (truth->bad - truth->wasted) / 4},
		{"idq.ms_uops", truth->heavy * issued / truth->retiring},
		{"cpu_clk_unhalted.core", truth->cycles},
		{"topdown_fe_bound.all", truth->frontend},
		{"topdown_fe_bound.all_p", truth->frontend},
		{"topdown_fe_bound.frontend_latency", truth->latency},
		{"topdown_be_bound.all", truth->backend},
		{"topdown_be_bound.all_p", truth->backend},
		{"topdown_be_bound.alloc_restrictions", truth->backend - truth->memory},
		{"topdown_retiring.all", truth->retiring},
		{"topdown_retiring.all_p", truth->retiring},
		{"topdown_bad_speculation.all_p", truth->bad},
		{"topdown_bad_speculation.mispredict", truth->mispredicted},
		{"topdown_bad_speculation.machine_clears", truth->bad - truth->mispredicted},

		/* Flushes cost 64 slots each, whatever their cause; a stalled cycle costs 8. */
		{"br_misp_retired.all_branches", truth->branches},
		{"longest_lat_cache.miss", truth->misses},
		{"machine_clears.count", (truth->bad - truth->mispredicted) / 64},
		{"ls_not_halted_cyc", truth->cycles},
		{"de_no_dispatch_per_slot.no_ops_from_frontend", truth->frontend},
		{"de_no_dispatch_per_slot.no_ops_from_frontend.cmask_6", truth->latency / 6},
		{"de_no_dispatch_per_slot.no_ops_from_frontend.cmask_8", truth->latency / 8},
		{"de_no_dispatch_per_slot.backend_stalls", truth->backend},
		{"de_no_dispatch_per_slot.smt_contention", truth->contention},
		{"de_src_op_disp.all", truth->retiring + truth->bad},
		{"ex_ret_ops", truth->retiring},
		{"ex_ret_ucode_ops", truth->heavy},
		{"ex_ret_instr", truth->instructions},
		{"ex_ret_brn_misp", truth->branches},
		{"l2_cache_req_stat.ic_dc_miss_in_l2", truth->misses},
		{"resyncs_or_nc_redirects", (truth->bad - truth->mispredicted) / 64},
		{"bp_redirects.resync", (truth->bad - truth->mispredicted) / 64},
		{"bp_fe_redir.resync", (truth->bad - truth->mispredicted) / 64},
		{"ex_no_retire.not_complete", truth->backend / 8},
		{"ex_no_retire.load_not_complete", truth->memory / 8},
		{"cpu_cycles", truth->cycles},
		{"inst_retired", truth->instructions},
		{"br_mis_pred_retired", truth->branches},
		{"l2d_cache_refill", truth->misses},
		{"stall_slot", truth->frontend + truth->backend + truth->bad / 2 + one_a_cycle},
		{"stall_slot_frontend",
		 truth->frontend + (is_issued ? truth->dropped : hidden_in_frontend + one_a_cycle)},
		{"stall_slot_backend", truth->backend + hidden_in_backend},
		{"op_retired", truth->retiring},
		{"op_spec", truth->retiring + truth->bad / (is_issued ? 1 : 2)},
		{"inst_spec", truth->retiring + truth->bad},
		{"fetch_bubble", truth->frontend},
		{"gpc_flush", truth->bad / 64},
		{"stall_backend_cache", truth->memory / 3 / width},
		{"stall_backend_tlb", truth->memory * 2 / 3 / width},
		{"cpu_slot", truth->slots},
		{"stall_slot_frontend_without_mispred", truth->frontend},
		{"br_mis_pred", truth->bad / 2 / (4 * width)},
		{"stall_frontend_flush", truth->bad / 2 / width},
		{"stall_frontend",
		 (is_issued ? truth->latency + truth->dropped : truth->frontend) / width},
		{"stall_backend", truth->backend / width},
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		if (!strcmp(counts[i].event, event))
			return counts[i].count;
	}
	fail_msg("%s: no count of %s", model->name, event);
	return NAN;
}

#endif

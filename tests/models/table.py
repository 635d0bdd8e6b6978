# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# table.py - which vendors' files a model is held against, and where it differs for a reason.

# Which files a model is held against: all of those that are in the folder, and each that is not is a
# test that was skipped. What Linux' map says of the ids that a model claims must be in its line.
#   ("linux", CPU[, PMU])    tools/perf/pmu-events/arch/x86/CPU
#   ("linux-arm", CPU)       tools/perf/pmu-events/arch/arm64, below it
#   ("perfmon", CPU, CORE)   intel/perfmon, CPU/metrics and CPU/events; "_CORE" as in their names
#   ("arm", FILE)            telemetry-solution, FILE.json
SUNNY_COVE = [
    ("linux", "icelakex"),
    ("linux", "icelake"),
    ("linux", "tigerlake"),
    ("linux", "rocketlake"),
    ("perfmon", "ICX", ""),
    ("perfmon", "ICL", ""),
    ("perfmon", "TGL", ""),
    ("perfmon", "RKL", ""),
]
GOLDEN_COVE = [
    ("linux", "sapphirerapids"),
    ("linux", "emeraldrapids"),
    ("linux", "graniterapids"),
    ("linux", "alderlake", "cpu_core"),
    ("linux", "meteorlake", "cpu_core"),
    ("perfmon", "SPR", ""),
    ("perfmon", "EMR", ""),
    ("perfmon", "GNR", ""),
    ("perfmon", "ADL", "_goldencove_core"),
    ("perfmon", "MTL", "_redwoodcove_core"),
]
SKYLAKE = [
    ("linux", "skylakex"),
    ("linux", "cascadelakex"),
    ("linux", "skylake"),
    ("perfmon", "SKX", ""),
    ("perfmon", "CLX", ""),
    ("perfmon", "SKL", ""),
]
BROADWELL = [
    ("linux", "broadwellx"),
    ("linux", "broadwell"),
    ("linux", "broadwellde"),
    ("perfmon", "BDX", ""),
    ("perfmon", "BDW", ""),
    ("perfmon", "BDW-DE", ""),
]
HASWELL = [
    ("linux", "haswellx"),
    ("linux", "haswell"),
    ("perfmon", "HSX", ""),
    ("perfmon", "HSW", ""),
]
IVY_BRIDGE = [
    ("linux", "ivybridge"),
    ("linux", "ivytown"),
    ("perfmon", "IVB", ""),
    ("perfmon", "IVT", ""),
]
SANDY_BRIDGE = [
    ("linux", "sandybridge"),
    ("linux", "jaketown"),
    ("perfmon", "SNB", ""),
    ("perfmon", "JKT", ""),
]
FILES = {
    "sim": [],  # no hardware, so that no vendor has a say
    "sunny_cove": SUNNY_COVE,
    "sunny_cove_gp": SUNNY_COVE,
    "golden_cove": GOLDEN_COVE,
    "golden_cove_gp": GOLDEN_COVE,
    "lion_cove": [
        ("linux", "lunarlake", "cpu_core"),
        ("linux", "arrowlake", "cpu_core"),
        ("perfmon", "LNL", "_lioncove_core"),
        ("perfmon", "ARL", "_lioncove_core"),
    ],
    "cougar_cove": [
        ("linux", "pantherlake", "cpu_core"),
        ("perfmon", "PTL", "_cougarcove_core"),
    ],
    "skylake": SKYLAKE,
    "skylake_smt": SKYLAKE,
    "broadwell": BROADWELL,
    "haswell": HASWELL,
    "ivy_bridge": IVY_BRIDGE,
    "sandy_bridge": SANDY_BRIDGE,
    "sandy_bridge_smt": SANDY_BRIDGE + IVY_BRIDGE + HASWELL + BROADWELL,
    "gracemont": [
        ("linux", "alderlake", "cpu_atom"),
        ("linux", "alderlaken"),
        ("perfmon", "ADL", "_gracemont_core"),
    ],
    "crestmont": [
        ("linux", "sierraforest"),
        ("linux", "grandridge"),
        ("linux", "meteorlake", "cpu_atom"),
        ("linux", "arrowlake", "cpu_lowpower"),
        ("perfmon", "SRF", ""),
        ("perfmon", "GRR", ""),
        ("perfmon", "MTL", "_crestmont_core"),
        ("perfmon", "ARL", "_crestmont_core"),
    ],
    "skymont": [
        ("linux", "lunarlake", "cpu_atom"),
        ("linux", "arrowlake", "cpu_atom"),
        ("perfmon", "LNL", "_skymont_core"),
        ("perfmon", "ARL", "_skymont_core"),
    ],
    "darkmont": [
        ("linux", "clearwaterforest"),
        ("linux", "pantherlake", "cpu_atom"),
        ("perfmon", "CWF", ""),
        ("perfmon", "PTL", "_darkmont_core"),
    ],
    "zen4": [("linux", "amdzen4")],
    "zen5": [("linux", "amdzen5")],
    "zen6": [("linux", "amdzen6")],
    "ampereone": [("linux-arm", "ampereone")],
    "ampereonex": [("linux-arm", "ampereonex")],
    "olympus": [("linux-arm", "t410")],
    "kunpeng_920": [("linux-arm", "hip08")],
    "neoverse_n1": [("arm", "neoverse-n1")],
    "neoverse_n2_r0p0": [("arm", "neoverse-n2")],
    "neoverse_n2": [("arm", "neoverse-n2-r0p3")],
    "neoverse_n3": [("arm", "neoverse-n3")],
    "neoverse_v1": [("arm", "neoverse-v1")],
    "neoverse_v2": [("arm", "neoverse-v2")],
    "neoverse_v3": [("arm", "neoverse-v3")],
}

# (vendor, family, first and last model, CPU of Linux' map, why): whose it is there, and must not be
# ours; or ours, and not there.
OF_KERNEL = "the kernel (arch/x86/kernel/cpu/amd.c) does not know it as such"
IDS_DIFFERENT = [
    ("AuthenticAMD", 25, 0x30, 0x3F, "amdzen4", "the kernel has these as Zen 3"),
    ("AuthenticAMD", 25, 0xB0, 0xFF, "amdzen4", OF_KERNEL),
    ("AuthenticAMD", 26, 0x30, 0x3F, "amdzen6", OF_KERNEL),
    ("AuthenticAMD", 26, 0xB0, 0xBF, "amdzen6", OF_KERNEL),
    ("AuthenticAMD", 26, 0xD0, 0xD7, "amdzen6", "the kernel has these as Zen 5"),
    ("AuthenticAMD", 26, 0xF0, 0xFF, "amdzen6", OF_KERNEL),
]

# What the maps of Linux and of Arm call the cores.
ARM_CORES = {
    "ampereone": {"ampereone"},
    "ampereonex": {"ampereonex"},
    "olympus": {"t410"},
    "kunpeng_920": {"hip08"},
    "neoverse_n1": {"neoverse-n1"},
    "neoverse_n2_r0p0": {"neoverse-n2", "neoverse-n2-v2"},
    "neoverse_n2": {"neoverse-n2", "neoverse-n2-v2"},
    "neoverse_n3": {"neoverse-n3"},
    "neoverse_v1": {"neoverse-v1"},
    "neoverse_v2": {"neoverse-v2", "neoverse-n2-v2"},
    "neoverse_v3": {"neoverse-v3"},
}

# Files of other PMUs than the core's, of which a copy of the folder may have none: metrics over them.
OTHER_PMU_FILES = {
    "amdzen4": ["data-fabric.json", "memory-controller.json"],
    "amdzen5": ["data-fabric.json", "l3-cache.json", "memory-controller.json"],
    "amdzen6": ["data-fabric.json", "l3-cache.json", "memory-controller.json"],
}

# Files of metrics that have no top-down tree: events and ids only.
WITHOUT_TREE = {"linux clearwaterforest", "linux pantherlake cpu_core", "linux pantherlake cpu_atom"}

# A node's name: what vendors call it, if neither that nor "tma_" before it.
NODE_NAMES = {
    "fetch_latency": (
        "frontend_bound_latency",
        "frontend_bound_by_latency",
        "tma_ifetch_latency",
        "ifetch_latency",
        "frontend_latency",
    ),
    "fetch_bandwidth": (
        "frontend_bound_bandwidth",
        "frontend_bound_by_bandwidth",
        "tma_ifetch_bandwidth",
        "ifetch_bandwidth",
        "frontend_bandwidth",
    ),
    "retiring": ("retired_fraction",),
    "bad_speculation": ("slots_lost_misspeculation_fraction",),
    "branch_mispredicts": (
        "branch_mispredict",
        "bad_speculation_mispredicts",
        "bad_speculation_from_mispredicts",
    ),
    "machine_clears": (
        "bad_speculation_pipeline_restarts",
        "bad_speculation_from_pipeline_restarts",
        "other_miss_pred",
    ),
    "memory_bound": ("backend_memory", "backend_bound_memory", "backend_bound_by_memory"),
    "core_bound": ("backend_core", "backend_bound_cpu", "backend_bound_by_cpu"),
    "light_operations": ("retiring_fastpath", "retiring_from_fastpath"),
    "heavy_operations": ("retiring_microcode", "retiring_from_microcode"),
    "ipc": ("tma_info_thread_ipc", "info_thread_ipc", "tma_info_core_ipc", "info_core_ipc"),
    "cpi": ("tma_info_thread_cpi", "info_thread_cpi", "tma_info_core_cpi", "info_core_cpi"),
    "l2_mpki": ("l2_cache_mpki",),
}

# General metrics that not every vendor has a formula of: why ours is another, or none is held against
# it. Where a vendor has one of the name, it must agree; the codes of events must in any case.
OWN = {
    "ipc": "AMD and Intel, of some cores, have none",
    "cpi": "as ipc",
    "ghz": "vendors take it from the time-stamp counter's ticks, ours is from the time of the slices",
    "branch_mpki": "Arm has it; of the others there are shares of the branches only",
    "llc_mpki": "Intel's is of retired loads, without code, stores and prefetches",
    "l2_mpki": "Arm has it; AMD's adds the L2's own prefetches, which take two counters more",
}

# An event of ours: the vendors' events that count the same, on another counter or by another name.
SAME_COUNTS = {
    "slots": ("topdown.slots", "topdown.slots_p"),
    "cpu-cycles": (
        "cpu_clk_unhalted.thread",
        "cpu_clk_unhalted.thread_p",
        "cpu_clk_unhalted.core",
        "cpu_clk_unhalted.core_p",
        "ls_not_halted_cyc",
        "cpu_cycles",
    ),
    "instructions": ("inst_retired.any", "inst_retired.any_p", "ex_ret_instr", "inst_retired"),
    "cpu_clk_unhalted.thread": ("cpu_clk_unhalted.thread_p",),
    "cpu_clk_unhalted.core": ("cpu_clk_unhalted.core_p", "cpu_clk_unhalted.thread"),
    "cpu_clk_unhalted.thread_p": ("cpu_clk_unhalted.thread",),
    "cpu_clk_unhalted.core_p": ("cpu_clk_unhalted.core",),
    # E-cores have each of these in a fixed and in a general-purpose counter.
    "topdown_fe_bound.all": ("topdown_fe_bound.all_p",),
    "topdown_fe_bound.all_p": ("topdown_fe_bound.all",),
    "topdown_retiring.all": ("topdown_retiring.all_p",),
    "topdown_retiring.all_p": ("topdown_retiring.all",),
    "topdown_bad_speculation.all": ("topdown_bad_speculation.all_p",),
    "topdown_bad_speculation.all_p": ("topdown_bad_speculation.all",),
    "topdown_be_bound.all_p": ("topdown_be_bound.all",),
    "topdown_be_bound.all": ("topdown_be_bound.all_p",),
}

# Vendors' codes of fixed counters: those of the same event that the kernel puts there by itself
# (FIXED_EVENT_CONSTRAINT in arch/x86/events/intel/core.c).
FIXED_CODES = {0x100: 0xC0, 0x200: 0x3C, 0x200200: 0x20003C}

# (larger, smaller): so it is on every machine. Formulas that keep a difference of these from
# falling below 0 are those that do not.
AT_MOST = [
    ("uops_issued.any", "uops_retired.retire_slots"),
    ("uops_retired.retire_slots", "inst_retired.any"),
    ("op_spec", "op_retired"),
    ("inst_spec", "inst_retired"),
    ("cpu_clk_unhalted.thread", "idq_uops_not_delivered.cycles_0_uops_deliv.core"),
    ("topdown_fe_bound.all", "topdown_fe_bound.frontend_latency"),
    ("topdown_fe_bound.all_p", "topdown_fe_bound.frontend_latency"),
]

# Where a formula of ours is deliberately another one: (source, vendor's event, what it is for us,
# in our events, why). The vendor's formula must then give what ours gives, node by node.
GP_PART = "the same part of the slots, counted by a general-purpose counter"
REPLACED = [
    (
        "perf_metrics",
        "int_misc.uop_dropping",
        "0",
        "the correction takes a general-purpose counter, which the group leaves to others",
    ),
    (
        "perf_metrics",
        "int_misc.clears_count",
        "0",
        "the correction takes a general-purpose counter, which the group leaves to others",
    ),
    ("gp_slots", "topdown-retiring", "uops_retired.slots", GP_PART),
    ("gp_slots", "topdown-fe-bound", "idq_uops_not_delivered.core", GP_PART),
    ("gp_slots", "topdown-be-bound", "topdown.backend_bound_slots", GP_PART),
    (
        "gp_slots",
        "topdown-bad-spec",
        "slots - uops_retired.slots - idq_uops_not_delivered.core - topdown.backend_bound_slots",
        "no general-purpose counter has it, so that it is what remains",
    ),
    ("gp_slots", "topdown-heavy-ops", "uops_retired.heavy", GP_PART),
    ("gp_slots", "topdown-br-mispredict", "topdown.br_mispredict_slots", GP_PART),
    (
        "gp_slots",
        "topdown-fetch-lat",
        "6 * idq_uops_not_delivered.cycles_0_uops_deliv.core",
        "the cycles in which nothing arrived, all six slots of each",
    ),
    ("gp_slots", "topdown-mem-bound", "topdown.memory_bound_slots", GP_PART),
    (
        "core_events",
        "cpu_clk_unhalted.thread_any",
        "cpu_clk_unhalted.thread"
        " * (1 + cpu_clk_unhalted.one_thread_active / cpu_clk_unhalted.ref_xclk)",
        "counts of one thread of a core: as in perf's formula where #core_wide is 0",
    ),
    (
        "atom",
        "topdown_fe_bound.frontend_bandwidth",
        "topdown_fe_bound.all - topdown_fe_bound.frontend_latency",
        "what remains of the front end's slots, which saves a counter",
    ),
]

# (model, node or event or threshold, file, why): it differs there, and must, or the line is to go.
DIFFERENT = [
    (
        "olympus",
        "l2_mpki",
        "linux-arm t410",
        "the vendor's is of demand misses, which take two counters more",
    ),
]

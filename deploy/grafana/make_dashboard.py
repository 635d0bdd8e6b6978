#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make_dashboard.py - writes the Grafana dashboard from the list of its panels.
#
# usage: deploy/grafana/make_dashboard.py > deploy/helm/cgtopdown/files/dashboard.json
#
# The file in the chart is what this prints; tests/check/deploy compares them. Expressions use the rate interval of
# Grafana, so that any scrape interval will do. Slots of different kinds of cores are never added up: `core` is kept.
# What is of all nodes is by the recording rules of deploy/prometheus/rules.yaml, and every panel has a bounded number of
# series however many nodes and containers there are: tests/deploy/unbounded.py looks at that.
import json

SOURCE = {"type": "prometheus", "uid": "${datasource}"}
COLOURS = {
    "retiring": "green", "bad_speculation": "orange", "frontend_bound": "blue", "backend_bound": "red",
    "smt_contention": "purple",
    "light_operations": "green", "heavy_operations": "semi-dark-green",
    "branch_mispredicts": "orange", "machine_clears": "dark-orange",
    "fetch_latency": "blue", "fetch_bandwidth": "light-blue",
    "memory_bound": "red", "core_bound": "light-red",
}
CLUSTER = 'cluster=~"$cluster"'
NODE = CLUSTER + ',instance=~"$instance"'
POD = NODE + ',kind="container",namespace=~"$namespace",pod=~"$pod",container=~"$container"'
# Recorded for workloads, which are of no node.
SPACE = CLUSTER + ',namespace=~"$namespace"'
WORKLOAD = SPACE + ',workload=~"$workload"'
LOST = 'category!~"retiring|light_operations|heavy_operations"'


def share_of_level_1(labels):
    """The part of each category in the slots of what `labels` choose, by what was scraped."""
    return (f"sum by (core, category) (rate(cgtopdown_slots_total{{{labels}}}[$__rate_interval]))"
            f" / ignoring (category) group_left () sum by (core) (rate(cgtopdown_pipeline_slots_total{{{labels}}}[$__rate_interval]))")


def share_of_level_2(labels):
    """The same of level 2, without containers and nodes of which it is not counted, or is given up: these have no part of it."""
    slots = f"rate(cgtopdown_l2_slots_total{{{labels}}}[$__rate_interval])"
    whole = f"rate(cgtopdown_pipeline_slots_total{{{labels}}}[$__rate_interval])"
    kept = "unless on (cluster, instance) cgtopdown:node:l2_given_up_5m"
    return (f"sum by (core, category) ({slots} {kept})"
            f" / ignoring (category) group_left () sum by (core)"
            f" ({whole} and on (cluster, instance, namespace, pod, container, core) {slots} {kept})")


def recorded_share(slots, whole, labels):
    """The same of all that `labels` choose together, by recording rules."""
    return (f"sum by (core, category) ({slots}{{{labels}}})"
            f" / ignoring (category) group_left () sum by (core) ({whole}{{{labels}}})")


def top(count, series):
    """The recorded series that are largest over the whole time shown: as many at each moment, and the same ones."""
    return f"{series} and topk({count}, avg_over_time({series}[$__range] @ end()))"


class Board:
    def __init__(self):
        self.panels, self.x, self.y, self.row_height = [], 0, 0, 0

    def row(self, title):
        self.y += self.row_height
        self.x = self.row_height = 0
        self.place({"type": "row", "title": title, "collapsed": False, "panels": []}, 24, 1)

    def place(self, panel, width, height):
        if self.x + width > 24:
            self.y += self.row_height
            self.x = self.row_height = 0
        panel["id"] = len(self.panels) + 1
        panel["gridPos"] = {"x": self.x, "y": self.y, "w": width, "h": height}
        self.x += width
        self.row_height = max(self.row_height, height)
        self.panels.append(panel)

    def add(self, kind, title, help_text, queries, width, height, unit="percentunit", **more):
        targets = [
            {"refId": chr(ord("A") + i), "datasource": SOURCE, "expr": query, "legendFormat": legend,
             **({"format": "table", "instant": True} if kind == "table" else {})}
            for i, (query, legend) in enumerate(queries)
        ]
        defaults = {"unit": unit, "custom": more.pop("custom", {})}
        defaults.update(more.pop("defaults", {}))
        self.place({
            "type": kind, "title": title, "description": help_text, "datasource": SOURCE, "targets": targets,
            "fieldConfig": {"defaults": defaults, "overrides": more.pop("overrides", [])},
            "options": more.pop("options", {}), **more,
        }, width, height)

    def series(self, title, help_text, queries, width=12, height=9, stacked=False, unit="percentunit", defaults=None):
        custom = {"lineWidth": 1, "fillOpacity": 70 if stacked else 10, "showPoints": "never"}
        if stacked:
            custom["stacking"] = {"mode": "normal", "group": "A"}
        self.add("timeseries", title, help_text, queries, width, height, unit, custom=custom,
                 defaults=defaults or {"min": 0},
                 overrides=[{"matcher": {"id": "byRegexp", "options": f"^{name}( .*)?$"},
                             "properties": [{"id": "color", "value": {"mode": "fixed", "fixedColor": colour}}]}
                            for name, colour in COLOURS.items()] if stacked else [],
                 options={"legend": {"displayMode": "table", "placement": "right", "calcs": ["mean", "lastNotNull"]},
                          "tooltip": {"mode": "multi", "sort": "desc"}})

    def stat(self, title, help_text, query, width=4, unit="short", thresholds=(("green", None),), legend="",
             mappings=()):
        self.add("stat", title, help_text, [(query, legend)], width, 4, unit,
                 defaults={"thresholds": {"mode": "absolute",
                                          "steps": [{"color": c, "value": v} for c, v in thresholds]},
                           "mappings": list(mappings)},
                 options={"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "value",
                          "textMode": "name" if legend else "auto"})


def columns(board, title, help_text, of, whole, slots, cpus):
    """A table of the fifty that use most CPU, with their shares: each query is cut to the same fifty."""
    names = ["retiring", "bad_speculation", "frontend_bound", "backend_bound"]
    titles = ["Retiring", "Bad speculation", "Front-end bound", "Back-end bound"]
    fifty = f"topk(50, sum by ({of}) ({cpus}))"
    queries = [(fifty, "")]
    queries += [(f"sum by ({of}) ({slots % name}) / sum by ({of}) ({whole}) and on ({of}) {fifty}", "") for name in names]
    board.add(
        "table", title, help_text, queries, 24, 12,
        transformations=[
            {"id": "merge", "options": {}},
            {"id": "organize", "options": {"excludeByName": {"Time": True}, "renameByName": {
                "Value #A": "CPUs", **{f"Value #{chr(ord('B') + i)}": title for i, title in enumerate(titles)}}}}],
        overrides=[{"matcher": {"id": "byName", "options": "CPUs"},
                    "properties": [{"id": "unit", "value": "short"}, {"id": "decimals", "value": 2}]}] +
        [{"matcher": {"id": "byName", "options": title},
          "properties": [{"id": "custom.cellOptions", "value": {"type": "gauge", "mode": "basic"}},
                         {"id": "min", "value": 0}, {"id": "max", "value": 1},
                         {"id": "color", "value": {"mode": "fixed", "fixedColor": COLOURS[name]}}]}
         for name, title in zip(names, titles)],
        options={"sortBy": [{"displayName": "CPUs", "desc": True}]})


def levels(board, what, first, second, second_what=""):
    board.series("Level 1", f"Shares of the slots of {what}. Retiring did work that counts; the others are lost.",
                 [(first, "{{category}} {{core}}")], stacked=True, defaults={"min": 0, "max": 1})
    board.series("Level 2", "Each part of level 1 divided once more, where the processor can tell." + second_what,
                 [(second, "{{category}} {{core}}")], stacked=True, defaults={"min": 0, "max": 1})


def fill_cluster(board):
    board.row("Cluster")
    board.stat("Collectors", "Nodes that tell figures.", f"count(cgtopdown_build_info{{{NODE}}})")
    board.stat("State of the counters", "Nodes by state. Anything but live: figures are missing, scaled up or not to be relied on.",
               f"count by (state) (cgtopdown_pmu_state{{{NODE}}} == 1)", legend="{{state}}")
    board.stat("Source", "Where the counts come from. sim: they are made up.",
               f"count by (source) (cgtopdown_source_info{{{NODE}}})", legend="{{source}}")
    board.stat("Cost in the kernel", "Part of all CPU time that accounting takes, by the program's own sampling.",
               f"sum(rate(cgtopdown_bpf_run_seconds_total{{{NODE}}}[$__rate_interval])) / sum(cgtopdown_cpus_online{{{NODE}}})",
               unit="percentunit", thresholds=(("green", None), ("orange", 0.01), ("red", 0.02)))
    board.stat("Unattributed, worst node", "Part of a node's slots that belong to nobody: a reading failed or a switch was lost.",
               f"max(cgtopdown:node:unattributed_share_10m{{{NODE}}})",
               unit="percentunit", thresholds=(("green", None), ("orange", 0.01), ("red", 0.05)))
    board.stat("Defects and simulations", "Nodes whose counts do not add up, or whose figures are made up (source sim): 0 is right.",
               f"count((cgtopdown_residual_slots{{{NODE}}} != 0) or (cgtopdown_simulated{{{NODE}}} == 1)) or vector(0)",
               thresholds=(("green", None), ("red", 1)))
    levels(board, "the chosen nodes, idle ones aside",
           recorded_share("cgtopdown:node_category:slots_5m", "cgtopdown:node:pipeline_slots_5m", NODE),
           recorded_share("cgtopdown:workload_l2_category:slots_5m", "cgtopdown:workload_l2:pipeline_slots_5m", SPACE),
           " Of the workloads in the chosen namespaces, on whatever nodes they are: it is recorded for workloads alone.")
    lost = f"(cgtopdown:workload_category:slots_5m{{{SPACE},{LOST}}})"
    board.series("Workloads by lost slots", "The fifteen that lose most. Slots per second that did no work that counts.",
                 [(f"topk(15, sum by (cluster, namespace, workload, core) {lost})",
                   "{{namespace}}/{{workload}} {{core}}")], unit="short")
    board.series("Namespaces by lost slots", "The fifteen that lose most. Slots per second.",
                 [(f"topk(15, sum by (cluster, namespace, core) {lost})", "{{namespace}} {{core}}")], unit="short")
    for category, title in (("backend_bound", "Back-end bound"), ("frontend_bound", "Front-end bound")):
        board.add("status-history", f"Nodes: {title.lower()}", "The forty nodes with the largest share over the time shown.",
                  [(top(40, f'cgtopdown:node_category:share_5m{{{NODE},category="{category}"}}'), "{{instance}} {{core}}")],
                  12, 12, custom={"fillOpacity": 90, "lineWidth": 0},
                  defaults={"min": 0, "max": 1, "decimals": 0, "color": {"mode": "continuous-GrYlRd"}},
                  options={"showValue": "never", "rowHeight": 0.95, "legend": {"showLegend": False}})
    columns(board, "Workloads by CPU", "The fifty that use most CPU, with the shares of their slots.",
            "cluster, namespace, workload_kind, workload, core", f"cgtopdown:workload:pipeline_slots_5m{{{SPACE}}}",
            f'cgtopdown:workload_category:slots_5m{{{SPACE},category="%s"}}', f"cgtopdown:workload:cpus_5m{{{SPACE}}}")


def fill_workload(board):
    board.row("Workload $workload in $namespace, over all nodes")
    levels(board, "all containers of the workload",
           recorded_share("cgtopdown:workload_category:slots_5m", "cgtopdown:workload:pipeline_slots_5m", WORKLOAD),
           recorded_share("cgtopdown:workload_l2_category:slots_5m", "cgtopdown:workload_l2:pipeline_slots_5m", WORKLOAD))
    rows = f'{SPACE},instance=~"$instance",kind="container"'
    whose = f"and on (cluster, instance, namespace, pod, container) cgtopdown:container:workload{{{WORKLOAD}}}"
    whole = f"sum by (instance, core) (rate(cgtopdown_pipeline_slots_total{{{rows}}}[$__rate_interval]) {whose})"
    for category, title in (("backend_bound", "Back-end bound"), ("frontend_bound", "Front-end bound")):
        slots = f'rate(cgtopdown_slots_total{{{rows},category="{category}"}}[$__rate_interval])'
        board.series(f"{title} by node", "The twenty nodes with the largest share. One that stands out has a neighbour.",
                     [(f"topk(20, sum by (instance, core) ({slots} {whose}) / {whole})", "{{instance}} {{core}}")],
                     width=8, defaults={"min": 0, "max": 1})
    board.series("CPUs by node", "The twenty nodes on which it uses most. CPU seconds per second.",
                 [(f"topk(20, sum by (instance, core) (rate(cgtopdown_cpu_seconds_total{{{rows}}}[$__rate_interval]) {whose}))",
                   "{{instance}} {{core}}")], width=8, unit="short")


def fill_containers(board):
    board.row("Containers: $namespace / $pod / $container on $instance")
    of = "namespace, pod, container"
    levels(board, "all chosen containers together", share_of_level_1(POD), share_of_level_2(POD))
    board.series("CPUs used", "The twenty that use most. CPU seconds per second.",
                 [(f"topk(20, sum by ({of}, core) (rate(cgtopdown_cpu_seconds_total{{{POD}}}[$__rate_interval])))",
                   "{{pod}}/{{container}} {{core}}")], width=8, unit="short")
    board.series("CPUs used, by kind", "Of the chosen nodes. CPU seconds per second.",
                 [(f'sum by (kind) (rate(cgtopdown_cpu_seconds_total{{{NODE},kind!="idle"}}[$__rate_interval]))', "{{kind}}")],
                 width=8, stacked=True, unit="short")
    board.series("Counted", "Part of the CPU time in which counters counted, the twenty lowest: below 1, slots are of that part alone.",
                 [(f"bottomk(20, sum by ({of}, core) (rate(cgtopdown_pmu_running_seconds_total{{{POD}}}[$__rate_interval]))"
                   f" / sum by ({of}, core) (rate(cgtopdown_pmu_enabled_seconds_total{{{POD}}}[$__rate_interval])))",
                   "{{pod}}/{{container}} {{core}}")], width=8, defaults={"min": 0, "max": 1})
    columns(board, "Containers by CPU", "The fifty that use most CPU, with the shares of their slots.",
            "namespace, pod, container, core", f"rate(cgtopdown_pipeline_slots_total{{{POD}}}[$__rate_interval])",
            f'rate(cgtopdown_slots_total{{{POD},category="%s"}}[$__rate_interval])',
            f"rate(cgtopdown_cpu_seconds_total{{{POD}}}[$__rate_interval])")


def fill_neighbours(board):
    board.row("Neighbours: $namespace / $pod / $container on $instance")
    victim = f'{NODE},victim_namespace=~"$namespace|",victim_pod=~"$pod|",victim_container=~"$container|"'
    board.add("table", "Slowed down now", "With serve --neighbours: containers that others slow down, or that do so themselves, at most fifty.",
              [(f"topk(50, cgtopdown_interference_info{{{victim}}})", "")], 24, 8, unit="short",
              transformations=[{"id": "organize", "options": {
                  "excludeByName": {name: True for name in ("Time", "Value", "__name__", "job", "cluster")},
                  "renameByName": {"instance": "node"}}}])
    board.series("Waited for a CPU, by what had it", "Of all chosen containers together: CPUs that their tasks waited for.",
                 [(f"sum by (cause) (rate(cgtopdown_wait_seconds_total{{{POD}}}[$__rate_interval]))", "{{cause}}")],
                 width=8, stacked=True, unit="short")
    board.series("Workloads that wait behind others", "The fifteen with the largest part of the time that they would have run.",
                 [(f"topk(15, cgtopdown:workload:waited_share_5m{{{SPACE}}})", "{{namespace}}/{{workload}}/{{container}}")],
                 width=8, defaults={"min": 0, "max": 1})
    board.series("Slots lost to neighbours", "With serve --neighbours: of tagged containers of the chosen nodes, by mechanism and whose doing it is. Slots per second.",
                 [(f"sum by (mechanism, blame) (cgtopdown:node_mechanism:lost_slots_5m{{{NODE}}})", "{{mechanism}} {{blame}}")],
                 width=8, stacked=True, unit="short")
    board.series("Put off their CPU", "The twenty containers whose tasks were put off most, for one of another cgroup. Times per second.",
                 [(f'topk(20, sum by (namespace, pod, container) (rate(cgtopdown_preemptions_total{{{POD},direction="suffered"}}[$__rate_interval])))',
                   "{{pod}}/{{container}}")], width=12, unit="short")
    board.series("Waits", "The twenty containers whose tasks wait most often. Times per second.",
                 [(f"topk(20, sum by (namespace, pod, container) (rate(cgtopdown_waits_total{{{POD}}}[$__rate_interval])))",
                   "{{pod}}/{{container}}")], width=12, unit="short")


def fill_collector(board):
    board.row("The collector itself, the ten nodes with most")
    # Of the many processes that Prometheus knows, those that are collectors.
    ours = f"and on (cluster, job, instance) cgtopdown_build_info{{{NODE}}}"
    board.series("CPU", "Of the process; accounting in the kernel is beside it.",
                 [(f"topk(10, rate(process_cpu_seconds_total{{{NODE}}}[$__rate_interval]) {ours})", "process {{instance}}"),
                  (f"topk(10, rate(cgtopdown_bpf_run_seconds_total{{{NODE}}}[$__rate_interval]))", "kernel {{instance}}")],
                 width=8, unit="short")
    board.series("Memory", "Resident, of the process.",
                 [(f"topk(10, process_resident_memory_bytes{{{NODE}}} {ours})", "{{instance}}")], width=8, unit="bytes")
    board.series("Accounts", "Containers and cgroups that have series, and those that were over the limit.",
                 [(f"topk(10, cgtopdown_accounts{{{NODE}}})", "{{instance}}"),
                  (f"topk(10, rate(cgtopdown_accounts_folded_total{{{NODE}}}[$__rate_interval]))", "folded/s {{instance}}")],
                 width=8, unit="short")


def variable(name, label, query):
    return {"name": name, "label": label, "type": "query", "datasource": SOURCE, "refresh": 2, "sort": 1,
            "query": {"query": query, "refId": "v"}, "definition": query, "multi": True, "includeAll": True,
            "allValue": ".*", "current": {"text": "All", "value": "$__all"}}


def main():
    board = Board()
    for fill in (fill_cluster, fill_workload, fill_containers, fill_neighbours, fill_collector):
        fill(board)
    counted = f'cgtopdown_cpu_seconds_total{{{NODE},kind="container",namespace=~"$namespace"'
    print(json.dumps({
        "title": "cgtopdown: where pipeline slots go", "uid": "cgtopdown", "tags": ["cgtopdown", "performance"],
        "schemaVersion": 39, "version": 1, "editable": True, "timezone": "browser", "refresh": "1m",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": [
            {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus",
             "current": {}, "refresh": 1},
            variable("cluster", "Cluster", "label_values(cgtopdown_build_info, cluster)"),
            variable("instance", "Node", f"label_values(cgtopdown_build_info{{{CLUSTER}}}, instance)"),
            variable("namespace", "Namespace", f"label_values(cgtopdown:workload:cpus_5m{{{CLUSTER}}}, namespace)"),
            variable("workload", "Workload", f"label_values(cgtopdown:workload:cpus_5m{{{SPACE}}}, workload)"),
            variable("pod", "Pod", f"label_values({counted}}}, pod)"),
            variable("container", "Container", f'label_values({counted},pod=~"$pod"}}, container)'),
        ]},
        "annotations": {"list": []},
        "panels": board.panels,
    }, indent=1))


main()

# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# prometheus.sh - a real Prometheus that scrapes the collector, and asks for what it has.
# shellcheck shell=bash
# shellcheck disable=SC2154 # cluster is of cluster.sh, prometheus of the script

prometheus_start() { # ADDRESS
	sed 's/interval: 1m/interval: 1s/' deploy/prometheus/rules.yaml >"$cluster/rules.yaml"
	cat >"$cluster/prometheus.yaml" <<-END
		global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
		rule_files: [$cluster/rules.yaml]
		scrape_configs:
		  - job_name: cgtopdown
		    honor_labels: true
		    static_configs: [{targets: ["$1"]}]
	END
	cluster_program "$prometheus" --config.file="$cluster/prometheus.yaml" --storage.tsdb.path="$cluster/prometheus" \
		--web.listen-address=127.0.0.1:9090 --log.level=warn
	wait_until 30 prometheus_is_up || tap_fail "Prometheus scrapes the collector" \
		"$(curl --silent http://127.0.0.1:9090/api/v1/targets; tail -n 5 "$cluster/log/prometheus")"
}

# Prints the answer's series, a line of JSON each.
prometheus_query() { # EXPRESSION
	curl --silent --fail --max-time 10 --data-urlencode "query=$1" http://127.0.0.1:9090/api/v1/query |
		jq -c '.data.result[]'
}

prometheus_series() { # EXPRESSION
	prometheus_query "$1" | jq -c .metric
}

prometheus_value() { # EXPRESSION
	prometheus_query "$1" | jq -r '.value[1]'
}

prometheus_is_up() {
	[[ $(prometheus_value 'up{job="cgtopdown"}') == 1 ]]
}

# Prints the panels of the dashboard that show nothing.
prometheus_empty_panels() {
	local name expression
	while IFS=$'\t' read -r name expression; do
		[[ $(prometheus_query "$expression" | head -n 1) ]] || echo "$name: $expression"
	done < <(tests/deploy/dashboard_rules.py deploy/helm/cgtopdown/files/dashboard.json __rate_interval=30s |
		jq -r '.groups[].rules[] | "\(.labels.panel)\t\(.expr)"')
}

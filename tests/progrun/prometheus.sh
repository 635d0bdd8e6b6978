# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# prometheus.sh - what the runs of a real Prometheus share: start it, and ask it.
# shellcheck shell=bash

. tests/progrun/serve.sh

prometheus_program=$(tests/program prometheus) || exit

# By $scratch/prometheus.yml; sets prometheus, its process, and prometheus_url.
start_prometheus() {
	local address
	address=127.0.0.1:$(free_port)
	prometheus_url=http://$address
	"$prometheus_program" --config.file="$scratch/prometheus.yml" --storage.tsdb.path="$scratch/data" \
		--web.listen-address="$address" --log.level=warn 2>"$scratch/prometheus.log" &
	prometheus=$!
	wait_until 120 curl -sf -o /dev/null "$prometheus_url/-/ready" ||
		tap_fail "Prometheus starts" "$(cat "$scratch/prometheus.log")"
}

query() { # EXPRESSION [JQ_FILTER]
	curl -sf "$prometheus_url/api/v1/query" --data-urlencode "query=$1" | jq -r "${2:-.data.result[].value[1]}"
}

# A scrape that takes more than its second fails, and all series are away until the next one.
asked_is() { # EXPRESSION JQ_FILTER WANT; sets asked
	asked=$(query "$1" "$2")
	[[ $asked == "$3" ]]
}
tap_query() { # EXPRESSION JQ_FILTER WANT SENTENCE
	wait_until 60 asked_is "${@:1:3}"
	tap_is "$asked" "$3" "$4"
}

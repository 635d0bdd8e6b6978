# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# serve.sh - what the runs of `cgtopdown serve` share: start it, ask it, end it.
# shellcheck shell=bash

command -v curl >/dev/null || skip_all "curl is not installed"
command -v python3 >/dev/null || skip_all "python3 is not installed"

server='' # its process
log=$scratch/serve.log
curl_options=() # of scrapes
clients=tests/tools/http_clients.py

# A suite that ends early ends it, too: lib.sh kills jobs, and waits for them. /readyz waits for the end of an interval:
# begin=/healthz for a long one.
start_server() { # [OPTION...]; sets server, url, port
	rm -f "$log"
	"$program" serve --source sim --hierarchy v2 --listen 127.0.0.1:0 --local-socket none "$@" 2>"$log" &
	server=$!
	wait_until 60 grep -q '/metrics$' "$log" || return 1
	url=$(sed -n 's#.*serving \(.*\)/metrics$#\1#p' "$log")
	port=${url##*:}
	[[ $url == unix:* ]] || wait_until 60 answers "${begin:-/readyz}"
}

answers() { # PATH
	[[ $(status_of "$1") == 200 ]]
}

# Sets ended_ms to how long it took, and ended_status.
end_server() { # [SIGNAL]
	local start_ns
	start_ns=$(date +%s%N)
	kill -"${1:-TERM}" "$server"
	wait "$server"
	ended_status=$?
	ended_ms=$((($(date +%s%N) - start_ns) / 1000000))
}

status_of() { # PATH [CURL_OPTION...]
	curl -sk -o /dev/null -w '%{http_code}' "${@:2}" "$url$1"
}

has_snapshots_since() { # COUNT
	(($(value_of cgtopdown_snapshots_total) > $1))
}

# After two, what had ended before is in the figures.
wait_for_snapshots() { # COUNT
	wait_until 60 has_snapshots_since $(($(value_of cgtopdown_snapshots_total) + $1 - 1))
}

# Sets first and start_ns, for what follows.
count_intervals() {
	first=$(value_of cgtopdown_snapshots_total)
	start_ns=$(date +%s%N)
}

# Sets intervals to those since then, and wanted to those of 0.2 s that were due. A pause of the machine's is not made up
# for, so half of them are enough: where something holds intervals up, there are none.
count_intervals_since() {
	intervals=$(($(value_of cgtopdown_snapshots_total) - first))
	wanted=$((($(date +%s%N) - start_ns) / 200000000 / 2))
}

# Sum of a family's samples on stdin; "none" where there is none.
sum_of() { # NAME
	awk -v name="$1" 'index($1, name "{") == 1 || $1 == name { sum += $NF; samples++ }
		END { if (samples) printf "%.6f\n", sum; else print "none" }'
}

value_of() { # SAMPLE; of a fresh scrape
	curl -s "${curl_options[@]}" "$url/metrics" | awk -v name="$1" '$1 == name { print $2 }'
}

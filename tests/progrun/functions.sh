# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# functions.sh - profiles of a program whose functions have known parts of its slots, and what is wrong with them.
# shellcheck shell=bash

functions=$BUILD/tests/tools/functions
cat >"$scratch/profiles" <<'P'
waits   10 0 0 90 / 0 0 0 80
works   70 5 5 20 / 10 5 5 10
fetches 20 5 65 10 / 5 5 60 5
<other> 30 8 27 35 / 4 6 18 20
P

# Copied under a name of this run, so that it is nobody else's.
cp "$functions" "$scratch/$unique"

profile() { # FILE RESIDENCY_US SECONDS OPTION...
	local file=$1 residency=$2 seconds=$3
	shift 3
	"$program" profile --hierarchy v2 --source "sim:$scratch/profiles" --frequency 499 --output "$scratch/$file" "$@" \
		-- "$scratch/$unique" "$seconds" "$residency" >"$scratch/out" 2>"$scratch/err"
}

# Of a function itself, in per cent of its slots.
share() { # FILE FUNCTION FIGURE
	jq -r --arg function "$2" --arg figure "$3" '
		. as $all | (.shared.frames | map(.name == $function)) as $is
		| def sum($name): $all.profiles[] | select(.name == $name)
			| [.samples, .weights] | transpose | map(select($is[.[0][-1]]) | .[1]) | add // 0;
		100 * sum($figure) / sum("slots")' "$scratch/$1"
}
near() { # GOT WANT POINTS
	awk -v got="$1" -v want="$2" -v points="$3" 'BEGIN { exit !(got >= want - points && got <= want + points) }'
}
tell_far() { # FILE FUNCTION FIGURE WANT POINTS
	local got
	got=$(share "$1" "$2" "$3")
	near "$got" "$4" "$5" || echo "$2: $3 is $got, not $4 within $5"
}

# What the program says that its functions had, for jq: {"do_work": 0.6, ...}.
truth() {
	awk '/^[a-z_]+ [0-9.]+$/ { part[$1] = $2; all += $2 }
		END { for (name in part) printf "%s\"%s\": %.9f", comma++ ? ", " : "{", name, part[name] / all; print "}" }' "$scratch/out"
}
# Says where their slots are not so, to three standard errors of the samples.
tell_parts() { # FILE
	jq -r --argjson truth "$(truth)" '
		. as $all | (.shared.frames | map(.name)) as $names
		| def sum($figure; $name): $all.profiles[] | select(.name == $figure)
			| [.samples, .weights] | transpose | map(select(.[0] | any($names[.] == $name)) | .[1]) | add // 0;
		($truth | keys) as $functions
		| ([$functions[] | sum("samples"; .)] | add) as $samples | ([$functions[] | sum("slots"; .)] | add) as $slots
		| $functions[] | $truth[.] as $want | (sum("slots"; .) / $slots) as $got
		| (3 * ($want * (1 - $want) / $samples | sqrt)) as $within | select(($got - $want | fabs) > $within)
		| "\(.) has \($got) of the slots, not \($want) within \($within)"' "$scratch/$1" 2>&1
}

# To three standard errors of its samples, and of what bounds it to so many points.
findings_of() { # RESIDENCY_US POINTS
	local file=$1.speedscope.json
	if ! profile "$file" "$1" 2; then
		echo "it is not profiled: $(<"$scratch/err")"
		return
	fi
	tell_far "$file" wait_for_memory memory_bound 80 "$2"
	tell_far "$file" do_work retiring 70 "$2"
	tell_far "$file" do_work memory_bound 10 "$2"
	tell_far "$file" fetch_code frontend_bound 65 "$2"
	tell_parts "$file"
}

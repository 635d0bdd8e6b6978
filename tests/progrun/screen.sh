# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# screen.sh - a terminal of tmux for the runs of `top`, and what is seen there.
# shellcheck shell=bash

command -v tmux >/dev/null || skip_all "tmux is not installed"
recording=$scratch/made.ctd
"$BUILD/tests/tools/make_top_recording" "$recording" || exit 1

terminal=(tmux -S "$scratch/terminal" -f /dev/null)
end_terminals() {
	((BASHPID == $$)) && "${terminal[@]}" kill-server 2>/dev/null
	clean_up
}
trap end_terminals EXIT

# A window of its own, of which `pane` is the number, in which a shell runs. Its end may come while the folder is
# removed that it has for its home: it must not write its history there.
open_window() { # COLUMNS ROWS
	pane=$("${terminal[@]}" new-session -d -P -F '#{pane_id}' -x "$1" -y "$2" \
		env -i PATH="$PATH" HOME="$scratch" TZ=UTC LC_ALL=C.UTF-8 PS1='$ ' TERM=tmux-256color HISTFILE=/dev/null bash --norc --noprofile)
	"${terminal[@]}" set-option -t "$pane" status off >/dev/null
}
press() { # KEY...
	"${terminal[@]}" send-keys -t "$pane" "$@"
}
capture() {
	"${terminal[@]}" capture-pane -t "$pane" -p | sed 's/ *$//'
}
shows() { # PATTERN
	capture | grep -q -- "$1"
}
# Begins with the recording.
run_top() { # OPTION...
	press "clear; cd $scratch; stty -g >before; $* $program top --input $recording ${options-}; echo status \$?; stty -g >after; date +%N >ended" Enter
	wait_until 60 shows '^NAME '
}
is_back() {
	[[ $("${terminal[@]}" display -t "$pane" -p '#{alternate_on}') == 0 ]]
}
# Waits until the screen is as the file says, which is its last word.
screen_is() { # NAME SENTENCE
	local golden=tests/golden/top-$1.txt screen='' before
	if [[ ${CTD_GOLDEN_UPDATE-} ]]; then
		until before=$screen && sleep 0.3 && screen=$(capture) && [[ $screen == "$before" ]]; do :; done
		echo "$screen" >"$golden"
	fi
	is_golden() { screen=$(capture) && [[ $screen == "$(<"$golden")" ]]; }
	if wait_until 60 is_golden; then
		tap_ok "$2"
	else
		tap_fail "$2" "$(diff "$golden" - <<<"$screen")"
	fi
}
# The terminal is as it was: its modes, its cursor, no mouse, not the other screen.
terminal_is_back() { # SENTENCE STATUS
	wait_until 60 test -s "$scratch/ended"
	wait_until 60 shows "status $2"
	tap_is "$(cmp "$scratch/before" "$scratch/after" && shows "status $2" && echo "status $2") $("${terminal[@]}" display -t "$pane" -p '#{alternate_on} #{cursor_flag} #{mouse_any_flag}')" \
		"status $2 0 1 0" "$1"
	rm -f "$scratch/ended"
}

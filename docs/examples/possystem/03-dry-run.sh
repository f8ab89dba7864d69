#!/usr/bin/env bash
# What would happen? A dry run checks a receipt completely and moves nothing.
set -euo pipefail
. "$(dirname "$0")/call.sh"

more=(-H 'x-dry-run: true')
operation=$(new_id)
call POST /sign "$operation" "$(receipt dry "$cash")"
show

# Without the money: the real call would be answered all the same, but see Problems.
call POST /sign "$operation" "$(receipt dry '[]')"
show | sed -n '/"Problems"/,/]/p'

# The id is still free.
more=()
call GET "/operation/$operation" "$operation"
show

#!/usr/bin/env bash
# No answer came? The same call with the same id: it is executed once, and the answer comes again.
set -euo pipefail
. "$(dirname "$0")/call.sh"

operation=$(new_id)
request=$(receipt "repeated-$operation" "$cash")
call POST /sign "$operation" "$request"
first=$body
call POST /sign "$operation" "$request"
[ "$body" = "$first" ] && echo 'the same answer, byte for byte'

# The same id for something else is a mistake, and nothing happens.
call POST /sign "$operation" "$(receipt other "$cash")"
show

# What failed fails again: a new try at the terminal wants a new id. 30000.10 is always declined.
operation=$(new_id)
for _ in 1 2; do
  call POST /pay "$operation" '{"Action":"payment","Protocol":"use_auto",
    "cbPayItem":{"Description":"Card","Amount":30000.10}}'
done
show

#!/usr/bin/env bash
# What has become of a call? By its id, or of a receipt by its reference. Nothing waits or changes.
set -euo pipefail
. "$(dirname "$0")/call.sh"

operation=$(new_id)
call GET "/operation/$operation" "$(new_id)"
show

call POST /sign "$operation" "$(receipt "looked-up-$operation" "$cash")"
call GET "/operation/$operation" "$(new_id)"
show | sed -E 's|("Response": ".{14}).*|\1 …|'

call GET "/operation?cbReceiptReference=looked-up-$operation" "$(new_id)"
show | sed -E 's|("Response": ".{14}).*|\1 …|'

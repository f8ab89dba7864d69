#!/usr/bin/env bash
# The exports that closings archived: as one TAR per TSE, and one by one in the raw journal.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
cd "$(dirname "$0")/../../.."  # npx finds fiskalwerk here, and the server its data
journal="$FISKALWERK_URL/$QUEUE_ID/json/v1/journal"
file=$(mktemp)
trap 'rm "$file"' EXIT
curl -fsS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  "$journal?type=0x4445000000000003" -o "$file"
npx fiskalwerk verify "$file"
curl -fsS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  "$journal?type=0x4445" | grep -oE '"(FileName|FileExtension)":"[^"]*"'

#!/usr/bin/env bash
# All documents and Z reports of the register, and what the independent verifier says.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env IT)\"}"
cd "$(dirname "$0")/../../.."  # npx finds fiskalwerk here, and the server its data
file=$(mktemp)
trap 'rm "$file"' EXIT
curl -fsS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  "$FISKALWERK_URL/$QUEUE_ID/json/v1/journal?type=0x4954200000001001" > "$file"
head -c 40 "$file"
echo
npx fiskalwerk verify "$file"

#!/usr/bin/env bash
# The DSFinV-K of all closings, judged by the independent verifier.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
cd "$(dirname "$0")/../../.."  # npx finds fiskalwerk here, and the server its data
file=$(mktemp)
trap 'rm "$file"' EXIT
curl -fsS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  "$FISKALWERK_URL/$QUEUE_ID/json/v1/journal?type=0x4445000000000002" -o "$file"
npx fiskalwerk verify "$file"

#!/usr/bin/env bash
# What the TSE holds now (TAR), judged by the independent verifier; nothing is erased.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
cd "$(dirname "$0")/../../.."  # npx finds fiskalwerk here, and the server its data
file=$(mktemp)
trap 'rm "$file"' EXIT
curl -fsS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  "$FISKALWERK_URL/$QUEUE_ID/json/v1/journal?type=0x4445000000000001" -o "$file"
[ -s "$file" ] || { echo "nothing since the last closing, which exported and erased it"; exit 0; }
npx fiskalwerk verify "$file"

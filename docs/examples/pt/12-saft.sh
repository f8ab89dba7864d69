#!/usr/bin/env bash
# The books as SAF-T (PT), and what the independent verifier says.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env PT)\"}"
cd "$(dirname "$0")/../../.."  # npx finds fiskalwerk here, and the server its data
file=$(mktemp)
trap 'rm "$file"' EXIT
curl -fsS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  "$FISKALWERK_URL/$QUEUE_ID/json/v1/journal?type=0x5054200000001001" > "$file"
head -c 420 "$file" | iconv -f windows-1252 -t utf-8
echo
npx fiskalwerk verify "$file"

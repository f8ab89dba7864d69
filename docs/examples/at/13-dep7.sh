#!/usr/bin/env bash
# The legal export (DEP7), judged by the independent verifier.
set -euo pipefail
file=$(mktemp)
curl -fsS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  "$FISKALWERK_URL/$QUEUE_ID/json/v1/journal?type=0x4154000000000001" -o "$file"
npx fiskalwerk verify "$file"
rm "$file"

#!/usr/bin/env bash
# Are the address and the credentials right?
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env GR)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' -d '{"message":"καλημέρα"}' \
  "$FISKALWERK_URL/$QUEUE_ID/json/v1/echo"

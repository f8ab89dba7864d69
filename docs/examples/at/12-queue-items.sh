#!/usr/bin/env bash
# The stored receipts as a table for people: one line per item, opens in a spreadsheet.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env AT)\"}"
curl -fsS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  "$FISKALWERK_URL/$QUEUE_ID/json/v1/journal?type=0x03&format=csv&view=receipts"

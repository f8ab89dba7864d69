#!/usr/bin/env bash
# What a mistake looks like: a copy that does not name what it copies.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env FR)\"}"
curl -sS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbUser": "Marie",
  "cbReceiptReference": "copy-2",
  "cbReceiptMoment": "2026-01-31T10:15:00Z",
  "cbChargeItems": [],
  "cbPayItems": [],
  "ftReceiptCase": 5067112530745229334
}
JSON

#!/usr/bin/env bash
# The zero receipt ends the late entry: its answer says from where to where.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env FR)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbUser": "Marie",
  "cbReceiptReference": "zero-1",
  "cbReceiptMoment": "2026-01-31T10:15:00Z",
  "cbChargeItems": [],
  "cbPayItems": [],
  "ftReceiptCase": 5067112530745229327
}
JSON

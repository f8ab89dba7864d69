#!/usr/bin/env bash
# The daily closing, here with the flag that takes over changed master data.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "closing-1",
  "cbReceiptMoment": "2026-01-31T22:00:00Z",
  "cbChargeItems": [],
  "cbPayItems": [],
  "ftReceiptCase": "0x4445000108000007"
}
JSON

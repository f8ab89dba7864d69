#!/usr/bin/env bash
# A zero receipt with the flag TSE info: ftStateData shows the TSE and the open transactions.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "zero-1",
  "cbReceiptMoment": "2026-01-31T10:15:00Z",
  "cbChargeItems": [],
  "cbPayItems": [],
  "ftReceiptCase": "0x4445000100800002"
}
JSON

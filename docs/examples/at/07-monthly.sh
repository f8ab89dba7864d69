#!/usr/bin/env bash
# The monthly receipt: its text item shows the turnover counter.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env AT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "month-1",
  "cbReceiptMoment": "2026-01-31T10:15:00Z",
  "cbChargeItems": [],
  "cbPayItems": [],
  "ftReceiptCase": 4707387510509010949
}
JSON

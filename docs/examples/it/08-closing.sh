#!/usr/bin/env bash
# The daily closing: the device makes its Z report.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env IT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "z-1",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [],
  "cbPayItems": [],
  "ftReceiptCase": 5283883447184531473
}
JSON

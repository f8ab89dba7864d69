#!/usr/bin/env bash
# A copy: the same items as before, and the word Duplicado.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env PT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbUser": "Maria",
  "cbReceiptReference": "copy-1",
  "cbPreviousReceiptReference": "invoice-1",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [],
  "cbPayItems": [],
  "ftReceiptCase": 5788286605450031120
}
JSON

#!/usr/bin/env bash
# A mistake: the answer is a 400 that names the member; nothing is stored.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env AT)\"}"
curl -sS -o - -w '\n%{http_code}\n' -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "oops",
  "cbReceiptMoment": "2026-01-31T10:15:00Z",
  "cbChargeItems": [
    { "Quantity": 2, "Description": "Melange", "Amount": "a lot", "VATRate": 20,
      "ftChargeItemCase": 4707387510509010947 },
    { "Quantity": 1, "Description": "Apfelstrudel", "Amount": 5.20, "VATRate": 10,
      "ftChargeItemCase": 4707387510509010945 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Cash", "Amount": 15.00,
      "ftPayItemCase": 4707387510509010945 }
  ],
  "ftReceiptCase": 4707387510509010945
}
JSON

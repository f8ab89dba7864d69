#!/usr/bin/env bash
# Takes one line back: the void flag, quantity and amount negative.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env AT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "void-1",
  "cbReceiptMoment": "2026-01-31T10:15:00Z",
  "cbChargeItems": [
    { "Quantity": -1, "Description": "Apfelstrudel", "Amount": -5.20, "VATRate": 10,
      "ftChargeItemCase": 4707387510509010945 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Cash", "Amount": -5.20,
      "ftPayItemCase": 4707387510509010945 }
  ],
  "ftReceiptCase": 4707387510509273089
}
JSON

#!/usr/bin/env bash
# A credit note (NC) of one coffee of the sale: each item has the refund flag.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env PT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbUser": "Maria",
  "cbReceiptReference": "credit-1",
  "cbPreviousReceiptReference": "sale-1",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": -1, "Description": "Café", "Amount": -1.23, "VATRate": 23,
      "ftChargeItemCase": 5788286605450149907 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Numerário", "Amount": -1.23, "ftPayItemCase": 5788286605450018817 }
  ],
  "ftReceiptCase": 5788286605450018817
}
JSON

#!/usr/bin/env bash
# What a mistake looks like: an invoice without its recipient. It takes no number.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env ES)\"}"
curl -sS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "wrong-1",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Café con leche", "Amount": 3.63, "VATRate": 21,
      "ftChargeItemCase": 4995371596056100883 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Efectivo", "Amount": 3.63, "ftPayItemCase": 4995371596056100865 }
  ],
  "ftReceiptCase": 4995371596056104961
}
JSON

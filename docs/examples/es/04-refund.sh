#!/usr/bin/env bash
# The bread of the sale comes back: a rectifying invoice (R5) by differences.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env ES)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "refund-1",
  "cbPreviousReceiptReference": "sale-1",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": -1, "Description": "Pan", "Amount": -1.04, "VATRate": 4,
      "ftChargeItemCase": 4995371596056231956 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Efectivo", "Amount": -1.04, "ftPayItemCase": 4995371596056100865 }
  ],
  "ftReceiptCase": 4995371596072878081
}
JSON

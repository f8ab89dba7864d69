#!/usr/bin/env bash
# A line without tax says why: NN is the reason (M07).
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env PT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbUser": "Maria",
  "cbReceiptReference": "exempt-1",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Consulta médica", "Amount": 30.00, "VATRate": 0,
      "ftChargeItemCase": 5788286605450020648 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Numerário", "Amount": 30.00, "ftPayItemCase": 5788286605450018817 }
  ],
  "ftReceiptCase": 5788286605450022913
}
JSON

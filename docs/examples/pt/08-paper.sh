#!/usr/bin/env bash
# An invoice that was written by hand, recovered in a series of its own.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env PT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbUser": "Maria",
  "cbReceiptReference": "paper-1",
  "ftReceiptCaseData": "{\"PT\":{\"Series\":\"A\",\"Number\":7}}",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Curso", "Amount": 123.00, "VATRate": 23,
      "ftChargeItemCase": 5788286605450018851 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Numerário", "Amount": 123.00, "ftPayItemCase": 5788286605450018817 }
  ],
  "ftReceiptCase": 5788286605450547201
}
JSON

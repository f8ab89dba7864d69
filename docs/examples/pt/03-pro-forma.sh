#!/usr/bin/env bash
# A pro forma (PF): no payment, and it says that it is no invoice.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env PT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbUser": "Maria",
  "cbReceiptReference": "proforma-1",
  "cbCustomer": "{\"CustomerName\":\"Cliente, Lda.\",\"CustomerVATId\":\"503504564\"}",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Curso", "Amount": 123.00, "VATRate": 23,
      "ftChargeItemCase": 5788286605450018851 }
  ],
  "cbPayItems": [],
  "ftReceiptCase": 5788286605450018823
}
JSON

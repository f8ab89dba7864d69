#!/usr/bin/env bash
# A receipt of payment (RG) of a part of the invoice.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env PT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbUser": "Maria",
  "cbReceiptReference": "payment-1",
  "cbCustomer": "{\"CustomerName\":\"Cliente, Lda.\",\"CustomerVATId\":\"503504564\"}",
  "cbPreviousReceiptReference": "invoice-1",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Curso", "Amount": 50.00, "VATRate": 0,
      "ftChargeItemCase": 5788286605450018968 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Cartão", "Amount": 50.00, "ftPayItemCase": 5788286605450018821 }
  ],
  "ftReceiptCase": 5788286605450018818
}
JSON

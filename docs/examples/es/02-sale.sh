#!/usr/bin/env bash
# A simplified invoice (F2) with two VAT rates: huella, QR code, and what the authority was told.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env ES)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "sale-1",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Café con leche", "Amount": 3.63, "VATRate": 21,
      "ftChargeItemCase": 4995371596056100883 },
    { "Quantity": 1, "Description": "Pan", "Amount": 1.04, "VATRate": 4,
      "ftChargeItemCase": 4995371596056100884 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Efectivo", "Amount": 4.67, "ftPayItemCase": 4995371596056100865 }
  ],
  "ftReceiptCase": 4995371596056100865
}
JSON

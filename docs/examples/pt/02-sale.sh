#!/usr/bin/env bash
# A simplified invoice (FS) with two VAT rates: number, ATCUD, hash, QR code.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env PT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbUser": "Maria",
  "cbReceiptReference": "sale-1",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": 2, "Description": "Café", "Amount": 2.46, "VATRate": 23,
      "ftChargeItemCase": 5788286605450018835 },
    { "Quantity": 1, "Description": "Pastel de nata", "Amount": 1.13, "VATRate": 13,
      "ftChargeItemCase": 5788286605450018834 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Numerário", "Amount": 3.59, "ftPayItemCase": 5788286605450018817 }
  ],
  "ftReceiptCase": 5788286605450018817
}
JSON

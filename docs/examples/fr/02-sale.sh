#!/usr/bin/env bash
# A ticket with two VAT rates, paid in cash: chain T, case 0x4652000000000001.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env FR)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbUser": "Marie",
  "cbReceiptReference": "sale-1",
  "cbReceiptMoment": "2026-01-31T10:15:00Z",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Café crème", "Amount": 7.60, "VATRate": 10,
      "ftChargeItemCase": 5067112530745229314 },
    { "Quantity": 1, "Description": "Verre de vin", "Amount": 5.50, "VATRate": 20,
      "ftChargeItemCase": 5067112530745229315 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Espèces", "Amount": 13.10, "ftPayItemCase": 5067112530745229313 }
  ],
  "ftReceiptCase": 5067112530745229313
}
JSON

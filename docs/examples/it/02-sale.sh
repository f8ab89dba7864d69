#!/usr/bin/env bash
# A commercial document with two VAT rates: number, serial number and moment of the device.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env IT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "sale-1",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": 2, "Description": "Caffè", "Amount": 2.40, "VATRate": 10,
      "ftChargeItemCase": 5283883447184523281 },
    { "Quantity": 1, "Description": "Acqua", "Amount": 1.00, "VATRate": 22,
      "ftChargeItemCase": 5283883447184523283 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Contanti", "Amount": 3.40, "ftPayItemCase": 5283883447184523265 }
  ],
  "ftReceiptCase": 5283883447184523265
}
JSON

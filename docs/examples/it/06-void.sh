#!/usr/bin/env bash
# A further sale, and its void (annullo): all of it, under a number of its own.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env IT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "sale-4",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Acqua", "Amount": 1.00, "VATRate": 22,
      "ftChargeItemCase": 5283883447184523283 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Contanti", "Amount": 1.00, "ftPayItemCase": 5283883447184523265 }
  ],
  "ftReceiptCase": 5283883447184523265
}
JSON
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "void-1",
  "cbPreviousReceiptReference": "sale-4",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbChargeItems": [
    { "Quantity": -1, "Description": "Acqua", "Amount": -1.00, "VATRate": 22,
      "ftChargeItemCase": 5283883447184523283 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Contanti", "Amount": -1.00, "ftPayItemCase": 5283883447184523265 }
  ],
  "ftReceiptCase": 5283883447184785409
}
JSON

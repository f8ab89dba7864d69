#!/usr/bin/env bash
# A sale to a buyer who names the codice fiscale (scontrino parlante).
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env IT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "sale-3",
  "cbReceiptMoment": "2026-06-15T09:30:15Z",
  "cbCustomer": "{\\"CustomerName\\":\\"Mario Rossi\\",\\"CustomerId\\":\\"RSSMRA80A01H501U\\"}",
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

#!/usr/bin/env bash
# A sale in implicit flow: the TSE transaction starts and ends in one call. Print the QR code.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "sale-1",
  "cbReceiptMoment": "2026-01-31T10:15:00Z",
  "cbUser": "Erika Muster",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Sekt 0,2l", "Amount": 11.90, "VATRate": 19,
      "ftChargeItemCase": "0x4445000000000011" },
    { "Quantity": 1, "Description": "Brot", "Amount": 5.35, "VATRate": 7,
      "ftChargeItemCase": "0x4445000000000012" }
  ],
  "cbPayItems": [
    { "Description": "Bar", "Amount": 10.00, "ftPayItemCase": "0x4445000000000001" },
    { "Description": "Karte", "Amount": 7.25, "ftPayItemCase": "0x4445000000000004" }
  ],
  "ftReceiptCase": "0x4445000100000001"
}
JSON

#!/usr/bin/env bash
# Change money is put into the register (Einzahlung): no turnover, but cash.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "cash-in-1",
  "cbReceiptMoment": "2026-01-31T10:15:00Z",
  "cbUser": "Erika Muster",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Wechselgeld", "Amount": 50.00, "VATRate": 0,
      "ftChargeItemCase": "0x4445000000000095" }
  ],
  "cbPayItems": [
    { "Description": "Bar", "Amount": 50.00, "ftPayItemCase": "0x4445000000000001" }
  ],
  "ftReceiptCase": "0x4445000100000011"
}
JSON

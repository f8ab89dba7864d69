#!/usr/bin/env bash
# A retail receipt (11.1) with two VAT rates: UID, MARK, QR address, and what the authority was told.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env GR)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- <<JSON
{
  "ftCashBoxID": "$CASHBOX_ID",
  "cbTerminalID": "1",
  "cbReceiptReference": "sale-1",
  "cbReceiptMoment": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  "cbChargeItems": [
    { "Quantity": 1, "Description": "Ελληνικός καφές", "Amount": 2.48, "VATRate": 24,
      "ftChargeItemCase": 5139205309155246099 },
    { "Quantity": 1, "Description": "Ψωμί", "Amount": 1.13, "VATRate": 13,
      "ftChargeItemCase": 5139205309155246097 }
  ],
  "cbPayItems": [
    { "Quantity": 1, "Description": "Μετρητά", "Amount": 3.61, "ftPayItemCase": 5139205309155246081 }
  ],
  "ftReceiptCase": 5139205309155246081
}
JSON

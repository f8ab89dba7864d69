#!/usr/bin/env bash
# Who sells, and where: master data for the DSFinV-K, among the parameters of the queue.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
cd "$(dirname "$0")/../../.."  # npx finds fiskalwerk here, and the server its data
configuration=$(cat <<JSON
{
  "init_masterData": {
    "Account": {
      "AccountName": "Muster GmbH", "Street": "Musterweg 1", "Zip": "10115", "City": "Berlin",
      "Country": "DE", "TaxId": "11/222/33333", "VatId": "DE123456789"
    },
    "Outlet": {
      "OutletName": "Filiale Mitte", "Street": "Musterweg 1", "Zip": "10115", "City": "Berlin",
      "Country": "DE", "VatId": "DE123456789"
    }
  }
}
JSON
)
npx fiskalwerk queue configure --queue "$QUEUE_ID" --configuration "$configuration"

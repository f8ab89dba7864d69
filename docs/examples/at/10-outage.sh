#!/usr/bin/env bash
# An outage of the signing device: the sale goes on, marked as failed; a zero receipt ends it.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env AT)\"}"
api() {
  curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
    -H 'content-type: application/json' "$@"
  echo
}
receipt() {
  echo '{"ftCashBoxID":"'"$CASHBOX_ID"'","cbTerminalID":"1","cbReceiptReference":"'"$1"'",' \
    '"cbReceiptMoment":"2026-01-31T10:20:00Z","cbChargeItems":'"$2"',"cbPayItems":'"$3"',' \
    '"ftReceiptCase":'"$4"'}'
}
sale='[{"Quantity":1,"Description":"Melange","Amount":4.90,"VATRate":20,"ftChargeItemCase":4707387510509010947}]'
cash='[{"Quantity":1,"Description":"Cash","Amount":4.90,"ftPayItemCase":4707387510509010945}]'
device="$FISKALWERK_URL/sandbox/scus/$SCU_ID/fault"
sign="$FISKALWERK_URL/$QUEUE_ID/json/v1/sign"
api -X PUT "$device" -d '{"steps":[{"do":"unreachable"}]}'
trap 'echo "the script is still set; clear it: npx fiskalwerk fault clear --scu $SCU_ID" >&2' ERR
receipt outage-1 "$sale" "$cash" 4707387510509010945 | api "$sign" -d @-
api -X DELETE "$device"
trap - ERR
receipt outage-2 '[]' '[]' 4707387510509010946 | api "$sign" -d @-

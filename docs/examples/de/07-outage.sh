#!/usr/bin/env bash
# An outage of the TSE: sales go on, unsigned and counted; a zero receipt ends it.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
api() {
  curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
    -H 'content-type: application/json' "$@"
  echo
}
# prints number, state, and what the texts of the answer say
sign() {
  api "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- |
    grep -oE '"ftReceiptIdentification":"[^"]*"|"ftState":[0-9]+|"caption":"(Komm|TSE)[^}]*"'
}
receipt() {
  echo '{"ftCashBoxID":"'"$CASHBOX_ID"'","cbTerminalID":"1","cbReceiptReference":"'"$1"'",' \
    '"cbReceiptMoment":"2026-01-31T10:20:00Z","ftReceiptCase":"'"$2"'",' \
    '"cbUser":"Erika Muster",' \
    '"cbChargeItems":'"${3:-[]}"',"cbPayItems":'"${4:-[]}"'}'
}
sale='[{"Quantity":1,"Description":"Brot","Amount":5.35,"VATRate":7,"ftChargeItemCase":"0x4445000000000012"}]'
cash='[{"Description":"Bar","Amount":5.35,"ftPayItemCase":"0x4445000000000001"}]'
device="$FISKALWERK_URL/sandbox/scus/$SCU_ID/fault"
api -X PUT "$device" -d '{"steps":[{"do":"unreachable"}]}'
trap 'echo "the script is still set; clear it: npx fiskalwerk fault clear --scu $SCU_ID" >&2' ERR
receipt outage-1 0x4445000100000001 "$sale" "$cash" | sign  # three tries, then failed mode
receipt outage-2 0x4445000100000001 "$sale" "$cash" | sign  # the TSE is not even tried
api -X DELETE "$device"
trap - ERR
receipt outage-3 0x4445000100000002 | sign                  # zero receipt: all is well again

#!/usr/bin/env bash
# Explicit flow at a table: an order, then the bill, each between its own start and end.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
# prints number, state and QR code of each answer
sign() {
  curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
    -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/sign" -d @- |
    grep -oE '"ftReceiptIdentification":"[^"]*"|"ftState":[0-9]+|"V0;([^"\\]|\\.)*"'
}
receipt() {
  echo '{"ftCashBoxID":"'"$CASHBOX_ID"'","cbTerminalID":"1","cbReceiptReference":"'"$1"'",' \
    '"cbReceiptMoment":"2026-01-31T10:15:00Z","ftReceiptCase":"'"$2"'",' \
    '"cbUser":"Erika Muster",' \
    '"cbChargeItems":'"${3:-[]}"',"cbPayItems":'"${4:-[]}"',' \
    '"cbPreviousReceiptReference":"'"${5:-}"'"}'
}
items='[{"Quantity":2,"Description":"Eisbecher \"Himbeere\"","Amount":7.98,"VATRate":19,
  "ftChargeItemCase":"0x4445000000000011"}]'
cash='[{"Description":"Bar","Amount":7.98,"ftPayItemCase":"0x4445000000000001"}]'
receipt table-7-order 0x4445000000000008 | sign                   # start-transaction
receipt table-7-order 0x4445000000000010 "$items" | sign          # order: ends it, Bestellung-V1
receipt table-7-bill 0x4445000000000008 | sign                    # start-transaction
receipt table-7-bill 0x4445000000000009 | sign                    # update-transaction
receipt table-7-bill 0x4445000000000001 "$items" "$cash" table-7-order | sign  # sale: ends it

#!/usr/bin/env bash
# A change of TSE, from a new cash box to the first sale with the second TSE. Leaves the demo alone.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env DE)\"}"
cd "$(dirname "$0")/../../.."  # npx finds fiskalwerk here, and the server its data
member() { node -pe "const box = JSON.parse(fs.readFileSync(0)); $1"; }
account=$(npx fiskalwerk demo --json | member box.operator.accountId)
box=$(npx fiskalwerk cashbox add --account "$account" --market DE --description Switch --json)
read -r id token queue source < <(
  member '`${box.cashBoxId} ${box.accessToken} ${box.queueId} ${box.scuIds[0]}`' <<<"$box"
)
# prints number, state and title of each answer
sign() {
  curl -fsS -H "cashboxid: $id" -H "accesstoken: $token" \
    -H 'content-type: application/json' "$FISKALWERK_URL/$queue/json/v1/sign" -d @- <<JSON |
{ "cbTerminalID": "1", "cbReceiptReference": "$1", "cbReceiptMoment": "2026-01-31T10:15:00Z",
  "cbChargeItems": [], "cbPayItems": [], "ftReceiptCase": "$1" }
JSON
    grep -oE '"ftReceiptIdentification":"[^"]*"|"ftState":[0-9]+|"caption":"[^"]*-Beleg"'
}
sign 0x4445000100000003                                   # start: the queue takes the first TSE
sign 0x4445000100000001                                   # signed by it
target=$(npx fiskalwerk scu add --queue "$queue" --json | member box.scuId)
npx fiskalwerk scu switch --from "$source" --to "$target" >/dev/null
sign 0x4445000100000007                                   # daily closing, right before the switch
sign 0x4445000100000017                                   # the first TSE is exported and ended
sign 0x4445000100000001                                   # in between: not signed
sign 0x4445000100000018                                   # the second TSE is put into operation
sign 0x4445000100000001                                   # signed by it

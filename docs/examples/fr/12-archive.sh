#!/usr/bin/env bash
# An archive: the archive receipt, its ZIP, and what the independent verifier says.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env FR)\"}"
cd "$(dirname "$0")/../../.."  # npx finds fiskalwerk here, and the server its data
file=$(mktemp)
trap 'rm "$file"' EXIT
post() {
  curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
    -H 'content-type: application/json' "$FISKALWERK_URL/$QUEUE_ID/json/v1/$1" -d "$2"
}
answer=$(post sign "{\"ftCashBoxID\":\"$CASHBOX_ID\",\"cbTerminalID\":\"1\",
  \"cbReceiptReference\":\"archive-1\",\"cbReceiptMoment\":\"2026-01-31T10:15:00Z\",
  \"cbChargeItems\":[],\"cbPayItems\":[],\"ftReceiptCase\":5067112530745229333}")
# the archive is asked for by the row of its receipt
row=$(node -p 'JSON.parse(process.argv[1]).ftQueueRow' "$answer")
post "journal?type=0x4652000000010010&from=$row" '' > "$file"
npx fiskalwerk verify "$file"

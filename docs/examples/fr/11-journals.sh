#!/usr/bin/env bash
# The journal of a chain as a table, and the raw journal with the signature of every document.
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env FR)\"}"
journal() {
  curl -fsS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
    "$FISKALWERK_URL/$QUEUE_ID/json/v1/journal?type=$1"
}
journal 0x4652000000000001
journal 0x4652000000000004
journal 0x4652 | node -p 'JSON.parse(fs.readFileSync(0)).map((row) => row.ReceiptType).join(" ")'

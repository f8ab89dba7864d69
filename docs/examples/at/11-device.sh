#!/usr/bin/env bash
# Group C: the signing device itself signs any bytes (here 1, 2, 3, 4, 5).
set -euo pipefail
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env AT)\"}"
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  "$FISKALWERK_URL/api/v0/iatsscd/zda"
echo
curl -fsS -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" \
  -H 'content-type: application/json' "$FISKALWERK_URL/api/v0/iatsscd/sign" \
  -d '{"dataBase64":"AQIDBAU="}'

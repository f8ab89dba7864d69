#!/usr/bin/env bash
# A card sale from the terminal to the guest: pay, sign, issue, open.
set -euo pipefail
. "$(dirname "$0")/call.sh"

# 1. The payment, at the terminal that serves term1; in the sandbox that is the test terminal.
need POST /pay "$(new_id)" '{"Action":"payment","Protocol":"use_auto","cbTerminalID":"term1",
  "cbPayItem":{"Description":"Card","Amount":15.00}}'
show
pay_items=${body#*'"ftPayItems":'}  # the last member, taken over as it is
pay_items=${pay_items%\}}

# 2. The receipt.
request=$(receipt "sale-$(new_id)" "$pay_items")
need POST /sign "$(new_id)" "$request"
response=$body
show | grep -E '"(ftQueueItemID|ftReceiptIdentification|ftState)"'

# 3. The public address: the pair of request and answer, again as it is.
need POST /issue "$(new_id)" '{"ReceiptRequest":'"$request"',"ReceiptResponse":'"$response"'}'
show
url=$(member DocumentURL)
receipt_path=/issue/$(member ftQueueID)/$(member ftQueueItemID)
call GET "$receipt_path/delivered" "$(new_id)"

# 4. The guest opens it, without any header; the register sees that somebody took it.
curl -sS -o /dev/null -w '--- GET DocumentURL -> %{http_code} %{content_type}\n' "$url"
call GET "$receipt_path/delivered" "$(new_id)"
show

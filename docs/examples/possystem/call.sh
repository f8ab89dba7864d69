# What the numbered scripts of this folder share; they read it, and it does nothing by itself.
: "${CASHBOX_ID:?is not set; first run: eval \"\$(npx fiskalwerk demo --env AT)\"}"
: "${MARKET:?is not set; first run: eval \"\$(npx fiskalwerk demo --env AT)\"}"

# A new id for a new operation: of Linux itself, or of Node.js. Send the same one again when a call
# broke off.
new_id() { cat /proc/sys/kernel/random/uuid 2>/dev/null || node -p 'crypto.randomUUID()'; }

# call METHOD PATH OPERATION-ID [BODY]: answers in $status and $body. Put -H '…' into $more.
more=()
call() {
  local url="$FISKALWERK_URL/v2$2" answer
  local headers=(
    -H "x-cashbox-id: $CASHBOX_ID" -H "x-cashbox-accesstoken: $ACCESS_TOKEN"
    -H "x-operation-id: $3" -H 'x-possystem-id: example-till'
    -H 'content-type: application/json'
  )
  answer=$(curl -sS -X "$1" "${headers[@]}" ${more[@]+"${more[@]}"} ${4+--data-raw "$4"} \
    -w '\n%{http_code}' "$url")
  status=${answer##*$'\n'}
  body=${answer%$'\n'*}
  echo "--- $1 $2 -> $status"
}

# The same, for a step that the next ones need.
need() {
  call "$@"
  case $status in 2*) ;; *) show; exit 1 ;; esac
}

# The answer in lines, for people. 64-bit numbers pass through as they are: a program must not
# read them with a parser that makes doubles of them.
show() {
  node -e '
    const text = process.argv[1].replace(/"(?:[^"\\]|\\.)*"|\d{16,}/g, (one) =>
      one.startsWith("\"") ? one : `"#${one}"`)
    const shown = text === "" ? "(empty)" : JSON.stringify(JSON.parse(text), null, 2)
    console.log(shown.replace(/"#(\d+)"/g, "$1"))
  ' "$body"
}

# member NAME: the text that a member of the answer has
member() { sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p' <<<"$body"; }

# Something in the normal and something in the reduced rate of the country.
case $MARKET in
  DE) normal=19 reduced=7 ;;
  ES) normal=21 reduced=10 ;;
  # the authority there takes documents of today only
  GR) normal=24 reduced=13 moment=$(date -u +%FT%TZ) ;;
  IT) normal=22 reduced=10 ;;
  PT) normal=23 reduced=6 ;;
  *) normal=20 reduced=10 ;;
esac
charge_items='[
  {"Quantity":2,"Description":"Coffee","Amount":9.80,"VATRate":'$normal'},
  {"Quantity":1,"Description":"Strudel","Amount":5.20,"VATRate":'$reduced'}]'
cash='[{"Description":"Cash","Amount":15.00,"ftPayItemCase":"0x2000_0000_0001"}]'

# receipt REFERENCE PAY-ITEMS: a sale. Case words without country, as those here, are read as words
# of the country of the cash box; a charge item without one gets its case from the VAT rate.
receipt() {
  echo '{"cbTerminalID":"term1","cbReceiptReference":"'"$1"'",' \
    '"cbReceiptMoment":"'"${moment:-2026-01-31T10:15:00Z}"'",' \
    '"cbChargeItems":'"$charge_items"',"cbPayItems":'"$2"',' \
    '"ftReceiptCase":"0x2000_0000_0001"}'
}

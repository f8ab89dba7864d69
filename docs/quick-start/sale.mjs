// A sale, signed and handed over: node sale.mjs. No package, Node.js 18 or newer.
const { FISKALWERK_URL, CASHBOX_ID, ACCESS_TOKEN, MARKET = 'AT' } = process.env

/** Sends a call until it is answered. The same id every time: it is executed once. */
async function call(path, body) {
  const operation = crypto.randomUUID()
  for (let tries = 1; ; tries++) {
    try {
      const answer = await fetch(`${FISKALWERK_URL}/v2${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-cashbox-id': CASHBOX_ID,
          'x-cashbox-accesstoken': ACCESS_TOKEN,
          'x-possystem-id': 'quick-start',
          'x-operation-id': operation,
        },
        body,
        signal: AbortSignal.timeout(60_000),
      })
      const text = await answer.text()
      if (answer.ok) return text
      if (answer.status !== 503) throw Object.assign(new Error(text), { final: true })
    } catch (error) {
      if (error.final || tries === 5) throw error
    }
    await new Promise((done) => setTimeout(done, 200 * tries))
  }
}

const rate = { AT: 20, DE: 19 }[MARKET]
const request = JSON.stringify({
  cbReceiptReference: `quick-${crypto.randomUUID()}`,
  cbReceiptMoment: new Date().toISOString(),
  cbChargeItems: [{ Quantity: 2, Description: 'Coffee', Amount: 7.6, VATRate: rate }],
  cbPayItems: [{ Description: 'Cash', Amount: 7.6 }],
})
// text goes on as text: JSON.parse would round the 64-bit words of the answer
const response = await call('/sign', request)
const issued = await call('/issue', `{"ReceiptRequest":${request},"ReceiptResponse":${response}}`)
console.log(JSON.parse(response).ftReceiptIdentification)
console.log(JSON.parse(issued).DocumentURL)

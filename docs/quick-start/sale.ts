// A sale, signed and handed over, with @fiskalwerk/client.
import { posSystem } from '@fiskalwerk/client'

const { FISKALWERK_URL = '', CASHBOX_ID = '', ACCESS_TOKEN = '', MARKET } = process.env
const till = posSystem(
  { cashBoxId: CASHBOX_ID, accessToken: ACCESS_TOKEN, posSystemId: 'quick-start' },
  { url: FISKALWERK_URL },
)

const ReceiptRequest = {
  cbReceiptReference: `quick-${crypto.randomUUID()}`,
  cbReceiptMoment: new Date().toISOString(),
  cbChargeItems: [
    { Quantity: 2, Description: 'Coffee', Amount: 7.6, VATRate: MARKET === 'DE' ? 19 : 20 },
  ],
  cbPayItems: [{ Description: 'Cash', Amount: 7.6 }],
}
const ReceiptResponse = await till.post('/v2/sign', { body: ReceiptRequest })
const issued = await till.post('/v2/issue', { body: { ReceiptRequest, ReceiptResponse } })
const failed = (ReceiptResponse.ftState & 0xffff_ffffn) === 0xeeee_eeeen
console.log(failed ? 'not signed' : ReceiptResponse.ftReceiptIdentification)
console.log(issued.DocumentURL)

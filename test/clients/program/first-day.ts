// A dealer's first day and the first sales of two tills, with clients made from the documents of a
// running server: no casts, nothing that the compiler was told to overlook.
import createClient from 'openapi-fetch'
import type { paths as Dealer } from './made/dealer.js'
import type { paths as Middleware } from './made/middleware.js'
import type { paths as PosSystem } from './made/possystem.js'

interface Till {
  market: string
  cashBoxId: string
  accessToken: string
  queueId: string
}

interface Input {
  url: string
  dealer: { accountId: string; accessToken: string }
  tills: Till[]
}

/** Case words as text: they have more digits than a number of JavaScript. */
const WORDS = {
  AT: { rate: 20, sale: '0x4154000000000001', normal: '0x4154000000000003' },
  DE: { rate: 19, sale: '0x4445000100000001', normal: '0x4445000000000001' },
  FR: { rate: 20, sale: '0x4652000000000001', normal: '0x4652000000000003' },
  GR: { rate: 24, sale: '0x4752200000000001', normal: '0x4752200000000013' },
  IT: { rate: 22, sale: '0x4954200000000001', normal: '0x4954200000000013' },
  PT: { rate: 23, sale: '0x5054200000000001', normal: '0x5054200000000013' },
  ES: { rate: 21, sale: '0x4553200000000001', normal: '0x4553200000000013' },
}
const CASH = {
  AT: '0x4154000000000001',
  DE: '0x4445000000000001',
  FR: '0x4652000000000001',
  GR: '0x4752200000000001',
  IT: '0x4954200000000001',
  PT: '0x5054200000000001',
  ES: '0x4553200000000001',
}

const isKnown = (market: string): market is keyof typeof WORDS => Object.hasOwn(WORDS, market)
const marketOf = ({ market }: Till) => (isKnown(market) ? market : 'AT')
const wordsOf = (till: Till) => WORDS[marketOf(till)]
const cashOf = (till: Till) => CASH[marketOf(till)]
const now = () => new Date().toISOString()

function answered<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data !== undefined) return answer.data
  throw new Error(`${answer.response.status} ${JSON.stringify(answer.error)}`)
}

async function overMiddleware({ url }: Input, till: Till) {
  const { cashBoxId: cashboxid, accessToken: accesstoken, queueId: queue } = till
  const client = createClient<Middleware>({ baseUrl: url, headers: { cashboxid, accesstoken } })
  const { rate, sale, normal } = wordsOf(till)
  const signed = answered(
    await client.POST('/{queue}/json/v1/sign', {
      params: { path: { queue } },
      body: {
        cbTerminalID: '1',
        cbReceiptReference: 'client-1',
        cbReceiptMoment: now(),
        cbChargeItems: [
          {
            quantity: 1,
            description: 'Coffee',
            amount: 3.8,
            vatRate: rate,
            ftChargeItemCase: normal,
          },
        ],
        cbPayItems: [
          { quantity: 1, description: 'Cash', amount: 3.8, ftPayItemCase: cashOf(till) },
        ],
        ftReceiptCase: sale,
      },
    }),
  )
  const journal = answered(
    await client.POST('/{queue}/json/v1/journal', {
      params: { path: { queue }, query: { type: '3' } },
      parseAs: 'text',
    }),
  )
  return {
    identification: signed?.ftReceiptIdentification,
    signatures: signed?.ftSignatures.map(({ caption }) => caption),
    journal: String(journal).length,
  }
}

async function overPosSystem({ url }: Input, till: Till) {
  const client = createClient<PosSystem>({
    baseUrl: url,
    headers: { 'x-cashbox-id': till.cashBoxId, 'x-cashbox-accesstoken': till.accessToken },
  })
  const header = () => ({
    'x-operation-id': crypto.randomUUID(),
    'x-possystem-id': 'first-day',
  })
  const signed = answered(
    await client.POST('/v2/sign', {
      params: { header: header() },
      body: {
        cbReceiptReference: 'client-2',
        cbReceiptMoment: now(),
        cbChargeItems: [
          { Quantity: 1, Description: 'Tea', Amount: 3.2, VATRate: wordsOf(till).rate },
        ],
        cbPayItems: [{ Description: 'Cash', Amount: 3.2 }],
      },
    }),
  )
  const journal = answered(
    await client.POST('/v2/journal', {
      params: { header: header() },
      body: { ftJournalType: '2' },
      parseAs: 'text',
    }),
  )
  return {
    identification: signed.ftReceiptIdentification,
    signatures: signed.ftSignatures.map(({ Caption }) => Caption),
    journal: String(journal).length,
  }
}

const TEMPLATE = JSON.stringify({
  ftCashBoxId: '|[cashbox_id]|',
  ftSignaturCreationDevices: [
    {
      Id: '|[scu0_id]|',
      Package: 'fiskalwerk.SCU.AT.Software',
      Description: 'Signer of the first till',
      Url: ['|[scu0_url]|'],
    },
  ],
  ftQueues: [
    {
      Id: '|[queue0_id]|',
      Package: 'fiskalwerk.Queue',
      Url: ['|[queue0_url]|'],
      Configuration: {
        init_ftQueueAT: [{ ftQueueATId: '|[queue0_id]|', CashBoxIdentification: 'first-till' }],
      },
    },
  ],
})

async function firstDay({ url, dealer }: Input) {
  const { accountId, accessToken } = dealer
  const client = createClient<Dealer>({ baseUrl: url, headers: { accountId, accessToken } })
  const operators = answered(await client.GET('/api/posoperators'))
  const [operator] = operators
  if (operator === undefined) throw new Error('nobody is connected to this dealer')
  const path = { posOperatorId: operator.id }
  const { id } = answered(
    await client.POST('/api/pos-operators-invitation', {
      body: {
        company: {
          ...{ name: 'Shop of the first day', email: 'first@day.example' },
          ...{ addressLine1: 'Ring 1', postalCode: '1010', city: 'Wien', country: 'AT' },
        },
        contact: { firstName: 'Eva', lastName: 'Day', email: 'eva@day.example' },
        accessRights: 'Full',
      },
    }),
  )
  const invitations = answered(await client.GET('/api/pos-operators-invitation'))
  const outlet = answered(
    await client.POST('/api/posoperators/{posOperatorId}/outlets', {
      params: { path },
      body: {
        ...{ name: 'Shop 1', address: 'Ring 2', postalCode: '1010', city: 'Wien', country: 'AT' },
      },
    }),
  )
  const made = answered(
    await client.POST('/api/posoperators/{posOperatorId}/templates', {
      params: { path, query: { outlet_number: outlet.outletNumber } },
      body: TEMPLATE,
    }),
  )
  const box = answered(
    await client.GET('/api/posoperators/{posOperatorId}/cashboxes/{cashBoxId}', {
      params: { path: { ...path, cashBoxId: made.cashBoxId } },
    }),
  )
  const pin = answered(
    await client.POST('/api/posoperators/{posOperatorId}/cashboxes/{cashBoxId}/pairing-pin', {
      params: { path: { ...path, cashBoxId: made.cashBoxId } },
    }),
  )
  return {
    invited: invitations.some((one) => one.id === id),
    ...{ outlet: outlet.outletNumber, queues: box.queues.length, pin },
  }
}

const input: Input = JSON.parse(process.argv[2] ?? '{}')
const sales = []
for (const till of input.tills) {
  sales.push({ middleware: await overMiddleware(input, till) })
  sales.push({ possystem: await overPosSystem(input, till) })
}
console.log(JSON.stringify({ sales, day: await firstDay(input) }))

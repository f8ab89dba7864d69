// Hints of the sandbox for the programmer of a register: what is told, and that nothing else of the
// receipt differs; in production there are none.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  type Server,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'

let server: TestServer
let production: Server
beforeAll(async () => {
  server = await startTestServer()
  production = await startServer(server, {
    ENVIRONMENT: 'production',
    ALLOW_SOFTWARE_DEVICES: 'true',
    PUBLIC_URL: 'https://kassa.example',
  })
})
afterAll(async () => {
  await production.close()
  await server.close()
})

const CHARGE = '{"Quantity":1,"Description":"x","Amount":2.4,"VATRate":20,"ftChargeItemCase":3}'
const PAY = '{"Quantity":1,"Description":"Bar","Amount":2.4,"ftPayItemCase":1}'

interface Parts {
  charges?: string
  pays?: string
  more?: string
}

function sale({ charges = CHARGE, pays = PAY, more = '' }: Parts = {}): string {
  return `{"ftCashBoxID":"${server.box.cashBoxId}","cbTerminalID":"1",
    "cbReceiptReference":"${randomUUID()}","cbReceiptMoment":"2026-01-31T10:15:00Z",
    "cbChargeItems":[${charges}],"cbPayItems":[${pays}],
    "ftReceiptCase":4707387510509010945${more}}`
}

interface Item {
  caption: string
  data: string
  ftSignatureType: number
}

async function signed(to: Pick<Server, 'app'>, body: string): Promise<Item[]> {
  const { status, text } = await call({ app: to.app, headers: server.headers }, '/json/v1/sign', {
    body,
  })
  expect(status, text).toBe(200)
  return (JSON.parse(text) as { ftSignatures: Item[] }).ftSignatures
}

const hintsOf = (items: Item[]) =>
  items
    .filter(({ caption }) => caption.startsWith('[Hint] '))
    .map(({ caption, data }) => `${caption.slice(7)}: ${data}`)

const CASES: readonly (readonly [string, Parts, string[]])[] = [
  ['a sound sale', {}, []],
  [
    'misspelt members',
    {
      charges: CHARGE.replace('VATRate', 'VatRat').replace('}', ',"Desciption":"y","Foo":1}'),
      pays: PAY.replace('}', ',"Amuont":1}'),
      more: ',"cbRecieptAmount":2.4,"cbSomethingElse":1',
    },
    [
      'MemberUnknown: cbRecieptAmount is not read; cbReceiptAmount is.',
      'MemberUnknown: cbChargeItems[0].VatRat is not read; VATRate is.',
      'MemberUnknown: cbChargeItems[0].Desciption is not read; Description is.',
      'MemberUnknown: cbPayItems[0].Amuont is not read; Amount is.',
      'RateOfOtherCase: cbChargeItems[0] has VATRate 0; its case is for 20 %. The case counts.',
    ],
  ],
  [
    'payments unlike items',
    { pays: PAY.replace('2.4', '2') },
    ['PaymentsUnlikeItems: The charge items are 2.4 together, the pay items 2.'],
  ],
  [
    'a rate that the case does not have',
    { charges: CHARGE.replace('20', '10') },
    ['RateOfOtherCase: cbChargeItems[0] has VATRate 10; its case is for 20 %. The case counts.'],
  ],
  [
    'missing amounts',
    { charges: `${CHARGE},{"Description":"y"}` },
    ['AmountMissing: cbChargeItems[1] has no Amount; it counts as 0.'],
  ],
]

describe('a hint', () => {
  it.each(CASES)('for %s', async (_, parts, expected) => {
    const items = await signed(server, sale(parts))
    expect(hintsOf(items)).toEqual(expected)
    // the mark of the sandbox stays the last, and the code is there
    expect(items.at(-1)?.caption).toBe('S A N D B O X')
    expect(items.some(({ data }) => data.startsWith('_R1-'))).toBe(true)
  })

  it('is never given in production, where the rest is the same', async () => {
    for (const [name, parts] of CASES) {
      const items = await signed(production, sale(parts))
      expect(hintsOf(items), name).toEqual([])
      expect(
        items.map(({ caption }) => caption),
        name,
      ).toEqual([''])
    }
  })

  it('changes nothing that is signed: the same amounts with and without it', async () => {
    const amountsOf = (items: Item[]) =>
      items
        .find(({ data }) => data.startsWith('_R1-'))
        ?.data.split('_')
        .slice(5, 10)
    const plain = await signed(server, sale())
    const hinted = await signed(server, sale({ more: ',"cbUsr":"x"' }))
    expect(hintsOf(hinted)).toEqual(['MemberUnknown: cbUsr is not read; cbUser is.'])
    expect(amountsOf(hinted)).toEqual(amountsOf(plain))
  })

  it('of a receipt full of faults is one of ten', async () => {
    const items = await signed(
      server,
      sale({ charges: Array.from({ length: 200 }, () => CHARGE.replace('20', '7')).join(',') }),
    )
    expect(hintsOf(items)).toHaveLength(10)
  })

  it('is read from XML as well', async () => {
    const body = `<ReceiptRequest><ftCashBoxID>${server.box.cashBoxId}</ftCashBoxID>
      <cbReceiptMoment>2026-01-31T10:15:00Z</cbReceiptMoment><cbUsr>x</cbUsr>
      <cbChargeItems/><cbPayItems/><ftReceiptCase>4707387510509010946</ftReceiptCase>
      </ReceiptRequest>`
    const { text } = await call(server, '/xml/v1/sign', {
      body,
      headers: { 'content-type': 'application/xml' },
    })
    expect(text).toContain('cbUsr is not read; cbUser is.')
  })
})

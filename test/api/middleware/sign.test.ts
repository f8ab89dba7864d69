// Sign of group B: bodies as published clients send them, and what is stored of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configureQueue } from '../../../src/core/rollout/units.js'
import { sha256 } from '../../../src/lib/hash.js'
import { JsonNumber, JsonObject, parseJson } from '../../../src/lib/json.js'
import { marketOf } from '../../../src/market/index.js'
import {
  call,
  countRows,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import { austrianCase, saleText } from '../../support/receipts.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const sign = (body: string | Buffer, path = '/json/v1/sign') =>
  call(server, `/${server.box.queueId}${path}`, { body })

/** Signs and expects an answer. */
async function signed(body: string, path?: string) {
  const answer = await sign(body, path)
  expect(answer.status, answer.text).toBe(200)
  return answer
}

function numberText(text: string, name: string): string {
  const value = parseJson(text)
  const member = value instanceof JsonObject ? value.get(name) : undefined
  return member instanceof JsonNumber ? member.text : ''
}

describe('bodies of published clients', () => {
  it('the zero receipt of the C demo, with seconds where milliseconds belong', async () => {
    const { text } = await signed(
      `{"ftCashBoxID":"${server.box.cashBoxId}",` +
        '"ftPosSystemId":"7b5955e3-4944-4ff2-8df9-46166b70132a","cbTerminalID":"1",' +
        '"cbReceiptReference":"1","cbReceiptMoment":"\\/Date(1795212145)\\/",' +
        '"cbChargeItems":[],"cbPayItems":[],"ftReceiptCase":4707387510509010946}',
      '/json/V0/sign',
    )
    // the answer's date comes in the form of the request's
    expect(text).toMatch(/"ftReceiptMoment":"\\\/Date\(\d{13}\)\\\/"/)
    expect(numberText(text, 'ftState')).toBe('4707387510509010944')
  })

  it('its cash receipt', async () => {
    const { text } = await signed(
      `{"ftCashBoxID":"${server.box.cashBoxId}",` +
        '"ftPosSystemId":"7b5955e3-4944-4ff2-8df9-46166b70132a","cbTerminalID":"1",' +
        '"cbReceiptReference":"1","cbReceiptMoment":"\\/Date(1795212145)\\/","cbChargeItems":[{' +
        '"Quantity":10.0,"Description":"Food","Amount":5.0,"VATRate":10.0,' +
        '"ftChargeItemCase":4707387510509010944,"ProductNumber":"1"}],"cbPayItems":[{' +
        '"Quantity":10.0,"Description":"Cash","Amount":5.0,"ftPayItemCase":4707387510509010944}],' +
        '"ftReceiptCase":4707387510509010945}',
      '/json/V0/sign',
    )
    // 5.00 at 10 % stands in the second field of amounts of the machine-readable code
    expect(text).toContain('_0,00_5,00_0,00_0,00_0,00_')
  })

  it('the Python demo: every optional member is there, as null', async () => {
    const answer = await signed(
      `{"ftCashBoxID":"${server.box.cashBoxId}","ftQueueID":null,"ftPosSystemId":null,` +
        '"cbTerminalID":"T1","cbReceiptReference":"INIT","cbUser":"ADMIN","cbArea":null,' +
        '"cbReceiptMoment":"2020-06-29T17:45:40.505Z","cbChargeItems":[{"Position":null,' +
        '"Quantity":1.0,"Description":"Food","Amount":3.0,"VATRate":20.0,"VATAmount":null,' +
        '"ftChargeItemCase":4707387510509010947,"ftChargeItemCaseData":null,"CostCenter":null,' +
        '"AccountNumber":null,"ProductGroup":null,"ProductNumber":null,"ProductBarcode":null,' +
        '"Unit":null,"UnitQuantity":null,"UnitPrice":null,"Moment":null}],"cbPayItems":[{' +
        '"Position":null,"Quantity":1.0,"Description":"Cash","Amount":3.0,"Moment":null,' +
        '"ftPayItemCase":4707387510509010945,"ftPayItemCaseData":null,"AccountNumber":null,' +
        '"CostCenter":null,"MoneyGroup":null,"MoneyNumber":null}],"cbReceiptAmount":null,' +
        '"cbCustomer":null,"cbSettlement":null,"cbPreviousReceiptReference":null,' +
        '"ftReceiptCase":4707387510509010945,"ftReceiptCaseData":null}',
      '/json/Sign',
    )
    const json = answer.json()
    expect(json).toMatchObject({ cbTerminalID: 'T1', cbReceiptReference: 'INIT' })
    for (const signature of json.ftSignatures as Record<string, unknown>[]) {
      expect(Object.keys(signature)).toEqual([
        'ftSignatureFormat',
        'ftSignatureType',
        'caption',
        'data',
      ])
      expect([typeof signature.caption, typeof signature.data]).toEqual(['string', 'string'])
    }
  })

  it('the collection with a trailing comma, in an array and in an object', async () => {
    await signed(saleText().replace('}],"cbPayItems"', '},],"cbPayItems"'), '/json/Sign')
    await signed(saleText().replace(/}$/, ',\r\n}'), '/json/v1/Sign')
    expect((await sign(saleText().replace(/}$/, ',,}'))).status).toBe(400)
  })

  it('case data that is no JSON is an opaque text', async () => {
    await signed(saleText({ ftReceiptCaseData: '"{ManagerId: 17"' }))
  })

  it('a byte order mark and white space around the body', async () => {
    await signed(`\ufeff\r\n ${saleText()}\n`)
  })
})

describe('the answer', () => {
  it('has exactly the members of a genuine one, in the sandbox with the explanation', async () => {
    const { text } = await signed(saleText())
    const value = parseJson(text)
    expect(value instanceof JsonObject ? value.names : []).toEqual([
      ...['ftCashBoxID', 'ftQueueID', 'ftQueueItemID', 'ftQueueRow', 'cbTerminalID'],
      ...['cbReceiptReference', 'ftCashBoxIdentification', 'ftReceiptIdentification'],
      ...['ftReceiptMoment', 'ftSignatures', 'ftState', 'ftStateData'],
    ])
  })

  it('is byte for byte the text that is stored and hashed, and so is the request', async () => {
    const body = saleText({ cbUser: '"Grüße\\u00fc 🌍"', Unknown: '{ "a" : [1.50 , 2] }' })
    const { text, json } = await signed(body)
    const row = await server.row('select * from queue_item where id = $1', [json().ftQueueItemID])
    expect(row.response).toBe(text)
    expect(row.request).toBe(body)
    expect(row.request_hash).toEqual(sha256(body))
    expect(row.response_hash).toEqual(sha256(text))
    expect(row.version).toBe('v1')
  })

  it('counts rows without gap', async () => {
    const first = (await signed(saleText())).json().ftQueueRow
    const second = (await signed(saleText())).json().ftQueueRow
    expect(Number(second) - Number(first)).toBe(1)
  })

  it('tells missing references as null', async () => {
    const { json } = await signed(saleText({ cbTerminalID: undefined, cbReceiptReference: 'null' }))
    expect(json()).toMatchObject({ cbTerminalID: null, cbReceiptReference: null })
  })

  it('the version of the path is kept with the item: without one it is v0', async () => {
    for (const [path, version] of [
      ['/json/v1/sign', 'v1'],
      ['/v0/sign', 'v0'],
      ['/json/sign', 'v0'],
    ]) {
      const { json } = await signed(saleText(), path)
      const row = await server.row('select version from queue_item where id = $1', [
        json().ftQueueItemID,
      ])
      expect(row.version).toBe(version)
    }
  })

  it('has nested names in Pascal case when the server is configured so', async () => {
    const other = await startServer(server, { nestedNames: 'pascal' })
    try {
      const target = { ...other, headers: server.headers }
      const { text } = await call(target, '/json/v1/sign', { body: saleText() })
      expect(text).toContain('"Caption":')
      expect(text).not.toContain('"caption":')
      expect(text).toContain('"ftState":')
    } finally {
      await other.close()
    }
  })
})

describe('names of nested members', () => {
  const namesIn = async (target: { app: typeof server.app; headers: typeof server.headers }) => {
    const { text } = await call(target, '/json/v1/sign', { body: saleText() })
    return /"(caption)":/i.exec(text)?.[1]
  }

  it('are Pascal where no credentials are asked for, unless the setting says more', async () => {
    const local = { MIDDLEWARE_AUTH: 'off' }
    for (const [variables, name] of [
      [local, 'Caption'],
      [{ ...local, nestedNames: 'camel' }, 'caption'],
      [{ nestedNames: 'auto' }, 'caption'],
    ] as const) {
      const other = await startServer(server, variables)
      expect(await namesIn({ ...other, headers: server.headers })).toBe(name)
      await other.close()
    }
  })

  it('are those that the configuration of the cash box asks for', async () => {
    const { queueId } = server.box
    const configure = async (configuration: object) => {
      await configureQueue(
        { store: server.deps.store, marketOf, now: () => new Date() },
        { queueId, configuration: { ...configuration } },
      )
    }
    await configure({ 'nested-names': 'pascal' })
    expect(await namesIn(server)).toBe('Caption')
    await configure({})
    expect(await namesIn(server)).toBe('caption')
    await expect(configure({ 'nested-names': 'snake' })).rejects.toThrow()
  })
})

describe('numbers and names', () => {
  it('case words as texts, decimal and hexadecimal', async () => {
    for (const word of ['"4707387510509010945"', '"0x4154000000000001"', '4707387510509010945']) {
      const { text } = await signed(saleText({ ftReceiptCase: word }))
      expect(numberText(text, 'ftState')).toBe('4707387510509010944')
    }
  })

  it('amounts as texts give the same code', async () => {
    const items = (amount: string) =>
      `[{"amount":${amount},"vatRate":20,"ftChargeItemCase":"0x4154000000000003"}]`
    for (const amount of ['4.8', '"4.8"', '4.80', '48e-1']) {
      const { text } = await signed(saleText({ cbChargeItems: items(amount) }))
      expect(text).toContain('_4,80_0,00_0,00_0,00_0,00_')
    }
  })

  it('numbers in texts are kept as they are', async () => {
    const { json } = await signed(saleText({ cbUser: '12', cbTerminalID: '7', cbArea: '3.50' }))
    expect(json().cbTerminalID).toBe('7')
  })

  it('other spellings of names', async () => {
    const { json } = await signed(
      saleText({ cbTerminalID: undefined, cbterminalid: '"x"', FTCASHBOXID: '""' }),
    )
    expect(json().cbTerminalID).toBe('x')
  })

  it('ftCashBoxID missing, null or empty is taken from the header', async () => {
    for (const id of [undefined, 'null', '""', `"${server.box.cashBoxId.toUpperCase()}"`]) {
      const { json } = await signed(saleText({ ftCashBoxID: id }))
      expect(json().ftCashBoxID).toBe(server.box.cashBoxId)
    }
  })

  it('the same reference without flag is a new receipt each time', async () => {
    const before = await countRows(server)
    const ids = [1, 2, 3].map(async () => (await signed(saleText())).json().ftQueueItemID)
    expect(new Set(await Promise.all(ids)).size).toBe(3)
    expect(Number((await countRows(server)).items) - Number(before.items)).toBe(3)
  })
})

describe('extreme values are answered', () => {
  it.each([
    ['quantity', '{"Quantity":79228162514264337593543950335,"Amount":1}'],
    ['small quantity', '{"Quantity":0.0000000000000000000000000001,"Amount":1}'],
    ['rate', '{"VATRate":79228162514264337593543950335,"Amount":1}'],
    ['position', '{"Position":9223372036854775807,"Amount":1}'],
    ['vat amount', '{"VATAmount":-79228162514264337593543950335,"Amount":1}'],
    ['unit price', '{"UnitPrice":79228162514264337593543950335,"UnitQuantity":1e-28,"Amount":1}'],
    ['case', '{"ftChargeItemCase":-1,"Amount":1}'],
    ['smallest case', '{"ftChargeItemCase":-9223372036854775808,"Amount":1}'],
    ['fractions of a cent', '{"Amount":0.0000000000000000000000000001}'],
  ])('%s', async (_name, item) => {
    const { status, text } = await sign(saleText({ cbChargeItems: `[${item}]` }))
    expect(status, text).toBeLessThan(500)
  })

  it.each([
    '79228162514264337593543950335',
    '-79228162514264337593543950335',
    '92233720368547758.07',
    '92233720368547758.08',
    '-92233720368547758.09',
  ])('an amount of %s', async (amount) => {
    const item = `[{"Amount":${amount},"VATRate":20,"ftChargeItemCase":4707387510509010947}]`
    const pay = `[{"Amount":${amount},"ftPayItemCase":4707387510509010945}]`
    const { status, text } = await sign(saleText({ cbChargeItems: item, cbPayItems: pay }))
    expect(status, text).toBeLessThan(500)
    // and the queue goes on
    expect((await sign(saleText())).status).toBe(200)
  })

  it.each(['0001-01-01T00:00:00', '9999-12-31T23:59:59.999Z', '1970-01-01T00:00:00Z'])(
    'a moment of %s, in each kind of receipt',
    async (moment) => {
      for (const code of [0x1n, 0x2n, 0x5n, 0x1_0001n, 0x8_0001n]) {
        const empty = code < 0x1_0000n && code > 1n ? { cbChargeItems: '[]', cbPayItems: '[]' } : {}
        const body = saleText({
          ...empty,
          cbReceiptMoment: `"${moment}"`,
          ftReceiptCase: austrianCase(code),
        })
        const { status, text } = await sign(body)
        expect(status, text).toBe(200)
      }
    },
  )

  it.each(['9999999999999.99', '-0.001', '1e-28'])('a total of %s', async (amount) => {
    const { status, text } = await sign(saleText({ cbReceiptAmount: amount }))
    expect(status, text).toBe(200)
  })

  it('ten thousand items', async () => {
    const items = new Array(10_000).fill('{"Amount":0.01,"VATRate":20}').join(',')
    const { text } = await signed(saleText({ cbChargeItems: `[${items}]` }))
    expect(text).toContain('_100,00_0,00_0,00_0,00_0,00_')
  })
})

// The description that we serve, and clients that a public tool generates from it: no line of them
// is ours.

import { BasicAuthSecurity, type Client, createClientAsync } from 'soap'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../support/shop.js'
import { at, DATA, readXml } from '../../support/soap.js'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

async function clientOf(market: string): Promise<{ client: Client; cashBoxId: string }> {
  const box = shop.demo.cashBoxes.find((one) => one.market === market)
  if (box === undefined) throw new Error(`the demo has no cash box of ${market}`)
  const client = await createClientAsync(`${shop.url}/${box.queueId}?wsdl`)
  client.setSecurity(new BasicAuthSecurity(box.cashBoxId, box.accessToken))
  return { client, cashBoxId: box.cashBoxId }
}

async function ask(client: Client, operation: string, input: object): Promise<unknown> {
  const answer: unknown = await client[`${operation}Async`](input)
  return Array.isArray(answer) ? at(answer[0], `${operation}Result`) : undefined
}

/** Words as texts: what generated clients of this language have for them is a double. */
const MARKETS = [
  {
    market: 'AT',
    sale: '4707387510509010945',
    charge: '4707387510509010947',
    pay: '4707387510509010945',
    state: '4707387510509010944',
  },
  {
    market: 'DE',
    sale: '4919338172267102209',
    charge: '4919338167972134929',
    pay: '4919338167972134913',
    state: '4919338167972134912',
  },
]

describe.each(MARKETS)('a client generated from the WSDL: $market', (words) => {
  const moment = '2026-01-31T10:15:00Z'

  it('echoes, signs, and reads the journal', async () => {
    const { client, cashBoxId } = await clientOf(words.market)
    expect(
      Object.keys(Object(at(client.describe(), 'worker.BasicHttpBinding_IPOS'))).sort(),
    ).toEqual(['Echo', 'Journal', 'Sign'])
    expect(await ask(client, 'Echo', { message: 'grüß <dich> & 🌍' })).toBe('grüß <dich> & 🌍')
    await ask(client, 'Sign', {
      data: {
        ftCashBoxID: cashBoxId,
        cbTerminalID: '1',
        cbReceiptReference: 'soap-1',
        cbReceiptMoment: moment,
        cbChargeItems: {
          ChargeItem: [
            {
              Quantity: '2.0',
              Description: 'Kaffee & <Kuchen>',
              Amount: '9.80',
              VATRate: '20',
              ftChargeItemCase: words.charge,
            },
          ],
        },
        cbPayItems: {
          PayItem: [
            { Quantity: '1', Description: 'Bar', Amount: '9.80', ftPayItemCase: words.pay },
          ],
        },
        ftReceiptCase: words.sale,
      },
    })
    const result = at(readXml(String(client.lastResponse)), 'Envelope.Body.SignResponse.SignResult')
    expect(result).toMatchObject({
      ftCashBoxID: cashBoxId,
      cbReceiptReference: 'soap-1',
      ftState: words.state,
      ftQueueRow: '2',
    })
    const text = Buffer.from(String(await ask(client, 'Journal', { ftJournalType: '3' })), 'base64')
    const rows = JSON.parse(text.toString()) as Record<string, string>[]
    expect(rows.map((row) => row.cbReceiptReference)).toContain('soap-1')
    const request = JSON.parse(rows.at(-1)?.request ?? '') as { cbChargeItems: object[] }
    expect(request.cbChargeItems[0]).toMatchObject({
      Quantity: 2,
      Description: 'Kaffee & <Kuchen>',
    })
  })

  it('gets the reason of a refusal', async () => {
    const { client, cashBoxId } = await clientOf(words.market)
    const data = {
      ftCashBoxID: cashBoxId,
      cbReceiptMoment: moment,
      ftReceiptCase: '307458639793225729',
    }
    await expect(ask(client, 'Sign', { data })).rejects.toThrow(/another country/)
    client.setSecurity(new BasicAuthSecurity(cashBoxId, 'wrong'))
    await expect(ask(client, 'Echo', { message: 'x' })).rejects.toThrow(/do not belong together/)
  })
})

describe('the description', () => {
  const get = async (path: string) => {
    const reply = await fetch(shop.url + path)
    return {
      status: reply.status,
      type: reply.headers.get('content-type'),
      text: await reply.text(),
    }
  }

  it('is served without credentials, for every spelling of the question', async () => {
    const { queueId } = shop.box
    const { text } = await get(`/${queueId}?wsdl`)
    expect(text).toContain(`<soap:address location="${shop.url}/${queueId}"`)
    for (const path of [`/${queueId}?WSDL`, `/${queueId}/?singleWsdl`, `/${queueId}?wsdl=x`]) {
      expect(await get(path), path).toEqual({ status: 200, type: 'text/xml; charset=utf-8', text })
    }
    expect((await get('/?wsdl')).text).toContain(`<soap:address location="${shop.url}"`)
    for (const path of ['/nobody?wsdl', `/${queueId}?xsd=xsd9`]) {
      expect((await get(path)).status, path).toBe(404)
    }
    // asks for no description: an address to which one posts
    expect((await get(`/${queueId}?x=wsdl`)).status).toBe(405)
  })

  it('has the names of the public contract', async () => {
    const { text } = await get(`/${shop.box.queueId}?wsdl`)
    const wsdl = at(readXml(text), 'definitions')
    expect(wsdl).toMatchObject({
      '@name': 'worker',
      '@targetNamespace': 'http://tempuri.org/',
      portType: { '@name': 'IPOS' },
      binding: { '@name': 'BasicHttpBinding_IPOS', '@type': 'tns:IPOS' },
      service: { '@name': 'worker', port: { '@name': 'BasicHttpBinding_IPOS' } },
    })
    for (const name of ['Sign', 'Journal', 'Echo']) {
      expect(text).toContain(`soapAction="http://tempuri.org/IPOS/${name}"`)
      expect(text).toContain(`wsam:Action="http://tempuri.org/IPOS/${name}Response"`)
      expect(text).toContain(`<wsdl:message name="IPOS_${name}_InputMessage">`)
    }
  })

  /** Written down from the published contract, a star for what may be left out. */
  const ORDER: Record<string, string> = {
    ReceiptRequest:
      'ftCashBoxID ftQueueID* ftPosSystemId* cbTerminalID cbReceiptReference cbReceiptMoment ' +
      'cbChargeItems cbPayItems ftReceiptCase ftReceiptCaseData* cbReceiptAmount* cbUser* ' +
      'cbArea* cbCustomer* cbSettlement* cbPreviousReceiptReference*',
    ChargeItem:
      'Position* Quantity Description Amount VATRate ftChargeItemCase ftChargeItemCaseData* ' +
      'VATAmount* AccountNumber* CostCenter* ProductGroup* ProductNumber* ProductBarcode* Unit* ' +
      'UnitQuantity* UnitPrice* Moment*',
    PayItem:
      'Position* Quantity Description Amount ftPayItemCase ftPayItemCaseData* AccountNumber* ' +
      'CostCenter* MoneyGroup* MoneyNumber* Moment*',
    ReceiptResponse:
      'ftCashBoxID ftQueueID ftQueueItemID ftQueueRow cbTerminalID cbReceiptReference ' +
      'ftCashBoxIdentification ftReceiptIdentification ftReceiptMoment ftReceiptHeader* ' +
      'ftChargeItems* ftChargeLines* ftPayItems* ftPayLines* ftSignatures ftReceiptFooter* ' +
      'ftState ftStateData*',
    SignaturItem: 'ftSignatureFormat ftSignatureType Caption* Data',
    ArrayOfChargeItem: 'ChargeItem*',
    ArrayOfPayItem: 'PayItem*',
    ArrayOfSignaturItem: 'SignaturItem*',
  }

  it('has every member in the order of the public contract', async () => {
    const { text } = await get(`/${shop.box.queueId}?xsd=xsd2`)
    expect(text).toContain(`targetNamespace="${DATA}"`)
    const types = at(readXml(text), 'schema.complexType') as Record<string, unknown>[]
    const told = types.map((type) => {
      const elements = [at(type, 'sequence.element')].flat()
      const names = elements.map(
        (one) => `${String(at(one, '@name'))}${at(one, '@minOccurs') === '0' ? '*' : ''}`,
      )
      return [type['@name'], names.join(' ')]
    })
    expect(Object.fromEntries(told)).toEqual(ORDER)
  })

  it('comes in parts as well, each saying where the others are', async () => {
    const { queueId } = shop.box
    const first = await get(`/${queueId}?xsd=xsd0`)
    const places = [...first.text.matchAll(/schemaLocation="([^"]+)"/g)].map(([, url]) => url)
    expect(places).toHaveLength(2)
    for (const place of places) {
      const part = await fetch(String(place))
      expect([part.status, (await part.text()).includes('<xs:schema')]).toEqual([200, true])
    }
  })
})

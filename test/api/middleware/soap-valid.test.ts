// Our schemas and our answers before a judge that is not ours: libxml2.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validateXML, type XMLFileInfo } from 'xmllint-wasm'
import type { DemoCashBox } from '../../../src/core/rollout/demo.js'
import { openShop, type Shop } from '../../support/shop.js'
import { DATA, ENVELOPE_12, envelope, operation } from '../../support/soap.js'

const XSD = 'http://www.w3.org/2001/XMLSchema'
const PARTS = [0, 1, 2, 3, 4]

let shop: Shop
let parts: XMLFileInfo[]
beforeAll(async () => {
  shop = await openShop()
  parts = await Promise.all(PARTS.map((number) => partOf(`/${shop.box.queueId}`, number)))
})
afterAll(() => shop.close())

/** A part of the description whose imports name files instead of addresses. */
async function partOf(path: string, number: number): Promise<XMLFileInfo> {
  const text = await (await fetch(`${shop.url}${path}?xsd=xsd${number}`)).text()
  return {
    fileName: `xsd${number}.xsd`,
    contents: text.replace(/schemaLocation="[^"]*\?xsd=(xsd\d)"/g, 'schemaLocation="$1.xsd"'),
  }
}

const importOf = ({ fileName, contents }: XMLFileInfo) => {
  const namespace = /targetNamespace="([^"]+)"/.exec(String(contents))?.[1] ?? ''
  return `<xs:import namespace="${namespace}" schemaLocation="${fileName}"/>`
}

/** What is wrong with a document by these schemas. */
async function faultsOf(xml: string, by: XMLFileInfo[] = parts): Promise<string[]> {
  const all = `<xs:schema xmlns:xs="${XSD}">${by.map(importOf).join('')}</xs:schema>`
  const { valid, errors, rawOutput } = await validateXML({
    xml: [{ fileName: 'answer.xml', contents: xml }],
    schema: [{ fileName: 'all.xsd', contents: all }],
    preload: by,
  })
  return valid ? [] : [...errors.map(({ message }) => message), rawOutput].slice(0, 3)
}

const MARKETS = [
  { market: 'AT', base: 0x4154n << 48n, flag: 0n, charge: 3n },
  { market: 'DE', base: 0x4445n << 48n, flag: 0x1_0000_0000n, charge: 0x11n },
]

describe.each(MARKETS)('by the schema of the WSDL: $market', ({ market, base, flag, charge }) => {
  let box: DemoCashBox
  beforeAll(() => {
    const found = shop.demo.cashBoxes.find((one) => one.market === market)
    if (found === undefined) throw new Error(`the demo has no cash box of ${market}`)
    box = found
  })

  const items =
    '<a:cbChargeItems><a:ChargeItem><a:Quantity>1</a:Quantity><a:Description>ä &amp; b' +
    '</a:Description><a:Amount>1.50</a:Amount><a:VATRate>20</a:VATRate>' +
    `<a:ftChargeItemCase>${base + charge}</a:ftChargeItemCase></a:ChargeItem></a:cbChargeItems>` +
    '<a:cbPayItems><a:PayItem><a:Quantity>1</a:Quantity><a:Description>Bar</a:Description>' +
    `<a:Amount>1.50</a:Amount><a:ftPayItemCase>${base + 1n}</a:ftPayItemCase></a:PayItem>` +
    '</a:cbPayItems>'
  const receipt = (word: bigint, lists: string) =>
    `<a:ftCashBoxID>${box.cashBoxId}</a:ftCashBoxID><a:cbTerminalID>1</a:cbTerminalID>` +
    '<a:cbReceiptReference>v</a:cbReceiptReference>' +
    `<a:cbReceiptMoment>2026-01-31T10:15:00Z</a:cbReceiptMoment>${lists}` +
    `<a:ftReceiptCase>${base + flag + word}</a:ftReceiptCase>`
  const EMPTY = '<a:cbChargeItems/><a:cbPayItems/>'
  const post = async (path: string, body: string) => {
    const { cashBoxId, accessToken } = box
    const headers = { cashboxid: cashBoxId, accesstoken: accessToken, 'content-type': 'text/xml' }
    const reply = await fetch(`${shop.url}/${box.queueId}${path}`, {
      method: 'POST',
      headers,
      body,
    })
    expect(reply.status).toBe(200)
    return await reply.text()
  }

  it.each([
    ['a sale', 1n, items],
    ['a zero receipt', 2n, EMPTY],
    ['training', 0x2_0001n, items],
    ['a failed receipt', 0x1_0001n, items],
    ['nothing found', 0x8000_0000_0001n, EMPTY],
  ])('the answer to %s is valid in SOAP and in REST XML, as the question is', async (...row) => {
    const [, word, lists] = row
    const data = `<data xmlns:a="${DATA}">${receipt(word, lists)}</data>`
    const question = operation('Sign', data)
    expect(await faultsOf(question)).toEqual([])
    const answer = await post('', envelope(question))
    const content = /<s:Body>(.*)<\/s:Body>/s.exec(answer)?.[1] ?? ''
    expect(content).toMatch(/^<SignResponse/)
    expect(await faultsOf(content)).toEqual([])
    const element = `<a:ReceiptRequest xmlns:a="${DATA}">${receipt(word, lists)}</a:ReceiptRequest>`
    expect(await faultsOf(element)).toEqual([])
    expect(await faultsOf(await post('/xml/v1/sign', element))).toEqual([])
  })

  it.each([
    operation('Echo', '<message>x</message>'),
    operation('Echo'),
    operation('Journal', '<ftJournalType>3</ftJournalType><from>0</from><to>-2</to>'),
    operation('Journal'),
  ])('%s is answered with what is valid', async (question) => {
    expect(await faultsOf(question)).toEqual([])
    for (const body of [envelope(question), envelope(question, ENVELOPE_12)]) {
      const content = /<s:Body>(.*)<\/s:Body>/s.exec(await post('', body))?.[1] ?? ''
      expect(content).toMatch(/^<(Echo|Journal)Response/)
      expect(await faultsOf(content)).toEqual([])
    }
  })
})

describe('by the schema of the signing device', () => {
  it.each([
    operation('Echo', '<message>x</message>'),
    operation('Sign', '<data>AQIDBAU=</data>'),
    operation('Certificate'),
    operation('ZDA'),
  ])('%s is answered with what is valid', async (question) => {
    const by = [await partOf('/rksv', 0)]
    expect(await faultsOf(question, by)).toEqual([])
    const { cashBoxId, accessToken } = shop.box
    const basic = Buffer.from(`${cashBoxId}:${accessToken}`).toString('base64')
    const reply = await fetch(`${shop.url}/rksv`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'text/xml' },
      body: envelope(question),
    })
    const content = /<s:Body>(.*)<\/s:Body>/s.exec(await reply.text())?.[1] ?? ''
    expect(content).toMatch(/^<\w+Response/)
    expect(await faultsOf(content, by)).toEqual([])
  })
})

it('a member too many, out of order or of another kind would be seen', async () => {
  const whole =
    '<ftCashBoxID/><cbTerminalID/><cbReceiptReference/><cbReceiptMoment>2026-01-31T10:15:00Z' +
    '</cbReceiptMoment><cbChargeItems/><cbPayItems/><ftReceiptCase>1</ftReceiptCase>'
  const faults = (members: string) =>
    faultsOf(`<ReceiptRequest xmlns="${DATA}">${members}</ReceiptRequest>`)
  expect(await faults(whole)).toEqual([])
  expect(await faults(whole.replace('<cbTerminalID/>', ''))).not.toEqual([])
  expect(await faults(`${whole}<cbMore/>`)).not.toEqual([])
  expect(await faults(whole.replace('>1<', '>one<'))).not.toEqual([])
})

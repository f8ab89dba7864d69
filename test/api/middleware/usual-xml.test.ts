// Two readers of one body in XML: what the quick one takes, the thorough one reads as the same
// call.

import fc from 'fast-check'
import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { receiptElement, signEnvelope } from '../../../bench/stand/envelope.js'
import { saleText } from '../../../bench/stand/receipt.js'
import { middlewareService } from '../../../src/api/middleware/contract.js'
import { receiptOfUsualXml, receiptOfXml } from '../../../src/api/middleware/sign.js'
import { usualReceipt, usualSign } from '../../../src/api/middleware/usual-xml.js'
import { calledSoap, readSoap } from '../../../src/api/shared/soap.js'
import { rootOf } from '../../../src/api/shared/xml-body.js'
import { memberHints } from '../../../src/core/sign/member-hints.js'

const SALE = saleText('468f0f58-b902-4bd0-92b0-ee091985e3f8', '2026-11-25T10:15:00.000Z')
const XSI = 'http://www.w3.org/2001/XMLSchema-instance'

const ENVELOPE = signEnvelope(SALE)
const SOAP_12 = ENVELOPE.replace(
  'http://schemas.xmlsoap.org/soap/envelope/',
  'http://www.w3.org/2003/05/soap-envelope',
)
/** With nulls, empty lists, white space and entities, as generated clients write them. */
const PRETTY = `<?xml version="1.0" encoding="utf-8"?>\n${ENVELOPE.replaceAll('><', '>\r\n  <')}\n`
  .replace('<data ', `<data xmlns:i="${XSI}" `)
  .replace(/<a:cbPayItems>[\s\S]*<\/a:cbPayItems>/, '<a:cbPayItems />')
  .replace(/<a:cbUser>[^<]*<\/a:cbUser>/, '<a:cbUser i:nil="true"></a:cbUser>')
  .replace('<a:cbArea>12</a:cbArea>', '<a:cbArea>1 &lt; 2 &amp; &quot;3&quot;</a:cbArea>')
  .replace('<a:Quantity>2.0</a:Quantity>', '<a:Quantity> 2e0\n</a:Quantity>')
const V1 = ENVELOPE.replaceAll('Sign', 'v1_x002F_Sign').replaceAll('data', 'request')
const ENVELOPES = [ENVELOPE, SOAP_12, PRETTY, V1]
const ELEMENT = receiptElement(SALE)
const PREFIXED = PRETTY.replace(/[\s\S]*<data /, '<x:y xmlns:x="urn:x" ').replace(
  /<\/data>[\s\S]*/,
  '</x:y>',
)
const ELEMENTS = [ELEMENT, PREFIXED]

const requestWith = (soapaction: string | undefined) =>
  ({ headers: { 'content-type': 'text/xml', soapaction } }) as unknown as FastifyRequest

type Read = ReturnType<typeof receiptOfXml>
const called = ({ request, requestText, wcfDates }: Read) => ({ request, requestText, wcfDates })

/** What the thorough readers make of an envelope, a refusal as well. */
function thoroughCall(body: Buffer, soapaction?: string): unknown {
  try {
    const request = requestWith(soapaction)
    const { element, ...call } = readSoap(request, body, middlewareService)
    const [data] = element.children
    const receipt = data && receiptOfXml(data)
    expect(receipt?.root && memberHints(receipt.root, true)).toEqual([])
    const version = request.soapVersion
    return { ...call, name: element.name, version, receipt: receipt && called(receipt) }
  } catch (error) {
    return String(error)
  }
}

/** The same of the quick one; undefined where it leaves the body. */
function quickCall(body: Buffer, soapaction?: string): unknown {
  const usual = usualSign(body)
  if (usual === undefined) return undefined
  try {
    const request = requestWith(soapaction)
    const call = calledSoap(request, usual, middlewareService)
    const receipt = called(receiptOfUsualXml(usual.receipt))
    return { ...call, name: usual.element.name, version: request.soapVersion, receipt }
  } catch (error) {
    return String(error)
  }
}

const piece = fc.oneof(
  fc.constantFrom(...'<>/&;:="\' \n\r].-+019eEaTZ', '<a:cbUser/>', '<a:x/>', 'x', '0x41', ' 5 '),
  fc.constantFrom(' i:nil="true"', ` xmlns:i="${XSI}"`, ' x="1"', '<!--x-->', '&#13;', '&amp;'),
  fc.constantFrom('\u0000', '😀', 'ß', ' xmlns="urn:4"', ' xmlns:a=""', '12345678901234567890', ''),
)
const change = fc.record({ at: fc.nat(), gone: fc.nat(12), piece })

function broken(text: string, changes: readonly { at: number; gone: number; piece: string }[]) {
  return changes.reduce((whole, { at, gone, piece }) => {
    const start = at % whole.length
    return whole.slice(0, start) + piece + whole.slice(start + gone)
  }, text)
}

const changes = fc.array(change, { minLength: 1, maxLength: 2 })

describe('the quick reader of XML', () => {
  it.each(ENVELOPES)('takes what clients send: %#', (text) => {
    const quick = quickCall(Buffer.from(text), '"http://tempuri.org/IPOS/Sign"')
    expect(quick).toBeDefined()
    expect(quick).toEqual(thoroughCall(Buffer.from(text), '"http://tempuri.org/IPOS/Sign"'))
    expect(quick).toHaveProperty('receipt')
  })

  it.each(ELEMENTS)('takes them without an envelope: %#', (text) => {
    const quick = usualReceipt(Buffer.from(text))
    expect(quick).toBeDefined()
    const root = rootOf(Buffer.from(text), 'a receipt')
    expect(quick).toEqual(receiptOfXml(root).request)
  })

  it('stores the bytes of its text', () => {
    const usual = usualReceipt(Buffer.from(ELEMENT))
    const receipts = [receiptOfXml(rootOf(Buffer.from(ELEMENT), 'a receipt'))]
    if (usual !== undefined) receipts.push(receiptOfUsualXml(usual))
    expect(receipts).toHaveLength(2)
    for (const { requestText, requestBytes } of receipts) {
      expect(requestText).toContain('Melange groß')
      expect(requestBytes).toEqual(Buffer.from(requestText))
    }
  })

  it('refuses an action of another operation as the thorough one does', () => {
    for (const action of ['Echo', 'http://tempuri.org/IPOS/Journal', '"v1/Sign"', '']) {
      expect(quickCall(Buffer.from(ENVELOPE), action)).toEqual(
        thoroughCall(Buffer.from(ENVELOPE), action),
      )
    }
  })

  it('of a broken envelope reads what the thorough one reads, or nothing', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.constantFrom(...ENVELOPES), changes, (text, given) => {
        const body = Buffer.from(broken(text, given))
        const quick = quickCall(body)
        if (quick === undefined) return
        taken += 1
        expect(quick).toEqual(thoroughCall(body))
      }),
      { numRuns: 4000 },
    )
    expect(taken).toBeGreaterThan(100)
  })

  it('of a broken element as well', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.constantFrom(...ELEMENTS), changes, (text, given) => {
        const body = Buffer.from(broken(text, given))
        const quick = usualReceipt(body)
        if (quick === undefined) return
        taken += 1
        const slow = receiptOfXml(rootOf(body, 'a receipt'))
        expect(quick).toEqual(slow.request)
        expect(slow.root && memberHints(slow.root, true)).toEqual([])
      }),
      { numRuns: 4000 },
    )
    expect(taken).toBeGreaterThan(100)
  })

  it.each([
    ['an envelope with a header', ENVELOPE.replace('<s:Body>', '<s:Header/><s:Body>')],
    ['another envelope', ENVELOPE.replace('soap/envelope', 'soap/envelop')],
    ['another operation', ENVELOPE.replaceAll('Sign', 'Echo')],
    ['a receipt that is null', PRETTY.replace('<data ', '<data i:nil="true" ')],
    ['two receipts', ENVELOPE.replace('</Sign>', '<data/></Sign>')],
    ['a member twice', ENVELOPE.replace('<a:cbArea>', '<a:cbArea/><a:cbArea>')],
    ['an unknown member', ENVELOPE.replaceAll('cbArea', 'cbAera')],
    ['a missing amount', ENVELOPE.replace('<a:Amount>9.80</a:Amount>', '')],
    ['an amount that is empty', ENVELOPE.replace('>9.80<', '> <')],
    ['an element in a text', ENVELOPE.replace('Anna', '<a:b/>')],
    ['a text among the items', ENVELOPE.replace('<a:ChargeItem>', 'x<a:ChargeItem>')],
    ['another element among the items', ENVELOPE.replaceAll('PayItem>', 'Item>')],
    ['a text that is too long', ENVELOPE.replace('Melange', 'x'.repeat(1024))],
    ['a word beyond 64 bits', ENVELOPE.replace(/(ftReceiptCase>)\d+/, '$19223372036854775808')],
    ['a document type', `<!DOCTYPE x>${ENVELOPE}`],
  ])('leaves %s to the thorough one', (_what, text) => {
    expect(text === ENVELOPE).toBe(false)
    expect(usualSign(Buffer.from(text))).toBeUndefined()
  })
})

// Two writers of one answer: what the quick one takes, it writes as the thorough one does.
import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/lib/decimal.js'
import { parseXml, type XmlElement } from '../../src/lib/xml-read.js'
import type { ReceiptResponse } from '../../src/model/receipt.js'
import * as json from '../../src/model/response-json.js'
import {
  anyMembers,
  type Prefix,
  responseMembers,
  usualMembers,
} from '../../src/model/response-xml.js'

const encodeResponse = (...given: Parameters<typeof json.encodeResponse>) =>
  json.encodeResponse(...given).toString()

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'"\\&<>\'/\r\n\t', '\u0001', ']]>', 'ä', '😀', '\ufffe') }),
)
const word = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, -1n, 4707387510509010945n, 2n ** 63n - 1n, -(2n ** 63n)),
)
const moment = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
const texts = fc.option(fc.array(text, { maxLength: 3 }))
const payItem = fc.record({
  ...{ position: word, quantity: fc.constant(Decimal.of('1.50')), description: text },
  ...{ amount: fc.constant(Decimal.of('-3.20')), payItemCase: word },
  ...{ payItemCaseData: fc.option(text), accountNumber: fc.option(text) },
  ...{ costCenter: fc.option(text), moneyGroup: fc.option(text), moneyNumber: fc.option(text) },
  moment: fc.option(moment),
})
const response: fc.Arbitrary<ReceiptResponse> = fc.record({
  ...{ cashBoxId: fc.uuid(), queueId: fc.uuid(), queueItemId: fc.uuid(), queueRow: word },
  ...{ terminalId: fc.option(text), receiptReference: fc.option(text) },
  ...{ cashBoxIdentification: text, receiptIdentification: text, receiptMoment: moment },
  ...{ receiptHeader: texts, chargeItems: fc.option(fc.constant([])), chargeLines: texts },
  payItems: fc.option(fc.array(payItem, { maxLength: 2 }), { freq: 1 }),
  payLines: texts,
  signatures: fc.array(fc.record({ format: word, type: word, caption: text, data: text }), {
    maxLength: 3,
  }),
  ...{ receiptFooter: texts, state: word, stateData: fc.option(text) },
})
const prefix = fc.constantFrom<Prefix>('', 'a:')
/** Without items, and without the last of the words of 64 bits. */
function isUsual({ chargeItems, payItems, queueRow, state, signatures }: ReceiptResponse): boolean {
  const words = [queueRow, state, ...signatures.flatMap(({ format, type }) => [format, type])]
  const isShort = (word: bigint) => word > -9n * 10n ** 18n && word < 9n * 10n ** 18n
  return chargeItems === null && payItems === null && words.every(isShort)
}

const START =
  '<r xmlns="urn:r" xmlns:a="urn:a" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">'
const inRoot = (members: string): XmlElement => parseXml(`${START}${members}</r>`)

describe('an answer in XML', () => {
  it('is the same by both writers, for every response in every style', () => {
    fc.assert(
      fc.property(response, prefix, fc.boolean(), (given, prefix, pascal) => {
        const json = encodeResponse(given, { wcfDates: false, pascal })
        const quick = usualMembers(json, prefix)
        if (isUsual(given)) expect(quick).toBeDefined()
        if (quick !== undefined) expect(quick).toBe(anyMembers(json, prefix))
        expect(responseMembers(json, prefix)).toBe(anyMembers(json, prefix))
      }),
      { numRuns: 1000 },
    )
  })

  it('has every member and text of the response, by other readers', () => {
    const sayable = (value: string) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML cannot say
      value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    fc.assert(
      fc.property(response.filter(isUsual), prefix, (given, prefix) => {
        const written = responseMembers(
          encodeResponse(given, { wcfDates: false, pascal: false }),
          prefix,
        )
        const { children } = inRoot(written)
        const textOf = (name: string) => children.find((one) => one.name === name)?.text
        expect(textOf('ftQueueRow')).toBe(String(given.queueRow))
        expect(textOf('ftState')).toBe(String(given.state))
        expect(textOf('ftStateData')).toBe(
          given.stateData === null ? undefined : sayable(given.stateData),
        )
        expect(textOf('cbTerminalID')).toBe(sayable(given.terminalId ?? ''))
        const lines = children.find((one) => one.name === 'ftReceiptFooter')?.children
        expect(lines?.map((one) => one.text)).toEqual(given.receiptFooter?.map(sayable))
        const signatures = children.find((one) => one.name === 'ftSignatures')?.children
        expect(signatures?.map((one) => one.children.map((member) => member.text))).toEqual(
          given.signatures.map(({ format, type, caption, data }) => [
            ...[String(format), String(type), sayable(caption), sayable(data)],
          ]),
        )
      }),
    )
  })

  it('of a text that was broken anywhere is what the thorough one writes, or left to it', () => {
    const piece = fc.oneof(
      fc.constantFrom(...'{}[]",:.-+0159eE\\/ntu \n', 'null', 'true', '""', '"x"', '\u0000', 'Z'),
      fc.constantFrom('\\u0041', '-0', '12345678901234567890', '9223372036854775808', '\\ud800'),
      fc.constantFrom('"ftState":1,', ',"ftStateData":null', ',"X":1', '"\\/Date(1)\\/"', 'A'),
    )
    const change = fc.record({ at: fc.nat(), gone: fc.nat(12), piece })
    let taken = 0
    fc.assert(
      fc.property(
        response.filter(isUsual),
        fc.array(change, { minLength: 1, maxLength: 2 }),
        (given, changes) => {
          const json = encodeResponse(given, { wcfDates: false, pascal: false })
          const broken = changes.reduce((whole, { at, gone, piece }) => {
            const start = at % whole.length
            return whole.slice(0, start) + piece + whole.slice(start + gone)
          }, json)
          const quick = usualMembers(broken, 'a:')
          if (quick === undefined) return
          taken += 1
          expect(quick).toBe(anyMembers(broken, 'a:'))
        },
      ),
      { numRuns: 5000 },
    )
    expect(taken).toBeGreaterThan(100)
  })

  it('of dates in the other form has the same dates', () => {
    fc.assert(
      fc.property(response, (given) => {
        const [wcf, iso] = [true, false].map((wcfDates) =>
          responseMembers(encodeResponse(given, { wcfDates, pascal: true }), 'a:'),
        )
        expect(wcf).toBe(iso)
      }),
    )
  })

  it('is read by another parser', () => {
    const members = responseMembers(
      '{"ftCashBoxID":"B","ftQueueID":"q","ftQueueItemID":"i","ftQueueRow":1,"cbTerminalID":null,' +
        '"cbReceiptReference":"<1>","ftCashBoxIdentification":"K","ftReceiptIdentification":"f#",' +
        '"ftReceiptMoment":"2026-01-01T00:00:00.100Z","ftSignatures":[{"ftSignatureFormat":1,' +
        '"ftSignatureType":2,"caption":"c","data":"\\"d\\""}],"ftReceiptFooter":[],"ftState":0}',
      '',
    )
    const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false })
    expect(parser.parse(`<r>${members}</r>`)).toEqual({
      r: {
        ...{ ftCashBoxID: 'b', ftQueueID: 'q', ftQueueItemID: 'i', ftQueueRow: '1' },
        cbTerminalID: { '@_i:nil': 'true' },
        ...{ cbReceiptReference: '<1>', ftCashBoxIdentification: 'K' },
        ...{ ftReceiptIdentification: 'f#', ftReceiptMoment: '2026-01-01T00:00:00.1Z' },
        ftSignatures: {
          SignaturItem: {
            ...{ ftSignatureFormat: '1', ftSignatureType: '2', Caption: 'c', Data: '"d"' },
          },
        },
        ...{ ftReceiptFooter: '', ftState: '0' },
      },
    })
  })

  const USUAL =
    '{"ftCashBoxID":"b","ftQueueID":"q","ftQueueItemID":"i","ftQueueRow":1,"cbTerminalID":"t",' +
    '"cbReceiptReference":null,"ftCashBoxIdentification":"K","ftReceiptIdentification":"f#",' +
    '"ftReceiptMoment":"2026-01-01T00:00:00Z","ftSignatures":[],"ftState":0}'
  it.each([
    ['a null that is none', USUAL.replace('"K"', 'null')],
    ['a list that is null', USUAL.replace('[]', 'null')],
    ['an unknown member', USUAL.replace('"ftState"', '"x":1,"ftState"')],
    ['a member twice', USUAL.replace('"ftState"', '"ftState":1,"ftState"')],
    ['another order', USUAL.replace(/("ftQueueRow":1),("cbTerminalID":"t")/, '$2,$1')],
    ['another spelling', USUAL.replace('ftState', 'FTSTATE')],
    ['white space', USUAL.replace(',"ftState"', ', "ftState"')],
    ['a word below 0', USUAL.replace(':0}', ':-0}')],
    ['a word of more than 64 bits', USUAL.replace(':0}', ':9999999999999999999}')],
    ['a word with a point', USUAL.replace(':0}', ':1.0}')],
    ['a word as a text', USUAL.replace(':0}', ':"1"}')],
    ['an empty id', USUAL.replace('"b"', '""')],
    ['a control character', USUAL.replace('"K"', '"\u0001"')],
    ['a wrong escape', USUAL.replace('"K"', '"\\x"')],
    ['a text that is not closed', USUAL.replace('"K"', '"\\')],
    ['a date that is none', USUAL.replace('2026-01-01', '2026-02-31')],
    ['text behind the end', `${USUAL}x`],
    ['no end', USUAL.slice(0, -1)],
    ['nothing', ''],
  ])('leaves %s to the thorough way', (_what, text) => {
    expect(usualMembers(USUAL, '')).toBe(anyMembers(USUAL, ''))
    expect(usualMembers(text, '')).toBeUndefined()
  })
})

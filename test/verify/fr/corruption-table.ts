// One change for each rule: what hangs on the changed part is hashed, chained and signed anew, so
// that this rule alone is broken.
import { type Forger, forge } from '../../support/fr/archives.js'
import { change, hashAnew, type Parts, payloadOf, sha256 } from '../../support/fr/forger.js'

export type Change = (parts: Parts, forger: Forger) => void

/** Where a test changes what was signed, everything is signed by the forger. */
const signed =
  (how: (parts: Parts) => void): Change =>
  (parts, forger) => {
    how(parts)
    forge(parts, forger)
  }
const hashed =
  (how: (parts: Parts) => void): Change =>
  (parts) => {
    how(parts)
    hashAnew(parts)
  }
/** `document`: letter and number. */
const payload = (document: string, from: RegExp | string, to: string): Change =>
  signed((parts) =>
    change(
      parts,
      (row) => `${row.Letter}${row.Number}` === document,
      (text) => text.replace(from, to),
    ),
  )
const tokenPayload = (from: RegExp, to: string): Change =>
  signed((parts) => {
    const [header, , signature] = parts.token.split('.')
    const text = payloadOf(parts.token).replace(from, to)
    parts.token = `${header}.${Buffer.from(text).toString('base64url')}.${signature}`
  })
const request = (at: number, from: RegExp | string, to: string): Change =>
  hashed(({ items }) => {
    const item = items[at]
    if (item === undefined) throw new Error('no such item')
    item.request = item.request?.replace(from, to) ?? ''
  })
const documentAt = ({ documents }: Parts, letter: string, number: number) =>
  documents.findIndex((row) => row.Letter === letter && row.Number === String(number))

export const corruptions: [code: string, what: string, how: Change][] = [
  [
    'MEMBER_MISSING',
    'an archive without its certificate',
    ({ files }) => {
      for (const name of files.keys()) if (name.endsWith('.cer')) files.delete(name)
    },
  ],
  [
    'MEMBER_MISSING',
    'an archive without its document',
    (parts) => {
      parts.token = ''
    },
  ],
  [
    'CERTIFICATE_FORM',
    'a certificate that is none',
    ({ files }) => {
      for (const name of files.keys()) if (name.endsWith('.cer')) files.set(name, Buffer.from('x'))
    },
  ],
  [
    'CERTIFICATE_MISSING',
    'a document that names another certificate',
    payload('T1', /"csn":"[^"]*"/, '"csn":"00AB"'),
  ],
  [
    'JWS_FORM',
    'a document with another header',
    ({ documents }) => {
      const row = documents.find(({ Letter }) => Letter === 'B') ?? {}
      row.JWT = row.JWT?.replace('eyJhbGciOiJFUzI1NiIs', 'eyJhbGciOiJub25lIiw') ?? ''
    },
  ],
  [
    'SIGNATURE_INVALID',
    'a signature of something else',
    hashed((parts) => {
      const row = parts.documents[documentAt(parts, 'T', 1)] ?? {}
      const other = `${row.JWT?.slice(0, -86)}${'A'.repeat(86)}`
      for (const item of parts.items)
        item.response = item.response?.replace(row.JWT ?? '', other) ?? ''
      row.JWT = other
    }),
  ],
  [
    'CHAIN_BROKEN',
    'a hash of another document',
    (parts) => {
      change(
        parts,
        (row) => row.Letter === 'T' && row.Number === '2',
        (text) => text.replace(/"hash":"[^"]*"/, `"hash":"${sha256('x').toString('base64')}"`),
      )
      hashAnew(parts)
    },
  ],
  [
    'NUMBER_GAP',
    'an invoice that was taken out with its receipt',
    signed((parts) => {
      const at = documentAt(parts, 'T', 2)
      const id = parts.documents[at]?.ftQueueItemId
      parts.documents.splice(at, 1)
      const place = parts.items.findIndex((item) => item.ftQueueItemId === id)
      parts.items.splice(place, 1)
      parts.receipts.splice(place, 1)
    }),
  ],
  [
    'RECEIPT_NUMBER',
    'a receipt without signature that was taken out',
    hashed((parts) => {
      const place = parts.items.findIndex((item) =>
        /"ftReceiptIdentification":"ft[0-9A-F]+#"/.test(item.response ?? ''),
      )
      parts.items.splice(place, 1)
      parts.receipts.splice(place, 1)
    }),
  ],
  [
    'LETTER_WRONG',
    'a ticket that says it is an invoice',
    payload('T1', /"rc":\d+/, '"rc":5067112530745229315'),
  ],
  [
    'QUEUE_CHANGED',
    'a document of another queue',
    payload('T2', /"qid":"[^"]*"/, '"qid":"00000000-0000-4000-8000-000000000001"'),
  ],
  [
    'TIME_DECREASES',
    'a document that is older than the one before',
    signed((parts) => {
      const dated = (text: string) => text.replace(/"dt":"[^"]*"/, '"dt":"2026-02-01T00:00:00Z"')
      change(parts, (row) => row.Letter === 'T' && row.Number === '2', dated)
      const item = parts.items.find((one) => one.response?.includes('#T2"'))
      if (item)
        item.response =
          item.response?.replace(
            /"ftReceiptMoment":"[^"]*"/,
            '"ftReceiptMoment":"2026-02-01T00:00:00Z"',
          ) ?? ''
    }),
  ],
  [
    'SUM_WRONG',
    'a total that is not the sum of the rates',
    payload('T2', '"total":18.8', '"total":17.8'),
  ],
  [
    'TOTAL_WRONG',
    'a day that reports less',
    payload('G4', /"d-total":[\d.]+,"d-ci-n":[\d.]+/, '"d-total":95.2,"d-ci-n":1.7'),
  ],
  [
    'TOTAL_WRONG',
    'an archive that reports less',
    tokenPayload(/"a-total":[\d.]+,"a-ci-n":[\d.]+/, '"a-total":1.0,"a-ci-n":1.0'),
  ],
  [
    'PERPETUAL_WRONG',
    'a perpetual total that was set back',
    payload('G4', /"p-total":[\d.]+,"p-ci-n":[\d.]+/, '"p-total":0.0,"p-ci-n":0.0'),
  ],
  [
    'ITEM_HASH',
    'an answer that was changed',
    ({ items }) => {
      const item = items[3]
      if (item)
        item.response = item.response?.replace('"cbTerminalID":"1"', '"cbTerminalID":"2"') ?? ''
    },
  ],
  [
    'RECEIPT_ROW',
    'a row of the receipt journal that is missing',
    ({ receipts }) => {
      receipts.splice(4, 1)
    },
  ],
  [
    'RECEIPT_ROW',
    'a row of a receipt that nobody has',
    (parts) => {
      parts.receipts.push({ ...parts.receipts.at(-1), ftReceiptNumber: '999' })
    },
  ],
  [
    'RECEIPT_HASH',
    'a request that was changed with its hash',
    (parts) => {
      const item = parts.items[3]
      if (item === undefined) return
      item.request = `${item.request} `
      item.requestHash = sha256(item.request).toString('base64')
    },
  ],
  [
    'DOCUMENT_MISSING',
    'a bill without its document',
    ({ documents }) => {
      documents.splice(
        documents.findIndex((row) => row.Letter === 'B'),
        1,
      )
    },
  ],
  [
    'DOCUMENT_ITEM',
    'a document of another receipt',
    payload('B1', /"qiid":"[^"]*"/, '"qiid":"00000000-0000-4000-8000-000000000001"'),
  ],
  [
    'AMOUNT_WRONG',
    'a payment that is told as another',
    request(1, /("ftPayItemCase":)\d+/, '$15067112530745229316'),
  ],
  [
    'AMOUNT_WRONG',
    'an item of another rate',
    request(1, /("ftChargeItemCase":)\d+/, '$15067112530745229314'),
  ],
  [
    'ARCHIVE_RANGE',
    'an archive that names another end',
    tokenPayload(/"lcrqiid":"[^"]*"/, '"lcrqiid":"00000000-0000-4000-8000-000000000001"'),
  ],
  [
    'COPY_NUMBER',
    'a second copy that says it is the first',
    hashed(({ items }) => {
      for (const item of items)
        item.response = item.response?.replace('2. Duplicata de', '1. Duplicata de') ?? ''
    }),
  ],
]

/** What cannot be broken alone. */
export const also: Record<string, string[]> = {
  CERTIFICATE_FORM: ['CERTIFICATE_MISSING'],
  CHAIN_BROKEN: ['SIGNATURE_INVALID'],
  NUMBER_GAP: ['RECEIPT_NUMBER', 'TOTAL_WRONG', 'PERPETUAL_WRONG'],
  SUM_WRONG: ['AMOUNT_WRONG', 'TOTAL_WRONG', 'PERPETUAL_WRONG'],
}

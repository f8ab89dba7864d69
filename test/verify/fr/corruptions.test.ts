// An archive of a real server is accepted, and every rule of the verifier refuses a file in which
// it alone is broken: what hangs on the changed part is hashed, chained and signed anew.
import { createPrivateKey, type KeyObject, randomBytes, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyFile } from '../../../src/core/audit/verify/file.js'
import { makeCertificate } from '../../../src/simulator/certificate.js'
import {
  change,
  hashAnew,
  type Parts,
  payloadOf,
  putTogether,
  sha256,
  signAnew,
  takeApart,
} from '../../support/fr/forger.js'
import { FAILED, Register, sale, TRAINING, VOID } from '../../support/fr/register.js'
import { openShop, type Shop } from '../../support/shop.js'

const ARCHIVE = '0x4652000000010010'
const folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-fr-'))

let shop: Shop
let register: Register
let first: Buffer
let second: Buffer
let key: KeyObject
let certificate: Buffer
const journals: Record<string, Buffer> = {}

beforeAll(async () => {
  shop = await openShop({}, undefined, { countries: ['AT', 'FR'] })
  register = new Register(shop.url, shop.demo.cashBoxes)
  const { sign } = { sign: register.sign.bind(register) }
  await sign(sale('13.10', { reference: 'one' }))
  await sign({
    ...{ kind: 0x01, pays: [[0x04, '18.80']], reference: 'two' },
    charges: [
      [0x03, '7.50'],
      [0x02, '11.30', '10'],
    ],
  })
  await sign({ kind: 0x03, charges: [[0x01, '78.70', '5.5']], pays: [[0x01, '78.70']] })
  await sign(sale('-13.10', { flags: VOID, previous: 'one' }))
  await sign({ kind: 0x16, previous: 'two' })
  await sign({ kind: 0x16, previous: 'two' })
  await sign(sale('5', { flags: TRAINING }))
  await sign(sale('4.20', { flags: FAILED }))
  await sign({ kind: 0x0f })
  await sign({ kind: 0x08, charges: [[0x03, '20']], pays: [[0x11, '20']] })
  await sign({ kind: 0x09, charges: [[0x03, '9']], pays: [[0x11, '9']] })
  for (const kind of [0x04, 0x05, 0x06, 0x07]) await sign({ kind })
  await sign(sale('3'))
  const archive = await sign({ kind: 0x15 })
  first = await register.journal(ARCHIVE, archive.ftQueueRow)
  await sign(sale('6'))
  await sign({ kind: 0x16, previous: 'two' })
  await sign({ kind: 0x05 })
  const next = await sign({ kind: 0x15 })
  second = await register.journal(ARCHIVE, next.ftQueueRow)
  for (const type of ['4652', '4652000000000001', '4652000000000004', '4652000000000008']) {
    journals[type] = await register.journal(`0x${type}`)
  }
  const csn = JSON.parse(payloadOf((await takeApart(first)).token)).csn as string
  const made = await makeCertificate({
    ...{ commonName: '98765432100012', organization: 'Faussaire', serialHex: csn.toLowerCase() },
    ...{ now: new Date('2026-01-01T00:00:00Z') },
  })
  key = createPrivateKey({ key: made.privateKeyPkcs8, format: 'der', type: 'pkcs8' })
  certificate = made.der
})
afterAll(async () => {
  await shop.close()
  rmSync(folder, { recursive: true })
})

async function judge(bytes: Buffer, certificates?: string[]) {
  const file = join(folder, `${randomBytes(6).toString('hex')}.bin`)
  writeFileSync(file, bytes)
  const { ok, findings, notices, kind } = await verifyFile(
    file,
    certificates === undefined ? {} : { certificates },
  )
  return { ok, kind, codes: [...new Set(findings.map(({ code }) => code))], notices, findings }
}

const own = async (): Promise<string[]> => {
  const { files } = await takeApart(first)
  return [...files]
    .filter(([name]) => name.endsWith('.cer'))
    .map(([, der]) => der.toString('base64'))
}

describe('what a server exports', () => {
  it('is accepted, archive after archive, with the certificate given beside it', async () => {
    for (const archive of [first, second]) {
      const { ok, findings, kind, notices } = await judge(archive, await own())
      expect([findings, ok, kind]).toEqual([[], true, 'French archive'])
      expect(notices.map(({ code }) => code)).toEqual(['END_UNPROVEN'])
    }
  })

  it('is accepted when it was put together again: what the tests change is all that is wrong', async () => {
    const parts = await takeApart(first)
    for (const [name] of parts.files) if (name.endsWith('.cer')) parts.files.set(name, certificate)
    signAnew(parts, key)
    hashAnew(parts)
    const { ok, findings } = await judge(await putTogether(parts))
    expect([findings, ok]).toEqual([[], true])
  })

  it('has journals that are accepted: raw with its certificate, tables of chains without', async () => {
    const raw = await judge(journals['4652'] ?? Buffer.alloc(0), await own())
    expect([raw.findings, raw.kind]).toEqual([[], 'French journal'])
    for (const type of ['4652000000000001', '4652000000000004', '4652000000000008']) {
      const table = await judge(journals[type] ?? Buffer.alloc(0))
      expect([table.findings, table.kind]).toEqual([[], 'French journal of a chain'])
    }
  })
})

type Change = (parts: Parts) => void

/** Where a test changes what was signed, everything is signed by the forger. */
const signed =
  (how: Change): Change =>
  (parts) => {
    how(parts)
    for (const [name] of parts.files) if (name.endsWith('.cer')) parts.files.set(name, certificate)
    signAnew(parts, key)
    hashAnew(parts)
  }
const hashed =
  (how: Change): Change =>
  (parts) => {
    how(parts)
    hashAnew(parts)
  }
const payload = (letter: string, number: number, from: RegExp | string, to: string): Change =>
  signed((parts) =>
    change(
      parts,
      (row) => row.Letter === letter && row.Number === String(number),
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
const newFile = (subject: { commonName: string; now: Date }) => async (): Promise<Buffer> => {
  const csn = JSON.parse(payloadOf((await takeApart(first)).token)).csn as string
  const made = await makeCertificate({
    ...{ organization: 'Faussaire', serialHex: csn.toLowerCase() },
    ...subject,
  })
  const parts = await takeApart(first)
  for (const [name] of parts.files) if (name.endsWith('.cer')) parts.files.set(name, made.der)
  signAnew(parts, createPrivateKey({ key: made.privateKeyPkcs8, format: 'der', type: 'pkcs8' }))
  hashAnew(parts)
  return putTogether(parts)
}

const documentAt = ({ documents }: Parts, letter: string, number: number) =>
  documents.findIndex((row) => row.Letter === letter && row.Number === String(number))

const corruptions: [code: string, what: string, how: Change][] = [
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
    payload('T', 1, /"csn":"[^"]*"/, '"csn":"00AB"'),
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
    payload('T', 1, /"rc":\d+/, '"rc":5067112530745229315'),
  ],
  [
    'QUEUE_CHANGED',
    'a document of another queue',
    payload('T', 2, /"qid":"[^"]*"/, '"qid":"00000000-0000-4000-8000-000000000001"'),
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
    payload('T', 2, '"total":18.8', '"total":17.8'),
  ],
  [
    'TOTAL_WRONG',
    'a day that reports less',
    payload('G', 4, /"d-total":[\d.]+,"d-ci-n":[\d.]+/, '"d-total":95.2,"d-ci-n":1.7'),
  ],
  [
    'TOTAL_WRONG',
    'an archive that reports less',
    tokenPayload(/"a-total":[\d.]+,"a-ci-n":[\d.]+/, '"a-total":1.0,"a-ci-n":1.0'),
  ],
  [
    'PERPETUAL_WRONG',
    'a perpetual total that was set back',
    payload('G', 4, /"p-total":[\d.]+,"p-ci-n":[\d.]+/, '"p-total":0.0,"p-ci-n":0.0'),
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
    payload('B', 1, /"qiid":"[^"]*"/, '"qiid":"00000000-0000-4000-8000-000000000001"'),
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
const also: Record<string, string[]> = {
  CERTIFICATE_FORM: ['CERTIFICATE_MISSING'],
  CHAIN_BROKEN: ['SIGNATURE_INVALID'],
  NUMBER_GAP: ['RECEIPT_NUMBER', 'TOTAL_WRONG', 'PERPETUAL_WRONG'],
  SUM_WRONG: ['AMOUNT_WRONG', 'TOTAL_WRONG', 'PERPETUAL_WRONG'],
}

describe('a changed archive', () => {
  it.each(corruptions)('%s: %s', async (code, _what, how) => {
    const parts = await takeApart(first)
    how(parts)
    const { codes, ok, findings } = await judge(await putTogether(parts))
    const [wanted = [code]] = also[code] === undefined ? [] : [[code, ...also[code]]]
    expect([[...codes].sort(), ok], JSON.stringify(findings.slice(0, 5))).toEqual([
      wanted.sort(),
      false,
    ])
  })

  it('FILE_HASH: a table with another name', async () => {
    const parts = await takeApart(first)
    const zip = await putTogether(parts)
    const name = /queueItems\.([\w-]{43})\.csv/.exec(zip.toString('latin1'))?.[1] ?? ''
    const other = `${name.startsWith('A') ? 'B' : 'A'}${name.slice(1)}`
    const renamed = Buffer.from(zip.toString('latin1').replaceAll(name, other), 'latin1')
    expect((await judge(renamed)).codes).toEqual(['FILE_HASH'])
  })

  it('TABLE_FORM: a row that ends too early', async () => {
    const parts = await takeApart(first)
    const cut = (text: string) => text.replace(/,[^,]*\r\n$/, '\r\n')
    const { codes } = await judge(await putTogether(parts, cut))
    expect(codes).toEqual(['TABLE_FORM'])
  })

  it('ZIP_BROKEN: a file that ends in the middle', async () => {
    expect((await judge(first.subarray(0, first.length - 100))).codes).toEqual(['ZIP_BROKEN'])
  })

  it('CERTIFICATE_SIRET and CERTIFICATE_PERIOD: certificates of others, or of another time', async () => {
    const other = newFile({ commonName: '11111111111111', now: new Date() })
    expect((await judge(await other())).codes).toEqual(['CERTIFICATE_SIRET'])
    const later = newFile({ commonName: '98765432100012', now: new Date('2040-01-01T00:00:00Z') })
    expect((await judge(await later())).codes).toEqual(['CERTIFICATE_PERIOD'])
  })

  it('CERTIFICATE_DISTRUSTED: with a certificate of its own, by somebody who signed it all anew', async () => {
    const parts = await takeApart(first)
    for (const [name] of parts.files) if (name.endsWith('.cer')) parts.files.set(name, certificate)
    signAnew(parts, key)
    hashAnew(parts)
    const forged = await putTogether(parts)
    expect((await judge(forged, await own())).codes).toEqual(['CERTIFICATE_DISTRUSTED'])
    const { notices } = await judge(forged)
    expect(notices.map(({ code }) => code)).toContain('CERTIFICATE_UNTRUSTED')
  })

  it('FAILURE_OPEN: a notice where no zero receipt follows late ones', async () => {
    await register.sign(sale('1', { flags: FAILED }))
    const { ftQueueRow } = await register.sign({ kind: 0x15 })
    const { notices, ok } = await judge(await register.journal(ARCHIVE, ftQueueRow))
    expect([notices.map(({ code }) => code).includes('FAILURE_OPEN'), ok]).toEqual([true, true])
  })

  it('a second archive goes on from the first: a changed month is found', async () => {
    const parts = await takeApart(second)
    for (const [name] of parts.files) if (name.endsWith('.cer')) parts.files.set(name, certificate)
    change(
      parts,
      (row) => row.Letter === 'G',
      (text) => text.replace(/"m-total":[\d.]+,"m-ci-n":[\d.]+/, '"m-total":1.0,"m-ci-n":1.0'),
    )
    signAnew(parts, key)
    hashAnew(parts, Buffer.alloc(0))
    expect((await judge(await putTogether(parts))).codes).toEqual(['TOTAL_WRONG'])
  })
})

describe('a changed journal', () => {
  const table = () => (journals['4652000000000001'] ?? Buffer.alloc(0)).toString()

  it.each([
    ['NUMBER_GAP', (text: string) => text.replace(/\r\n[^\r\n]*#T2[^\r\n]*/, '')],
    ['CHAIN_BROKEN', (text: string) => text.replace(/,[^,]*(?=\r\n[^\r\n]*#T3)/, ',')],
    [
      'QUEUE_CHANGED',
      (text: string) => text.replace(/\r\n[0-9a-f]{8}(?=-[^\r\n]*#T2)/, '\r\n00000000'),
    ],
    ['TIME_DECREASES', (text: string) => text.replace(/(#T2,)[^,]*/, '$101/01/2020 10:00:00')],
    ['SUM_WRONG', (text: string) => text.replace(',18.8,', ',19.8,')],
    ['TABLE_FORM', (text: string) => text.replace(/,[^,]*\r\n$/, '\r\n')],
  ])('%s in a table', async (code, how) => {
    expect(how(table())).not.toBe(table())
    expect((await judge(Buffer.from(how(table())))).codes).toEqual([code])
  })

  it('JSON_BROKEN, EMPTY, DOCUMENT_ITEM and SIGNATURE_INVALID in the raw journal', async () => {
    const text = (journals['4652'] ?? Buffer.alloc(0)).toString()
    const codes = async (changed: string) => (await judge(Buffer.from(changed), await own())).codes
    expect(await codes(text.slice(0, -10))).toEqual(['JSON_BROKEN'])
    expect(await codes(`${text.slice(0, text.indexOf('"JWT"'))}"JWT":""}]`)).toContain('JWS_FORM')
    expect(await codes('[{"ftJournalFRId":"')).toEqual(['JSON_BROKEN', 'EMPTY'])
    expect(await codes(text.replace('\\"total\\":13.1', '\\"total\\":13.2'))).toEqual([
      'DOCUMENT_ITEM',
    ])
    const [, signature = ''] = /\.([\w-]{86})"/.exec(text) ?? []
    const other = text.replace(signature, `A${signature.slice(1)}`)
    expect(await codes(other)).toEqual(['SIGNATURE_INVALID'])
    expect((await judge(journals['4652'] ?? Buffer.alloc(0))).codes).toEqual([
      'CERTIFICATE_MISSING',
    ])
  })
})

it('the certificate says whose it is', async () => {
  const [der = ''] = await own()
  const { subject, serialNumber } = new X509Certificate(Buffer.from(der, 'base64'))
  expect(subject).toContain('CN=98765432100012')
  expect(serialNumber).toMatch(/^[1-7][0-9A-F]{15}$/)
})

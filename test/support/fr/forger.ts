// Takes a French archive apart and puts it together again: whatever is changed in between can be
// hashed, chained and signed anew, so that one rule alone is broken. Written from the
// specification; it shares no code with what exports or verifies.
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import papaparse from 'papaparse'
import { fromBuffer } from 'yauzl'
import { ZipFile } from 'yazl'

type Row = Record<string, string>

export interface Parts {
  /** Members that are no table, by name. */
  files: Map<string, Buffer>
  items: Row[]
  receipts: Row[]
  documents: Row[]
  /** Payload texts are parts of these. */
  token: string
}

export async function membersOf(zip: Buffer): Promise<Map<string, Buffer>> {
  const members = new Map<string, Buffer>()
  const opened = await new Promise<import('yauzl').ZipFile>((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: true }, (error, file) =>
      error ? reject(error) : resolve(file),
    ),
  )
  for await (const entry of opened.eachEntry()) {
    members.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)))
  }
  return members
}

export async function takeApart(zip: Buffer): Promise<Parts> {
  const files = await membersOf(zip)
  const table = (name: RegExp): Row[] => {
    const found = [...files.keys()].find((one) => name.test(one)) ?? ''
    const text = files.get(found)?.toString() ?? ''
    files.delete(found)
    return papaparse.parse<Row>(text.trimEnd(), { header: true, newline: '\r\n' }).data
  }
  const parts = {
    items: table(/^queueItems/),
    receipts: table(/^receiptJournals/),
    documents: table(/^documents/),
  }
  const token = files.get('archive.jws')?.toString() ?? ''
  files.delete('archive.jws')
  return { files, ...parts, token }
}

const csv = (rows: Row[], columns?: string[]): Buffer =>
  Buffer.from(`${papaparse.unparse(rows, { newline: '\r\n', ...(columns && { columns }) })}\r\n`)

/** `how`: what is done to the text of the receipt journal. */
export async function putTogether(
  parts: Parts,
  how: (text: string) => string = (text) => text,
): Promise<Buffer> {
  const zip = new ZipFile()
  const named = (name: string, content: Buffer) =>
    zip.addBuffer(content, `${name}.${sha256(content).toString('base64url')}.csv`)
  for (const [name, content] of parts.files) zip.addBuffer(content, name)
  if (parts.token !== '') zip.addBuffer(Buffer.from(parts.token), 'archive.jws')
  zip.addBuffer(csv(parts.documents), 'documents.csv')
  named('receiptJournals', Buffer.from(how(csv(parts.receipts).toString())))
  named('queueItems', csv(parts.items))
  zip.end()
  return buffer(zip.outputStream)
}

export const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

export const payloadOf = (jws: string): string =>
  Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()

export const signer = (pem: string): KeyObject => createPrivateKey(pem)

/** Signs every document anew, each chained to the one before it, and shows it in its answer. */
export function signAnew(parts: Parts, key: KeyObject): void {
  const last = new Map<string, string>()
  const again = (jws: string, letter: string): string => {
    const hash = last.get(letter)
    const payload = payloadOf(jws).replace(/,"hash":"[^"]*"/, (own) =>
      hash === undefined ? own : `,"hash":"${hash}"`,
    )
    const header = jws.split('.')[0] ?? ''
    const input = `${header}.${Buffer.from(payload).toString('base64url')}`
    last.set(letter, sha256(input).toString('base64'))
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
    return `${input}.${signature.toString('base64url')}`
  }
  for (const row of parts.documents) {
    const before = row.JWT ?? ''
    row.JWT = again(before, row.Letter ?? '')
    const item = parts.items.find((one) => one.response?.includes(before.split('.')[2] ?? '?'))
    if (item !== undefined) item.response = item.response?.replace(before, row.JWT) ?? ''
  }
  parts.token = again(parts.token, 'A')
}

/** Hashes of the items, and the chain over the receipts. */
export function hashAnew({ items, receipts }: Parts, first = Buffer.alloc(0)): void {
  let before: Buffer = first
  for (const [at, item] of items.entries()) {
    item.requestHash = sha256(item.request ?? '').toString('base64')
    item.responseHash = sha256(item.response ?? '').toString('base64')
    const row = receipts[at]
    if (row === undefined) continue
    before = chainHash(before, item, row)
    row.ftReceiptHash = before.toString('base64')
  }
}

const TICKS_1970 = 621355968000000000n

function chainHash(before: Buffer, item: Row, row: Row): Buffer {
  const { ftReceiptMoment } = JSON.parse(item.response ?? '{}') as { ftReceiptMoment: string }
  const [a = '', b = '', c = '', ...rest] = (row.ftReceiptJournalId ?? '').split('-')
  const turned = [a, b, c].map((text) => Buffer.from(text, 'hex').reverse())
  const moment = Buffer.alloc(8)
  moment.writeBigInt64LE(TICKS_1970 + BigInt(Date.parse(ftReceiptMoment)) * 10000n)
  const number = Buffer.alloc(8)
  number.writeBigInt64LE(BigInt(row.ftReceiptNumber ?? '0'))
  const hashes = [item.requestHash, item.responseHash].map((text) =>
    Buffer.from(text ?? '', 'base64'),
  )
  return sha256(
    Buffer.concat([
      before,
      ...turned,
      Buffer.from(rest.join(''), 'hex'),
      moment,
      number,
      ...hashes,
    ]),
  )
}

/** Changes the payload of one document; what hangs on it stays as it was. */
export function change(
  parts: Parts,
  at: (row: Row) => boolean,
  how: (text: string) => string,
): void {
  const row = parts.documents.find(at)
  if (row === undefined) throw new Error('no such document')
  const before = row.JWT ?? ''
  const [header, , signature] = before.split('.')
  const changed = how(payloadOf(before))
  if (changed === payloadOf(before)) throw new Error('nothing was changed')
  row.JWT = `${header}.${Buffer.from(changed).toString('base64url')}.${signature}`
  const item = parts.items.find((one) => one.response?.includes(before))
  if (item !== undefined) item.response = item.response?.replace(before, row.JWT) ?? ''
}

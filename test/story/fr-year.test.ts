// Random months, or a year, of a French register: three shifts a day with sales, voids, copies,
// practice and late entries, signed by two processes at once. Both archives are accepted by the
// verifier, and the perpetual totals of all rates are what the test has counted.
// `DAYS=365 SEED=1` changes it.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyFile } from '../../src/core/audit/verify/file.js'
import { exportJournal } from '../../src/core/journal/export.js'
import { marketOf } from '../../src/market/index.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { payloadOf } from '../support/fr/forger.js'
import { FAILED, requestText, type Sent, TRAINING, VOID } from '../support/fr/register.js'
import { forkSigner } from '../support/model/signer.js'
import { createTill, openStand, type Stand, type Till } from '../support/stand.js'

/** Two ends of a month behind the archive in the middle; `npm run soak` has the whole year. */
const DAYS = Number(process.env.DAYS ?? 122)
const SEED = process.env.SEED ?? randomBytes(4).toString('hex')
const FIRST_DAY = Date.parse('2025-01-02T06:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR
const SHIFTS = 3

let drawn = 0
/** 0 to n-1. */
function random(n: number): number {
  drawn += 1
  const hash = createHash('sha256').update(`${SEED}/${drawn}`).digest()
  return hash.readUInt32BE(0) % n
}

let database: TestDatabase
let stand: Stand
let till: Till
let signers: Awaited<ReturnType<typeof forkSigner>>[]
const masterKey = randomBytes(32)
const folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-year-'))

beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config, { masterKey, deps: { now: () => new Date(FIRST_DAY) } })
  till = await createTill(stand, { market: 'FR' })
  const given = { connection: database.config, masterKey: masterKey.toString('base64') }
  signers = await Promise.all([forkSigner(given), forkSigner(given)])
})
afterAll(async () => {
  await Promise.all(signers.map((signer) => signer.close()))
  await stand.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

interface Sale {
  reference: string
  cents: number
}

/** What the test counts by itself, in cents; rates by the names that totals have for them. */
const counted = { perpetual: 0, receipts: 1, sales: [] as Sale[] }
const RATES: Record<number, string> = { 1: 'ci-r1', 2: 'ci-r2', 3: 'ci-n' }
const rates: Record<string, number> = { 'ci-r1': 0, 'ci-r2': 0, 'ci-n': 0 }

/** Tickets and invoices alone, and none of practice. */
function count({ kind, flags, charges = [] }: Sent): void {
  if ((kind !== 0x01 && kind !== 0x03) || flags === TRAINING) return
  for (const [code, amount] of charges) {
    const cents = Math.round(Number(amount) * 100)
    const rate = RATES[code] ?? ''
    rates[rate] = (rates[rate] ?? 0) + cents
    counted.perpetual += cents
  }
}

const euros = (cents: number): string => (cents / 100).toFixed(2)

function saleOf(cents: number, more: Partial<Sent> = {}): Sent {
  const kind = random(4) === 0 ? 0x03 : 0x01
  const at = random(cents + 1)
  return {
    kind,
    charges: [
      [[0x03, 0x01, 0x02][random(3)] ?? 0x03, euros(at)],
      [0x01, euros(cents - at), '5.5'],
    ],
    pays: [[[0x01, 0x04][random(2)] ?? 0x01, euros(cents)]],
    ...more,
  }
}

function anyReceipt(): Sent {
  const cents = random(20_000)
  const reference = `r${counted.receipts}-${random(1e9)}`
  const earlier = counted.sales[random(counted.sales.length || 1)]
  const chance = random(20)
  if (chance === 0) return saleOf(cents, { reference, flags: TRAINING })
  if (chance === 1 && earlier !== undefined) {
    return { kind: 0x16, previous: earlier.reference, reference }
  }
  if (chance === 2 && earlier !== undefined) {
    const { reference: previous, cents: voided } = earlier
    const amount = `-${euros(voided)}`
    return {
      ...{ kind: 0x01, flags: VOID, previous, reference },
      charges: [[0x03, amount]],
      pays: [[0x01, amount]],
    }
  }
  if (chance === 3) {
    return { kind: 0x08, charges: [[0x03, euros(cents)]], pays: [[0x11, euros(cents)]] }
  }
  counted.sales.push({ reference, cents })
  const flags = chance === 4 ? FAILED : 0
  return saleOf(cents, { reference, flags })
}

async function sign(sent: Sent): Promise<{ text: string; row: number }> {
  const signer = signers[random(2)]
  if (signer === undefined) throw new Error('there are two')
  const text = requestText(sent, till.cashBoxId)
  const result = await signer.call('sign', till, text)
  if (result.kind !== 'answered') throw new Error(`${JSON.stringify(result)} for ${text}`)
  counted.receipts += 1
  const row = Number(/"ftQueueRow":(\d+)/.exec(result.responseText)?.[1])
  return { text: result.responseText, row }
}

async function oneShift(moment: number): Promise<void> {
  await Promise.all(signers.map((signer) => signer.call('setClock', moment)))
  const receipts = Array.from({ length: 2 + random(4) }, anyReceipt)
  receipts.forEach(count)
  // at once, at whichever process
  await Promise.all(receipts.map(sign))
  if (receipts.some(({ flags }) => flags === FAILED)) await sign({ kind: 0x0f })
  await sign({ kind: 0x04 })
}

interface Archive {
  text: string
  file: string
}

async function archive(name: string): Promise<Archive> {
  const { text, row } = await sign({ kind: 0x15 })
  const { accountId, queueId } = till
  const { body } = await exportJournal(
    { store: stand.store, marketOf, now: () => new Date() },
    { accountId, queueId, type: 0x4652_0000_0001_0010n, range: { from: BigInt(row), to: 0n } },
  )
  const file = join(folder, `${name}.zip`)
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  writeFileSync(file, Buffer.concat(pieces))
  return { text, file }
}

function signedBy({ text }: Archive): Record<string, number> {
  const jws = /"(eyJ[\w-]+\.[\w-]+\.[\w-]+)"/.exec(text)?.[1] ?? ''
  return JSON.parse(payloadOf(jws)) as Record<string, number>
}

const name = `of ${DAYS} days is archived, verifies, and has the total counted (SEED=${SEED})`
it(name, {
  timeout: 600_000,
}, async () => {
  let last = ''
  let half: Archive | undefined
  let halfTotal = 0
  for (let day = 0; day < DAYS; day += 1) {
    const morning = FIRST_DAY + day * DAY
    for (let shift = 0; shift < SHIFTS; shift += 1) await oneShift(morning + shift * 5 * HOUR)
    const month = new Date(morning).toISOString().slice(0, 7)
    const isNew = last !== '' && month !== last
    await sign({ kind: isNew ? 0x06 : 0x05 })
    last = month
    if (day !== Math.floor(DAYS / 2)) continue
    halfTotal = counted.perpetual
    half = await archive('half')
  }
  await sign({ kind: 0x07 })
  const whole = await archive('whole')
  if (half === undefined) throw new Error('there was no archive')
  expect(signedBy(half)['p-total']).toBe(halfTotal / 100)
  expect(signedBy(whole)['p-total']).toBe(counted.perpetual / 100)
  for (const [rate, cents] of Object.entries(rates)) {
    expect(signedBy(whole)[`p-${rate}`], rate).toBe(cents / 100)
  }
  expect(signedBy(whole)['a-total']).toBe((counted.perpetual - halfTotal) / 100)
  const found = { receipts: 0 }
  for (const { file } of [half, whole]) {
    const { ok, findings, summary } = await verifyFile(file)
    expect([findings, ok]).toEqual([[], true])
    found.receipts += (summary as unknown as { receipts: number }).receipts
  }
  // the archive receipt of the first is the first of the second
  expect(found.receipts).toBe(counted.receipts - 1)
  expect(counted.receipts).toBeGreaterThanOrEqual(Math.floor((5000 / 365) * DAYS))
})

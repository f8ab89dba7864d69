// Random histories of imports by two dealers: good ones, ones whose connection ends at any byte,
// looks at their progress, and stops of the server. No place is lost, nothing hangs, nothing ends
// the process, and progress tells the truth.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainTemplate } from '../../src/core/invitation/csv/template.js'
import { formOf, person } from '../support/invitations.js'
import {
  asDealer,
  openUploads,
  sendUpload,
  type Upload,
  type UploadServer,
} from '../support/upload-server.js'

const HISTORIES = Number(process.env.MODEL_RUNS ?? 500)
const SEED = Number(process.env.MODEL_SEED ?? randomInt(2 ** 31))
const LONGEST = 50
/** Stops cost seconds; the rest of the histories goes on without them. */
const MOST_STOPS = 3
/** A place that leaked makes the next import wait for ever. */
const PATIENCE_MS = 20_000
const PATH = '/api/pos-operators-invitation'

let uploads: UploadServer
let stops = 0
/** Rows that must be stored, by dealer. */
const stored = [0, 0]

beforeAll(async () => {
  console.log(`model of uploads: MODEL_SEED=${SEED}`)
  uploads = await openUploads()
}, 60_000)
afterAll(() => uploads.close())

const [HEADER = ''] = plainTemplate().split(/\r?\n/)

function rowOf(): string {
  const { company, contact } = person()
  const { name, email, addressLine1, postalCode, city, country } = company
  const at = `${name};${email};${addressLine1};;${postalCode};${city};${country};;;;;;;`
  return `${at};${contact.firstName};${contact.lastName};${contact.email};;;;`
}

function uploadOf(dealer: number, rows: number, name = 'a.csv'): Upload {
  const lines = [HEADER, ...Array.from({ length: rows }, rowOf), '']
  const { body, headers } = formOf(name, lines.join('\r\n'))
  const access = uploads.dealers[dealer]
  if (access === undefined) throw new Error('no such dealer')
  return { line: `POST ${PATH}/import/csv`, headers: asDealer(access, headers), body }
}

/** Fails instead of waiting for ever. */
async function soon<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what} hangs; the server said:\n${uploads.server.output}`))
    }, PATIENCE_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

async function get(dealer: number, path: string): Promise<Response> {
  const access = uploads.dealers[dealer]
  if (access === undefined) throw new Error('no such dealer')
  return fetch(`${uploads.url}${PATH}${path}`, { headers: asDealer(access, {}) })
}

const progressOf = async (dealer: number): Promise<Record<string, unknown>> =>
  (await (await get(dealer, '/import/csv')).json()) as Record<string, unknown>

async function send(dealer: number, rows: number): Promise<void> {
  const status = await soon(sendUpload(uploads.url, uploadOf(dealer, rows)), 'an import')
  expect(status, uploads.server.output).toBe(200)
  stored[dealer] = (stored[dealer] ?? 0) + rows
}

interface Broken {
  dealer: number
  /** Of the body, without the end of the form. */
  part: number
  how: 'whole' | 'broken' | 'closed'
  name: string
}

async function sendBroken({ dealer, part, how, name }: Broken): Promise<void> {
  const upload = uploadOf(dealer, 2, name)
  // the last four bytes end the form and its line
  const cut = Math.floor(part * (upload.body.length - 4))
  const status = await soon(sendUpload(uploads.url, upload, { cut, how }), 'a broken import')
  expect(how === 'whole' ? [400] : [0, 400], uploads.server.output).toContain(status)
}

interface Step {
  run(): Promise<void>
  toString(): string
}

const dealers = fc.integer({ min: 0, max: 1 })

const good = fc.record({ dealer: dealers, rows: fc.integer({ min: 1, max: 3 }) }).map(
  (it): Step => ({
    run: async () => {
      await send(it.dealer, it.rows)
      const { rows } = it
      const told = { running: false, rows, created: rows, skipped: 0 }
      expect(await progressOf(it.dealer)).toEqual(told)
    },
    toString: () => `good ${JSON.stringify(it)}`,
  }),
)

const brokenOnes = fc.record<Broken>({
  dealer: dealers,
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  how: fc.constantFrom('whole', 'broken', 'closed'),
  name: fc.constantFrom('a.csv', 'a.csv', 'a.exe'),
})

const broken = brokenOnes.map(
  (it): Step => ({
    run: async () => {
      await sendBroken(it)
      // it may take the server a moment to hear of it, and no longer
      await expect
        .poll(() => progressOf(it.dealer), { timeout: PATIENCE_MS, interval: 5 })
        .toMatchObject({ running: false })
    },
    toString: () => `broken ${JSON.stringify(it)}`,
  }),
)

const together = fc
  .array(fc.oneof(brokenOnes, fc.record({ dealer: dealers, rows: fc.constant(1) })), {
    ...{ minLength: 2, maxLength: 6 },
  })
  .map(
    (all): Step => ({
      run: async () => {
        await Promise.all(
          all.map((one) => ('rows' in one ? send(one.dealer, one.rows) : sendBroken(one))),
        )
      },
      toString: () => `together ${JSON.stringify(all)}`,
    }),
  )

const look = dealers.map(
  (dealer): Step => ({
    run: async () => {
      const { running, rows, created, skipped } = await progressOf(dealer)
      expect(typeof running).toBe('boolean')
      expect(Number(created) + Number(skipped)).toBeLessThanOrEqual(Number(rows))
    },
    toString: () => `look ${dealer}`,
  }),
)

const stop = fc.record({ broken: fc.array(brokenOnes, { maxLength: 4 }) }).map(
  ({ broken: first }): Step => ({
    run: async () => {
      if (stops >= MOST_STOPS) return
      stops += 1
      await Promise.all(first.map(sendBroken))
      // one that waits for something broken is cut off, and ends with 1
      const { code } = await uploads.server.stop()
      expect(code, uploads.server.output).toBe(0)
      await uploads.restart()
    },
    toString: () => `stop behind ${JSON.stringify(first)}`,
  }),
)

const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: good },
    { weight: 12, arbitrary: broken },
    { weight: 4, arbitrary: together },
    { weight: 4, arbitrary: look },
    { weight: 1, arbitrary: stop },
  ),
  { minLength: 1, maxLength: LONGEST },
)

async function storedBy(dealer: number): Promise<number> {
  let count = 0
  let path: string | undefined = '?limit=500'
  while (path !== undefined) {
    const reply = await get(dealer, path)
    count += ((await reply.json()) as unknown[]).length
    const link = /\?[^>]*/.exec(reply.headers.get('link') ?? '')
    path = link === null ? undefined : link[0]
  }
  return count
}

it(`${HISTORIES} histories of good and broken imports leave every place free`, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      for (const step of history) {
        await step.run()
        expect(uploads.server.isAlive, uploads.server.output).toBe(true)
      }
      // whatever has happened: both dealers get a turn at once
      await Promise.all([send(0, 1), send(1, 1)])
    }),
    { seed: SEED, numRuns: HISTORIES, endOnFailure: true },
  )
  for (const dealer of [0, 1]) expect(await storedBy(dealer)).toBe(stored[dealer])
}, 900_000)

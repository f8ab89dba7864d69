// The checker of stored French data: silent on what the queue did, and loud on what was changed.
import { describe, expect, it } from 'vitest'
import { writeJson } from '../../../src/lib/json-write.js'
import type { AuditedReceipt } from '../../../src/market/contract.js'
import { auditorOf } from '../../../src/market/fr/audit.js'
import type { Letter } from '../../../src/market/fr/rows.js'
import type { StoredMarketRow } from '../../../src/model/journal.js'
import type { Finding } from '../../../src/model/verdict.js'
import { type Sent, TestQueue } from './queue.js'

const sale: Sent = { kind: 1, charges: [[3, 12]], pays: [[1, 12]] }
const DAY: Sent[] = [
  { kind: 0x10 },
  sale,
  { ...sale, kind: 3 },
  { kind: 0x16, previous: 'r' },
  { ...sale, flags: 2 },
  sale,
  { kind: 5 },
]

async function storedDay() {
  const queue = new TestQueue()
  const stored: AuditedReceipt[] = []
  for (const [row, sent] of DAY.entries()) {
    const outcome = await queue.accept(sent)
    const journal: StoredMarketRow[] = outcome.journal.map(({ certificate, ...rest }) => ({
      ...rest,
      ...{ timeStamp: 0n, queueItemId: queue.itemId },
      certificateFingerprint: certificate?.fingerprint ?? null,
    }))
    const ftSignatures = outcome.signatures.map(({ caption, data }) => ({ caption, data }))
    stored.push({ row, response: writeJson({ ftSignatures }), journal, actionTypes: [] })
  }
  return { queue, stored }
}

function judged({ queue, stored }: Awaited<ReturnType<typeof storedDay>>): string[] {
  const auditor = auditorOf(queue.state)
  const findings: Finding[] = stored.flatMap((one) => auditor.receipt(one))
  return [...new Set([...findings, ...auditor.end()].map(({ code }) => code))].sort()
}

const chain = ({ state }: TestQueue, letter: Letter) => {
  const found = state.chains[letter]
  if (found === undefined) throw new Error(`there is no chain ${letter}`)
  return found
}

const row = (stored: AuditedReceipt[], at: number): StoredMarketRow => {
  const found = stored[at]?.journal.find(({ kind }) => kind.length === 1)
  if (found === undefined) throw new Error(`receipt ${at} has no document`)
  return found
}

describe('the auditor of a French queue', () => {
  it('finds nothing in what was done, and names the journal with its certificates', async () => {
    const day = await storedDay()
    expect(judged(day)).toEqual([])
    const auditor = auditorOf(day.queue.state)
    expect(auditor.legalExport()).toBeUndefined()
    for (const one of day.stored) auditor.receipt(one)
    expect(auditor.legalExport()).toMatchObject({
      type: 0x4652n,
      certificates: [expect.any(Buffer)],
    })
  })

  const changes: [string[], (day: Awaited<ReturnType<typeof storedDay>>) => void][] = [
    [
      ['CHAIN_NUMBER', 'STATE_NUMBER'],
      ({ stored }) => {
        row(stored, 5).number = 9
      },
    ],
    [
      ['CHAIN_HASH', 'CHAIN_NUMBER', 'STATE_TOTAL'],
      ({ stored }) => {
        stored.splice(1, 1)
      },
    ],
    [
      ['ANSWER_DOCUMENT'],
      ({ stored }) => {
        Object.assign(stored[2] ?? {}, { response: '{"ftSignatures":[]}' })
      },
    ],
    [
      ['CERTIFICATE_NAMED'],
      ({ stored }) => {
        row(stored, 2).certificateFingerprint = null
      },
    ],
    [
      ['STATE_CHAIN'],
      ({ queue }) => {
        chain(queue, 'T').lastHash = 'x'
      },
    ],
    [
      ['STATE_NUMBER'],
      ({ queue }) => {
        chain(queue, 'X').number += 1
      },
    ],
    [
      ['STATE_TOTAL'],
      ({ queue }) => {
        chain(queue, 'I').totals = { total: '1' }
      },
    ],
  ]

  it.each(changes)('finds %j', async (codes, change) => {
    const day = await storedDay()
    change(day)
    expect(judged(day)).toEqual(codes)
  })
})

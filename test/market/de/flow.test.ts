// The published flow of a German queue, row by row: calls of the TSE, identifications, states.
import { beforeAll, describe, expect, it } from 'vitest'
import { TSE_STATES } from '../../../src/device/tse/tse.js'
import type { ReceiptOutcome } from '../../../src/market/contract.js'
import type { DeState } from '../../../src/market/de/queue.js'
import { de, implicit, order, receipt, sale } from '../../support/de/make.js'
import { MemoryTse } from '../../support/de/memory-tse.js'
import { captionsOf, dataOf, SERIAL, TestQueue } from '../../support/de/test-queue.js'

const READY = 0x4445_0000_0000_0000n
const FAILED = READY | 0x2n
const LATE = READY | 0x8n

interface Step {
  request: Parameters<TestQueue['accept']>[0]
  down?: boolean
  identification: string
  state: bigint
  log: string[]
  counter: number
}

const at = (receiptReference: string) => ({ receiptReference })
const steps: Step[] = [
  {
    request: sale(implicit(0x1)),
    identification: 'ft1#IT2',
    state: READY,
    log: ['Start 2', 'Finish 2 Kassenbeleg-V1'],
    counter: 7,
  },
  {
    request: receipt(de(0x8), at('T5')),
    identification: 'ft2#ST3',
    state: READY,
    log: ['Start 3'],
    counter: 8,
  },
  {
    request: order(de(0x10), at('T5')),
    identification: 'ft3#T3',
    state: READY,
    log: ['Finish 3 Bestellung-V1'],
    counter: 9,
  },
  {
    request: order(implicit(0x10)),
    identification: 'ft4#IT4',
    state: READY,
    log: ['Start 4', 'Finish 4 Bestellung-V1'],
    counter: 11,
  },
  {
    request: receipt(de(0x8), at('T6')),
    identification: 'ft5#ST5',
    state: READY,
    log: ['Start 5'],
    counter: 12,
  },
  {
    request: receipt(de(0x9), at('T6')),
    identification: 'ft6#UT5',
    state: READY,
    log: ['Update 5'],
    counter: 13,
  },
  {
    request: sale(de(0x1), '1.00', at('T6')),
    identification: 'ft7#T5',
    state: READY,
    log: ['Finish 5 Kassenbeleg-V1'],
    counter: 14,
  },
  {
    request: receipt(de(0x8), at('T7')),
    identification: 'ft8#ST6',
    state: READY,
    log: ['Start 6'],
    counter: 15,
  },
  {
    request: receipt(de(0xb), at('T7')),
    identification: 'ft9#T6',
    state: READY,
    log: ['Finish 6 Kassenbeleg-V1'],
    counter: 16,
  },
  {
    request: sale(implicit(0x1)),
    down: true,
    identification: 'ftA#',
    state: FAILED,
    log: [],
    counter: 16,
  },
  {
    request: sale(implicit(0x1)),
    down: true,
    identification: 'ftB#',
    state: FAILED,
    log: [],
    counter: 16,
  },
  {
    request: receipt(implicit(0x2)),
    identification: 'ftC#IT7',
    state: READY,
    log: ['Start 7', 'Finish 7 SonstigerVorgang'],
    counter: 18,
  },
  {
    request: sale(implicit(0x1_0001)),
    identification: 'ftD#',
    state: LATE,
    log: [],
    counter: 18,
  },
  {
    request: receipt(implicit(0x7)),
    identification: 'ftE#IT8',
    state: READY,
    log: ['Start 8', 'Finish 8 SonstigerVorgang'],
    counter: 20,
  },
]

describe('the flow of a register', () => {
  const tse = new MemoryTse('flow', { counter: 5, next: 2 })
  tse.state = TSE_STATES.initialized
  tse.clients = [SERIAL]
  const queue = new TestQueue({}, tse)
  const answers: ReceiptOutcome<DeState>[] = []
  const seen: { log: string[]; counter: number; calls: string[] }[] = []

  beforeAll(async () => {
    queue.startMoment = new Date('2026-01-01T08:00:00Z')
    queue.state = { ...queue.state, scuId: 'scu-1' }
    queue.receiptNumerator = 1
    for (const step of steps) {
      tse.down = step.down ?? false
      const logged = tse.transactions().length
      tse.calls = []
      answers.push(await queue.accept(step.request))
      const log = tse.transactions().slice(logged)
      seen.push({ log, counter: tse.counter, calls: tse.calls })
    }
  })

  it.each(steps.map((step, at) => [at + 1, step.identification] as const))(
    'row %i is %s',
    (number) => {
      const at = number - 1
      const step = steps[at]
      expect({
        identification: answers[at]?.identification,
        state: answers[at]?.stateWord,
        log: seen[at]?.log,
        counter: seen[at]?.counter,
      }).toEqual({
        identification: step?.identification,
        state: step?.state,
        log: step?.log,
        counter: step?.counter,
      })
    },
  )

  it('counts failures, and does not even try the TSE after the first', () => {
    const counts = [9, 10].map((at) => answers[at]?.signatures.map(({ data }) => data))
    expect(counts).toEqual([
      ['Fehlerzähler seit 2026-01-01T10:00:00.000Z: 1'],
      ['Fehlerzähler seit 2026-01-01T10:00:00.000Z: 2'],
    ])
    expect(seen[9]?.calls.length).toBe(3)
    expect(seen[10]?.calls).toEqual([])
  })

  it('tells the recovery with the number of failed receipts', () => {
    const answer = answers[11]
    const caption = 'TSE Kommunikation wiederhergestellt am 2026-01-01T10:00:00Z.'
    expect(answer && dataOf(answer, caption)).toBe(
      '2 Aktionen ohne TSE Kommunikation im Zeitraum von 2026-01-01T10:00:00Z bis ' +
        '2026-01-01T10:00:00Z',
    )
  })

  it('gives the cash point closing its number', () => {
    expect(JSON.parse(answers[13]?.stateData ?? '{}')).toEqual({ DailyClosingNumber: 1 })
    expect(seen[13]?.calls.at(-1)).toBe('export')
  })

  it('ends the late-signing phase with the next zero receipt', async () => {
    const answer = await queue.accept(receipt(implicit(0x2)))
    expect(captionsOf(answer).at(-1)).toBe(
      'Ausfallsnacherfassung abgeschlossen am 2026-01-01T10:00:00Z.',
    )
    expect(queue.state.usedFailedCount).toBe(0)
  })

  it('journals every message of the TSE once, in order', () => {
    expect(queue.journalled()).toEqual(tse.log)
  })
})

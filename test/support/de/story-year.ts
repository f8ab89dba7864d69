// The days of a German shop: what happens besides selling. TSEs that fail in every way, closings,
// late entries, changes of the TSE. Every day ends with the closing of both queues.
import { expect } from 'vitest'
import { type GermanShop, IMPLICIT, parameters, type Sent } from './story-shop.js'
import type { Tills } from './story-till.js'

export const CASES = { zero: 2n, start: 3n, stop: 4n, monthly: 5n, yearly: 6n, daily: 7n }
const INITIATE = 0x17n
const FINISH = 0x18n
const CLIENT_ONLY = 0x0100_0000n
const BYPASS = 0x0400_0000n
const MASTER_DATA = 0x0800_0000n
const TSE_INFO = 0x0080_0000n
const SELF_TEST = 0x0100_0000n
const CLOSE_ALL = 0x2_0000_0000n
const LATE = 0x1_0000n
const HANDWRITTEN = 0x8_0000n

const captions = ({ answer }: Sent) => answer.signatures.map(({ caption }) => caption).join('\n')

export class Year {
  readonly tills: Tills
  /** Place of the TSE that each queue is linked to. */
  readonly linked = [0, 0]
  /** Closings so far, by queue. */
  readonly closings = [0, 0]
  masterDataName = ['Muster GmbH', 'Muster GmbH']
  private readonly shop: GermanShop

  constructor(tills: Tills) {
    this.tills = tills
    this.shop = tills.shop
  }

  operation(queue: number, code: bigint, flags = 0n): Promise<Sent> {
    const reference = this.tills.reference('op')
    return this.tills.send(queue, { word: IMPLICIT | code | flags, reference })
  }

  async open(): Promise<void> {
    for (const queue of [0, 1]) {
      const started = await this.operation(queue, CASES.start)
      expect(captions(started)).toContain('In-Betriebnahme-Beleg')
    }
  }

  private async outage(queue: number, steps: object[], work: () => Promise<void>): Promise<void> {
    const scu = this.linked[queue] ?? 0
    await this.shop.fault(scu, steps)
    this.tills.down = true
    await work()
    this.tills.down = false
    await this.shop.fault(scu, null)
  }

  /** The zero receipt after an outage; how many receipts it says were made meanwhile. */
  async recover(queue: number): Promise<Sent> {
    const zero = await this.operation(queue, CASES.zero)
    expect(zero.answer.state).toBe(0n)
    expect(captions(zero)).toContain('TSE Kommunikation wiederhergestellt')
    return zero
  }

  // -------------------------------------------------------------------- outages

  /** The TSE fails between the start and the finish of explicit transactions. */
  async explicitOutage(queue: number): Promise<void> {
    const { tills } = this
    const [open, early, never, again] = ['open', 'early', 'never', 'again'].map((name) =>
      tills.reference(name),
    ) as [string, string, string, string]
    await tills.start(queue, open)
    await tills.start(queue, early)
    await this.outage(queue, [{ do: 'unreachable' }], async () => {
      await tills.finish(queue, early, tills.recipe())
      await tills.start(queue, never)
      await tills.finish(queue, never, tills.recipe())
      await tills.start(queue, again)
      await tills.implicit(queue, tills.recipe())
      await tills.implicit(queue, tills.order())
    })
    const { answer } = await this.recover(queue)
    expect(answer.signatures.some(({ data }) => data.startsWith('6 Aktionen'))).toBe(true)
    // own start, own finish, and what was missed: one finish, one start
    const kinds = (type: bigint) => answer.signatures.filter((one) => (one.type & 0xffn) === type)
    expect([kinds(0x10n).length, kinds(0x12n).length]).toEqual([3, 2])
    await tills.finish(queue, again, tills.recipe())
    await tills.finish(queue, open, tills.recipe())
  }

  /** Answers get lost, first some of them, then all: what was done is not done again. */
  async lostAnswers(queue: number): Promise<void> {
    const { tills } = this
    const scu = this.linked[queue] ?? 0
    await this.shop.fault(scu, [
      { do: 'delay', ms: 5, calls: 1 },
      { do: 'error-after', calls: 1 },
    ])
    await tills.implicit(queue, tills.recipe())
    await this.shop.fault(scu, [
      { do: 'garbage', calls: 1 },
      { do: 'wrong-signature', calls: 1 },
    ])
    await tills.implicit(queue, tills.recipe())
    await this.shop.fault(scu, null)
    const reference = tills.reference('lost')
    await tills.start(queue, reference)
    await this.outage(queue, [{ do: 'error-after' }], async () => {
      await tills.finish(queue, reference, tills.recipe())
    })
    await this.recover(queue)
    await this.outage(queue, [{ do: 'delay', ms: 1000 }], async () => {
      await tills.implicit(queue, tills.recipe())
    })
    await this.recover(queue)
    await this.outage(queue, [{ do: 'garbage' }], async () => {
      await tills.start(queue, tills.reference('garbage'))
      await tills.implicit(queue, tills.recipe())
    })
    await this.recover(queue)
  }

  /** Everything that a TSE may refuse. */
  async refusals(queue: number): Promise<void> {
    const kinds = [
      ...['memory-full', 'too-many-transactions', 'time-not-set', 'counter-overflow'],
      ...['certificate-expired', 'error'],
    ]
    for (const kind of kinds) {
      await this.outage(queue, [{ do: kind }], async () => {
        await this.tills.implicit(queue, this.tills.recipe())
      })
      await this.recover(queue)
    }
    const reference = this.tills.reference('full')
    await this.tills.start(queue, reference)
    await this.outage(queue, [{ do: 'memory-full' }], async () => {
      await this.tills.finish(queue, reference, this.tills.recipe())
    })
    await this.recover(queue)
    await this.operation(queue, CASES.zero, TSE_INFO | SELF_TEST)
    const scu = this.linked[queue] ?? 0
    await this.shop.fault(scu, [{ do: 'wrong-clock', ms: 2000, calls: 2 }])
    await this.tills.implicit(queue, this.tills.recipe())
    // the export of the closing fails, the closing does not
    await this.shop.fault(scu, [{ do: 'pin-locked' }])
    await this.close(queue)
    await this.shop.fault(scu, null)
  }

  /** Both queues sell on while their TSE is gone. */
  async longOutage(): Promise<void> {
    const steps = [{ do: 'unreachable' }]
    for (const scu of new Set(this.linked)) await this.shop.fault(scu, steps)
    this.tills.down = true
    for (const queue of [0, 1]) await this.tills.implicit(queue, this.tills.recipe())
    await this.tills.crowd(6, 4)
    this.tills.down = false
    for (const scu of new Set(this.linked)) await this.shop.fault(scu, null)
    for (const queue of [0, 1]) await this.recover(queue)
  }

  async lateEntries(queue: number): Promise<void> {
    for (const flag of [LATE, LATE, HANDWRITTEN]) {
      const made = this.tills.recipe()
      const word = IMPLICIT | BigInt(made.code) | (made.flags ?? 0n) | flag
      const late = await this.shop.send(queue, {
        word,
        reference: this.tills.reference('late'),
        recipe: made,
      })
      expect(late.answer.state).toBe(flag === LATE ? 8n : 0n)
    }
    expect(captions(await this.operation(queue, CASES.zero))).toContain(
      'Ausfallsnacherfassung abgeschlossen',
    )
  }

  // ----------------------------------------------------------------- closings

  async close(queue: number, flags = 0n): Promise<Sent> {
    const closed = await this.operation(queue, CASES.daily, flags)
    this.closings[queue] = (this.closings[queue] ?? 0) + 1
    if (!this.tills.down) {
      const data = JSON.parse(closed.answer.stateData ?? '{}') as Record<string, unknown>
      expect(data.DailyClosingNumber).toBe(this.closings[queue])
    }
    return closed
  }

  async closeAll(day: number): Promise<void> {
    const flags = [0n, CLOSE_ALL, BYPASS, 0n][day % 4] ?? 0n
    await this.close(0, flags)
    await this.close(1)
  }

  /** The number of the closing rises all the same. */
  async closeWithoutTse(queue: number): Promise<void> {
    const open = this.tills.reference('over-night')
    await this.tills.start(queue, open)
    await this.outage(queue, [{ do: 'unreachable' }], async () => {
      await this.close(queue)
      await this.tills.implicit(queue, this.tills.recipe())
    })
    await this.recover(queue)
    await this.close(queue)
  }

  async newMasterData(queue: number, code: bigint): Promise<void> {
    const name = `Muster ${code} & Söhne GmbH`
    await this.shop.configure(queue, parameters(name, queue === 0 ? '2.3' : '2.4'))
    const before = await this.operation(queue, CASES.monthly)
    const old = this.masterDataName[queue] ?? ''
    expect(before.answer.stateData).toContain(old)
    await this.operation(queue, code, MASTER_DATA)
    if (code === CASES.daily) this.closings[queue] = (this.closings[queue] ?? 0) + 1
    const after = await this.operation(queue, CASES.yearly)
    expect(after.answer.stateData).toContain(name)
    this.masterDataName[queue] = name
  }

  // ----------------------------------------------------------- change of the TSE

  private readonly other = (queue: number) => 1 - (this.linked[queue] ?? 0)

  async change(queue: number): Promise<void> {
    const [from = 0, to] = [this.linked[queue], this.other(queue)]
    await this.shop.plan(from, to)
    await this.close(queue)
    const left = await this.operation(queue, INITIATE, CLIENT_ONLY)
    expect(captions(left)).toContain('SCU von Queue getrennt.')
    await this.between(queue)
    const joined = await this.operation(queue, FINISH)
    expect(captions(joined)).toContain('SCU mit Queue verbunden.')
    this.linked[queue] = to
  }

  /** Sales between two TSEs are answered, not signed. */
  private async between(queue: number): Promise<void> {
    const made = this.tills.recipe()
    const reference = this.tills.reference('switch')
    const word = IMPLICIT | BigInt(made.code) | (made.flags ?? 0n)
    const sent = await this.shop.send(queue, { word, reference, recipe: made })
    expect(sent.answer.state).toBe(0x100n)
  }

  /** The old TSE is gone, and the new one does not come at first. */
  async changeInOutage(queue: number): Promise<void> {
    const [from = 0, to] = [this.linked[queue], this.other(queue)]
    await this.shop.plan(from, to)
    await this.close(queue)
    await this.shop.fault(from, [{ do: 'unreachable' }])
    const left = await this.operation(queue, INITIATE, CLIENT_ONLY)
    expect(left.answer.signatures.filter(({ type }) => (type & 0xffn) === 0x12n)).toEqual([])
    await this.shop.fault(to, [{ do: 'error' }])
    const reference = this.tills.reference('finish')
    const refused = await this.shop.post(queue, { word: IMPLICIT | FINISH, reference })
    expect(refused.status).toBe(400)
    await this.between(queue)
    await this.shop.fault(to, null)
    const joined = await this.operation(queue, FINISH)
    expect(captions(joined)).toContain('SCU mit Queue verbunden.')
    await this.shop.fault(from, null)
    this.linked[queue] = to
  }

  // ------------------------------------------------------------------ the end

  async stop(): Promise<void> {
    for (const queue of [0, 1]) await this.close(queue)
    const shared = this.linked[0] === this.linked[1]
    await this.operation(0, CASES.stop, shared ? CLIENT_ONLY : 0n)
    const stopped = await this.operation(1, CASES.stop)
    expect(captions(stopped)).toContain('Außer-Betriebnahme-Beleg')
    const after = await this.shop.send(1, { word: IMPLICIT | 1n, reference: 'after the end' })
    expect(after.answer.state & 1n).toBe(1n)
  }
}

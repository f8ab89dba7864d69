// A random month: two processes on one queue, an authority that is away, loses answers and wants to
// be left alone, kills between the step and its commit and within the work that follows. What is
// left verifies, and the authority has every record once, in order. MODEL_RUNS=2200 makes it long.
import { describe, expect, it } from 'vitest'
import { DeviceError } from '../../../src/device/device.js'
import type { EsCall, EsDevice } from '../../../src/device/es/unit.js'
import { serve } from '../../../src/simulator/es/authority.js'
import { emptyRegister } from '../../../src/simulator/es/register.js'
import { bread, coffee, customer, judge, later } from '../../verify/es/files.js'
import { type Sent, TestQueue } from './queue.js'

const RECEIPTS = Math.max(200, Number(process.env.MODEL_RUNS ?? 0))

/** Small, and the same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The emulated authority behind a line that breaks; it writes down every record that arrives. */
class Line {
  readonly register = emptyRegister()
  readonly arrived: string[] = []
  readonly incidents: boolean[] = []
  calls = 0
  away = 0
  loses = 0
  early = 0
  private notBefore = 0
  constructor(private readonly queue: () => TestQueue) {}

  readonly device: EsDevice = {
    identity: async () => ({
      ...{ kind: 'VeriFactu', nif: 'B12345674', name: 'Prueba, S.L.', regime: 'MainlandVat' },
      ...{ qrBase: 'https://prewww2.aeat.es', isDirect: false, licence: '' },
    }),
    sign: async ({ xml }) => xml,
    call: async (call) => this.call(call),
  }

  private call({ body }: EsCall) {
    const now = this.queue().moment
    this.calls += 1
    if (this.away > 0) {
      this.away -= 1
      throw new DeviceError('away')
    }
    const text = String(body)
    const isQuery = text.includes('ConsultaFactu')
    const ids = [...text.matchAll(/<sum1:IDFactura><sum1:\w+>[^<]*<[^>]*><sum1:\w+>([^<]+)</g)]
    if (!isQuery) {
      if (now.getTime() < this.notBefore) this.early += 1
      const [operations] = [[...text.matchAll(/<sum1:Registro(Alta|Anulacion) /g)]]
      for (const [at, [, number]] of ids.entries()) {
        this.arrived.push(`${operations[at]?.[1]} ${number}`)
      }
      this.incidents.push(text.includes('<sum1:Incidencia>S<'))
    }
    const asked = { method: 'POST', body: text, now }
    const answer = serve(this.register, asked, { waitSeconds: 60, most: 1_000_000 })
    if (!isQuery) this.notBefore = now.getTime() + 60_000
    if (this.loses > 0 && !isQuery) {
      this.loses -= 1
      this.notBefore = 0
      throw new DeviceError('the answer was lost')
    }
    return { ...answer, headers: {} }
  }
}

class Month {
  private readonly open: Sent[] = []
  private count = 0
  private due = 0
  readonly made: string[] = []
  killed = 0
  constructor(
    readonly queue: TestQueue,
    private readonly line: Line,
    private readonly random: (below: number) => number,
  ) {}

  private next(): Sent {
    this.count += 1
    const reference = `r${this.count}`
    const dice = this.random(20)
    const target = this.open[this.random(this.open.length || 1)]
    if (dice < 3 && target !== undefined) {
      const [sign, flag] = dice === 0 ? [1, 0x4_0000] : [-1, 0x100_0000]
      const charges = (target.charges ?? []).map((one) => ({
        ...{ ...one, amount: sign * one.amount, quantity: sign },
      }))
      const pays = (target.pays ?? []).map(([sum]): [number] => [sign * sum])
      const kind = target.kind | flag
      return { ...target, reference, previous: target.reference, kind, charges, pays }
    }
    const charges = this.random(2) === 0 ? [coffee] : [coffee, bread]
    const pays: [number][] = [[charges.length === 1 ? 12.1 : 13.14]]
    return dice < 7
      ? { reference, kind: 0x1001, customer, charges, pays }
      : { reference, kind: 1, charges, pays }
  }

  async step(): Promise<void> {
    const { queue, random, line } = this
    later(queue, 1 + random(20))
    if (random(25) === 0) line.away = 1 + random(4)
    if (random(20) === 0) line.loses = 1
    const sent = this.next()
    // another process was faster, or this one died: what it computed is thrown away
    if (random(12) === 0) {
      const undo = queue.keepPoint()
      await queue.run({ ...sent, reference: `${sent.reference}-lost` })
      undo()
      this.killed += 1
    }
    const outcome = await queue.run(sent)
    if (outcome.faults.length === 0) {
      const isVoid = (sent.kind & 0x4_0000) !== 0
      this.made.push(`${isVoid ? 'Anulacion' : 'Alta'} ${outcome.identification.split('#')[1]}`)
      if (sent.previous === undefined) this.open.push(sent)
    }
    if (random(3) === 0) await this.work()
  }

  /** As the queue of jobs does it: not before it is due, and again after a kill. */
  async work(): Promise<void> {
    const { queue, random } = this
    if (!queue.waiting && queue.moment.getTime() < this.due) return
    let writes = random(4) === 0 ? random(4) : -1
    queue.onWrite = () => {
      if (writes-- === 0) throw new Error('killed')
    }
    try {
      const again = await queue.work()
      this.due = queue.moment.getTime() + (again?.inMs ?? 0)
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'killed') throw error
      this.killed += 1
      this.due = 0
    }
    queue.onWrite = () => undefined
  }
}

describe('a random month', () => {
  it('every record reaches the authority once and in order, and the journal verifies', async () => {
    let queue: TestQueue | undefined
    const line: Line = new Line(() => queue as TestQueue)
    queue = new TestQueue({ device: line.device })
    queue.moment = new Date('2026-06-01T08:00:00Z')
    await queue.run({ reference: 'start', kind: 0x4001 })
    const month = new Month(queue, line, randomOf(7))
    for (let n = 0; n < RECEIPTS; n += 1) await month.step()
    line.away = 0
    line.loses = 0
    while (queue.state.transmission.sent < queue.state.records) {
      later(queue, 40)
      await month.work()
    }
    expect(line.arrived).toEqual(month.made)
    expect(queue.state.records).toBe(month.made.length)
    const outcomes = queue.rows.filter(({ kind }) => kind === 'T')
    expect(outcomes.map(({ number }) => number)).toEqual(month.made.map((_, at) => at + 1))
    expect(outcomes.every(({ content }) => content.includes('"state":"Correcto"'))).toBe(true)
    expect(line.early).toBe(0)
    expect(new Set(line.incidents)).toEqual(new Set([true, false]))
    expect(month.killed).toBeGreaterThan(RECEIPTS / 30)
    expect((await judge(await queue.books())).findings).toEqual([])
  }, 120_000)
})

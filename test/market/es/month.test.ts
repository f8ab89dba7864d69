// A random month, with VeriFactu and with TicketBAI: two processes on one queue, an authority that
// is away, loses answers and wants to be left alone, kills between the step and its commit and
// within the work that follows. What is left verifies, and the authority has every record once, in
// order. The soak makes it long.
import { describe, expect, it } from 'vitest'
import { DeviceError } from '../../../src/device/device.js'
import type { EsCall, EsDevice } from '../../../src/device/es/unit.js'
import { serve } from '../../../src/simulator/es/authority.js'
import { serveProvince } from '../../../src/simulator/es/province.js'
import { emptyRegister } from '../../../src/simulator/es/register.js'
import { bread, coffee, customer, judge, later, newQueue } from '../../verify/es/files.js'
import { MONTH_MS, RECEIPTS, randomOf } from '../month.js'
import { type Sent, TestQueue } from './queue.js'

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
    const ids = [...text.matchAll(/<IDFactura><\w+>[^<]*<[^>]*><\w+>([^<]+)</g)]
    if (!isQuery) {
      if (now.getTime() < this.notBefore) this.early += 1
      const [operations] = [[...text.matchAll(/<Registro(Alta|Anulacion) /g)]]
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

/** The emulated province behind the same line. It knows a file again, and takes it once. */
class Province {
  readonly register = emptyRegister()
  readonly taken: string[] = []
  away = 0
  loses = 0
  again = 0
  constructor(private readonly queue: TestQueue) {}

  call(call: EsCall) {
    if (this.away > 0) {
      this.away -= 1
      throw new DeviceError('away')
    }
    const now = this.queue.moment
    const answer = serveProvince(this.register, { province: 'Araba', call, now, most: 100_000 })
    const [, series = '', number = ''] =
      /<SerieFactura>([^<]+)<\/SerieFactura><NumFactura>([^<]+)</.exec(String(call.body)) ?? []
    const operation = call.path.includes('anul') || /baja/.test(call.path) ? 'Anulacion' : 'Alta'
    if (answer.text.includes('<Estado>00<')) this.taken.push(`${operation} ${series}-${number}`)
    else if (answer.text.includes('<Codigo>005<')) this.again += 1
    if (this.loses > 0) {
      this.loses -= 1
      throw new DeviceError('the answer was lost')
    }
    return answer
  }
}

class Month {
  private readonly open: Sent[] = []
  private count = 0
  private due = 0
  readonly made: string[] = []
  killed = 0
  outages = 0
  /** Answers that get lost on their way back. */
  lost = 0
  constructor(
    readonly queue: TestQueue,
    private readonly line: { away: number; loses: number },
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
    if (random(25) === 0) {
      line.away = 1 + random(4)
      this.outages += 1
    }
    if (random(20) === 0) {
      line.loses = 1
      this.lost += 1
    }
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
  it(
    'every record reaches the authority once and in order, and the journal verifies',
    async () => {
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
      expect(Math.min(month.outages, month.lost)).toBeGreaterThan(RECEIPTS / 50)
      expect((await judge(await queue.books())).findings).toEqual([])
    },
    MONTH_MS,
  )

  it(
    'every file reaches its province once and in order, and signatures and chain hold',
    async () => {
      const queue = await newQueue({ kind: 'Araba' })
      const own = queue.device
      if (own === undefined) throw new Error('no unit')
      const province = new Province(queue)
      // every file is signed, and checked three times
      const files = RECEIPTS > 200 ? RECEIPTS : 60
      queue.device = { ...own, call: async (call) => province.call(call) }
      await queue.run({ reference: 'start', kind: 0x4001 })
      const month = new Month(queue, province, randomOf(5))
      for (let n = 0; n < files; n += 1) await month.step()
      province.away = 0
      province.loses = 0
      while (queue.state.transmission.sent < queue.state.records) {
        later(queue, 40)
        await month.work()
      }
      expect(province.taken).toEqual(month.made)
      expect(province.again).toBeGreaterThan(0)
      const outcomes = queue.rows.filter(({ kind }) => kind === 'T')
      expect(outcomes.map(({ number }) => number)).toEqual(month.made.map((_, at) => at + 1))
      expect(month.killed).toBeGreaterThan(files / 30)
      expect(Math.min(month.outages, month.lost)).toBeGreaterThan(files / 50)
      const { findings, summary } = await judge(await queue.books())
      expect(findings).toEqual([])
      expect(summary).toMatchObject({
        ...{ records: month.made.length, signaturesVerified: month.made.length },
      })
    },
    MONTH_MS,
  )
})

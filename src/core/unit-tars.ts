// Exports of security devices as the database keeps them: parts of some size, compressed; in memory
// is never more than one of them.
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { DeviceError } from '../device/device.js'
import type {
  GrowingTar,
  KeptTar,
  KeptTars,
  TarFacts,
  TarUnit,
  WholeTar,
} from '../device/tse/kept-tars.js'
import { orderedId } from '../lib/id.js'
import type { Store } from '../store/client.js'
import {
  addPart,
  beginTar,
  changeTar,
  dropTar,
  emptyTar,
  type TarChange,
  type TarKey,
  type TarRow,
  takeTar,
  tarParts,
  waitingTar,
} from '../store/rollout/unit-tars.js'

const pack = promisify<Buffer, { level: number }, Buffer>(gzip)
const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** Of a part before it is compressed; one may be longer by what the device gave at once. */
const PART_BYTES = 512 * 1024
const MOST_PART_BYTES = 64 * 1024 * 1024
/** A process that has died is waited for as long as its call might have taken, and this. */
const SPARE_MS = 5_000

export function createUnitTars(store: Store, now: () => Date): KeptTars {
  const growing = (unit: TarUnit, row: TarRow, hold: Hold) =>
    new Growing(store, unit, { row, hold })
  const heldFor = (milliseconds: number): Hold => ({
    holder: randomUUID(),
    holdMs: Math.ceil(milliseconds) + SPARE_MS,
  })
  return {
    waiting: async (unit) => {
      const row = await waitingTar(store, unit)
      return row === undefined ? undefined : wholeTar(store, unit.accountId, row)
    },
    resume: async (unit, holdMs) => {
      const hold = heldFor(holdMs)
      const row = await takeTar(store, unit, hold)
      if (row === 'taken') throw taken()
      return row === undefined ? undefined : growing(unit, row, hold)
    },
    begin: async (unit, holdMs) => {
      const hold = heldFor(holdMs)
      const id = orderedId(now().getTime())
      if (!(await beginTar(store, unit, { ...hold, id, now: now() }))) throw taken()
      return growing(unit, { id, token: '', bytes: 0, parts: 0, facts: '' }, hold)
    },
  }
}

function taken(): DeviceError {
  return new DeviceError('an export of this device is under way', { kind: 'busy' })
}

interface Hold {
  holder: string
  holdMs: number
}

export function wholeTar(store: Store, accountId: string, row: TarRow): WholeTar {
  const facts = JSON.parse(row.facts) as TarFacts
  return { ...tarOf(store, { accountId, id: row.id }, row.bytes), facts }
}

function tarOf(store: Store, key: TarKey, bytes: number): KeptTar {
  return { id: key.id, bytes, read: () => readTar(store, key) }
}

/** Its bytes from this one on, in parts. */
export async function* readTar(
  store: Store,
  key: TarKey,
  from = 0,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const { start, content } of tarParts(store, key, from)) {
    const part = await unpack(content, { maxOutputLength: MOST_PART_BYTES })
    yield start < from ? part.subarray(from - start) : part
  }
}

class Growing implements GrowingTar {
  readonly id: string
  token: string
  private readonly store: Store
  private readonly key: TarKey
  private readonly hold: Hold
  private parts: number
  private kept: number
  private waiting: Buffer[] = []
  private length = 0

  constructor(store: Store, unit: TarUnit, { row, hold }: { row: TarRow; hold: Hold }) {
    this.store = store
    this.hold = hold
    this.key = { accountId: unit.accountId, id: row.id }
    this.id = row.id
    this.token = row.token
    this.parts = row.parts
    this.kept = row.bytes
  }

  get bytes(): number {
    return this.kept + this.length
  }

  read(): AsyncIterable<Buffer> {
    return readTar(this.store, this.key)
  }

  async write(part: Buffer): Promise<void> {
    if (part.length === 0) return
    this.waiting.push(part)
    this.length += part.length
    if (this.length >= PART_BYTES) await this.flush()
  }

  async keep(token: string): Promise<void> {
    await this.flush()
    await this.change({ token })
    this.token = token
  }

  async finish(facts: TarFacts): Promise<WholeTar> {
    await this.flush()
    await this.change({ facts: JSON.stringify(facts), gone: facts.gone, isLeft: true })
    return { ...tarOf(this.store, this.key, this.kept), facts }
  }

  async restart(): Promise<void> {
    this.waiting = []
    this.length = 0
    if (!(await emptyTar(this.store, this.key, this.hold.holder))) throw taken()
    this.parts = 0
    this.kept = 0
  }

  async drop(): Promise<void> {
    await dropTar(this.store, this.key)
  }

  async leave(): Promise<void> {
    await changeTar(this.store, this.key, { holder: this.hold.holder, isLeft: true })
  }

  private async flush(): Promise<void> {
    if (this.length === 0) return
    const bytes = Buffer.concat(this.waiting, this.length)
    this.waiting = []
    this.length = 0
    const content = await pack(bytes, { level: constants.Z_BEST_SPEED })
    const { parts, kept } = this
    const part = { ...this.hold, parts, bytes: kept, length: bytes.length, content }
    if (!(await addPart(this.store, this.key, part))) throw taken()
    this.parts += 1
    this.kept += bytes.length
  }

  private async change(change: TarChange): Promise<void> {
    const { holder } = this.hold
    if (!(await changeTar(this.store, this.key, { ...change, holder }))) throw taken()
  }
}

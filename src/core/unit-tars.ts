// Exports of security devices as the database keeps them: parts of some size, compressed; in memory
// is never more than one of them.
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, createGunzip, gzip } from 'node:zlib'
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

/** Of a part before it is compressed; only the last one is shorter. */
const PART_BYTES = 512 * 1024
/** Parts of former versions were longer by what the device gave at once. */
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

/** Of what is unpacked at once: larger ones stay in the memory of the process behind their end. */
const PIECE_BYTES = 16 * 1024

/** Its bytes from this one on, piece by piece. */
export async function* readTar(
  store: Store,
  key: TarKey,
  from = 0,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const { start, content } of tarParts(store, key, from)) {
    let at = start
    const unpacking = createGunzip({ chunkSize: PIECE_BYTES })
    unpacking.end(content)
    for await (const one of unpacking) {
      const piece: Buffer = one
      const first = Math.max(0, from - at)
      at += piece.length
      if (at - start > MOST_PART_BYTES) throw new Error('a part of an export is too long')
      if (first < piece.length) yield first === 0 ? piece : piece.subarray(first)
    }
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
  /** Bytes are copied as they come: thousands of small pieces would outlive their collection. */
  private readonly block = Buffer.allocUnsafeSlow(PART_BYTES)
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

  write(part: Buffer): Promise<void> | undefined {
    const copied = part.copy(this.block, this.length)
    this.length += copied
    if (this.length < PART_BYTES) return undefined
    return this.flush().then(() => this.write(part.subarray(copied)))
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
    const bytes = this.block.subarray(0, this.length)
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

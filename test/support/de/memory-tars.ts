// Exports of devices in memory, as the database keeps them.
import { DeviceError } from '../../../src/device/device.js'
import type {
  GrowingTar,
  KeptTar,
  KeptTars,
  TarFacts,
  WholeTar,
} from '../../../src/device/tse/kept-tars.js'

interface Kept {
  id: string
  scuId: string
  token: string
  parts: Buffer[]
  facts: TarFacts | undefined
  isHeld: boolean
}

export class MemoryTars implements KeptTars {
  readonly all: Kept[] = []
  /** Whether an archive names it: after each export, unless a test says that a commit was lost. */
  isNamed = true

  async waiting({ id }: { id: string }): Promise<WholeTar | undefined> {
    const found = this.all.find(
      (one) => one.scuId === id && one.facts?.gone === true && !this.isNamed,
    )
    return found?.facts && { ...tarOf(found), facts: found.facts }
  }

  async resume({ id }: { id: string }): Promise<GrowingTar | undefined> {
    const found = this.all.find((one) => one.scuId === id && one.facts === undefined)
    if (found?.isHeld === true) throw new DeviceError('under way', { kind: 'busy' })
    return found && this.growing(found)
  }

  async begin({ id: scuId }: { id: string }): Promise<GrowingTar> {
    const at = this.all.findIndex((one) => one.scuId === scuId && one.facts === undefined)
    if (at >= 0) this.all.splice(at, 1)
    const id = `tar-${this.all.length + 1}`
    const made: Kept = { id, scuId, token: '', parts: [], facts: undefined, isHeld: false }
    this.all.push(made)
    return this.growing(made)
  }

  named(id: string | undefined): KeptTar | undefined {
    const found = this.all.find((one) => one.id === id)
    return found && tarOf(found)
  }

  private growing(kept: Kept): GrowingTar {
    kept.isHeld = true
    const { all } = this
    return {
      ...tarOf(kept),
      get bytes() {
        return tarOf(kept).bytes
      },
      get token() {
        return kept.token
      },
      write: async (part) => void kept.parts.push(part),
      keep: async (token) => {
        kept.token = token
      },
      finish: async (facts) => {
        Object.assign(kept, { facts, isHeld: false })
        return { ...tarOf(kept), facts }
      },
      restart: async () => void kept.parts.splice(0),
      drop: async () => void all.splice(all.indexOf(kept), 1),
      leave: async () => {
        kept.isHeld = false
      },
    }
  }
}

function tarOf(kept: Kept): KeptTar {
  return {
    id: kept.id,
    bytes: kept.parts.reduce((sum, { length }) => sum + length, 0),
    read: async function* () {
      yield* kept.parts
    },
  }
}

/** Empty where there is none. */
export async function tarBytes(tar: KeptTar | undefined): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of tar?.read() ?? []) parts.push(part)
  return Buffer.concat(parts)
}

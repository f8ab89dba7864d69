// Exports of a security device's memory for other servers: in pieces, and nothing is erased that
// has not arrived.
import { createHash } from 'node:crypto'
import type { Served } from '../../core/served-calls.js'
import { DeviceError } from '../../device/device.js'
import type { TarFacts, WholeTar } from '../../device/tse/kept-tars.js'
import type { Tse } from '../../device/tse/tse.js'
import { emptyMembers, memoryMembers } from '../../market/de/export/members.js'
import { tarPieces } from '../../market/de/export/tar-writer.js'
import { LOG_KIND } from '../../market/de/queue.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { UnitMemory } from '../../model/scu.js'
import type { Store } from '../../store/client.js'
import type { UnitKey } from '../../store/rollout/scus.js'
import { servedLog } from '../../store/rollout/served-units.js'
import { dropTar, rewindTar } from '../../store/rollout/unit-tars.js'
import type { SigningDeviceDeps } from './deps.js'

/** The most that the unit may take beside others: the bytes come from the database. */
const HOLD_MS = 60_000

/**
 * The token of a new session. What a device gives no second time is the next session until its end,
 * whoever has lost the last one.
 */
export async function beginExport(deps: SigningDeviceDeps, served: Served): Promise<string> {
  const tse = served.device as Tse
  const { unit, limit } = served
  const waiting = await deps.tars.waiting(unit)
  const whole = waiting ?? (await tse.exportMemory(false, limit)).tar ?? (await made(deps, served))
  await rewindTar(deps.store, { ...unit, id: whole.id })
  return whole.id
}

export interface Delivered {
  id: string
  facts: TarFacts
}

/**
 * After its last byte has arrived with the right hash. True when the device has erased what was
 * delivered; of more than that nothing goes.
 */
export async function endExport(
  deps: SigningDeviceDeps,
  served: Served,
  { id, facts, erase }: Delivered & { erase: boolean },
): Promise<boolean> {
  const isErased = erase && !facts.gone ? await erased(deps, served, facts) : facts.erased
  await dropTar(deps.store, { accountId: served.unit.accountId, id })
  return isErased
}

async function erased(deps: SigningDeviceDeps, served: Served, facts: TarFacts): Promise<boolean> {
  const tse = served.device as Tse
  if (tse.keepsLog !== true) return eraseExported(served, facts)
  try {
    // a device erases what it has just given: messages that came meanwhile are the next session
    const again = await tse.exportMemory(true, served.limit)
    const isSame = again.to === facts.to && again.from === facts.from
    const { tar } = again
    if (isSame && tar !== undefined) await dropTar(deps.store, { ...served.unit, id: tar.id })
    return again.erased
  } catch (error) {
    if (error instanceof DeviceError) return false
    throw error
  }
}

/** A device in this server erases what is the same as what was delivered. */
async function eraseExported(served: Served, { from, to }: TarFacts): Promise<boolean> {
  const held = served.memory()?.held
  if (held === undefined) return false
  const isSame = held.length === 0 ? to < from : held[0]?.[0] === from && held.at(-1)?.[1] === to
  // nothing comes between: the memory lies in this process while the call has its turn
  if (!isSame) return false
  return (await (served.device as Tse).exportMemory(true, served.limit)).erased
}

/** The export of a device in this server, which keeps its messages in the database. */
async function made({ store, tars }: SigningDeviceDeps, served: Served): Promise<WholeTar> {
  const { unit } = served
  const memory = served.memory()
  if (memory === undefined) throw new DeviceError('the device gives no export')
  const tar = await tars.begin(unit, HOLD_MS)
  try {
    const hash = createHash('sha256')
    for await (const piece of piecesOf(store, unit, memory)) {
      const bytes = Buffer.from(piece)
      hash.update(bytes)
      await tar.write(bytes)
    }
    const from = memory.held[0]?.[0] ?? 1
    const to = memory.held.at(-1)?.[1] ?? from - 1
    const facts = { from, to, without: [], erased: false, gone: false }
    return await tar.finish({ ...facts, sha256: hash.digest('hex') })
  } catch (error) {
    await tar.drop()
    throw error
  }
}

function piecesOf(store: Store, unit: UnitKey, memory: UnitMemory): AsyncIterable<Uint8Array> {
  const moment = new Date()
  if (memory.held.length === 0) return tarPieces(emptyMembers(memory), moment)
  const logRows = (_: string, range: { from: number; to: number }) =>
    rowsOf(servedLog(store, unit, range))
  return tarPieces(memoryMembers({ logRows }, memory, unit.id), moment)
}

async function* rowsOf(pages: ReturnType<typeof servedLog>): AsyncGenerator<StoredMarketRow[]> {
  for await (const page of pages) {
    yield page.map((row) => ({
      ...row,
      ...{ id: '', kind: LOG_KIND, scuId: null, queueItemId: '', certificateFingerprint: null },
    }))
  }
}

// Exports of a security device's memory for other servers: in pieces, and nothing is erased that
// has not arrived.
import type { Served } from '../../core/served-calls.js'
import { DeviceError } from '../../device/device.js'
import type { MemoryExport, Tse } from '../../device/tse/tse.js'
import { sha256 } from '../../lib/hash.js'
import { orderedId } from '../../lib/id.js'
import { emptyMembers, memoryMembers } from '../../market/de/export/members.js'
import { tarPieces } from '../../market/de/export/tar-writer.js'
import { LOG_KIND, MOST_TAR_BYTES } from '../../market/de/queue.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { UnitMemory } from '../../model/scu.js'
import type { Store } from '../../store/client.js'
import type { UnitKey } from '../../store/rollout/scus.js'
import { keepExport, pendingExport } from '../../store/rollout/served-exports.js'
import { servedLog } from '../../store/rollout/served-units.js'
import type { SigningDeviceDeps } from './deps.js'

/**
 * The token of a new session. A device that keeps its log itself erases at once what the export
 * has: it lies here then, and a session that nobody has ended comes again before any other.
 */
export async function beginExport(
  { store, now }: SigningDeviceDeps,
  served: Served,
  erase: boolean,
): Promise<string> {
  const tse = served.device as Tse
  const { unit, limit } = served
  const pending = await pendingExport(store, unit)
  if (pending !== undefined) return pending.id
  const keepsLog = tse.keepsLog === true
  const exported = await tse.exportMemory(keepsLog && erase, limit)
  const memory = served.memory()
  const tar = exported.tar ?? (await madeTar(store, unit, memory))
  if (tar.length > MOST_TAR_BYTES) {
    throw new DeviceError(`the export has more than ${MOST_TAR_BYTES} bytes`)
  }
  const { from, to, erased } = exported
  const id = orderedId(now().getTime())
  await keepExport(store, unit, {
    ...{ id, from, to, tar, now: now() },
    erased: keepsLog && erased,
    sha256: sha256(tar),
  })
  return id
}

/** True when the device has erased what was exported; of more than that nothing goes. */
export async function eraseExported(
  served: Served,
  { from, to }: Pick<MemoryExport, 'from' | 'to'>,
): Promise<boolean> {
  const held = served.memory()?.held
  if (held === undefined) return false
  const isSame = held.length === 0 ? to < from : held[0]?.[0] === from && held.at(-1)?.[1] === to
  // nothing comes between: the memory lies in this process while the call has its turn
  if (!isSame) return false
  return (await (served.device as Tse).exportMemory(true, served.limit)).erased
}

async function madeTar(
  store: Store,
  unit: UnitKey,
  memory: UnitMemory | undefined,
): Promise<Buffer> {
  if (memory === undefined) throw new DeviceError('the device gives no export')
  const first = memory.held[0]
  const moment = new Date()
  if (first === undefined) return bytesOf(tarPieces(emptyMembers(memory), moment))
  const logRows = (_: string, range: { from: number; to: number }) =>
    rowsOf(servedLog(store, unit, range))
  const log = { logRows }
  return bytesOf(tarPieces(memoryMembers(log, memory, unit.id), moment))
}

async function* rowsOf(pages: ReturnType<typeof servedLog>): AsyncGenerator<StoredMarketRow[]> {
  for await (const page of pages) {
    yield page.map((row) => ({
      ...row,
      ...{ id: '', kind: LOG_KIND, scuId: null, queueItemId: '', certificateFingerprint: null },
    }))
  }
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const piece of pieces) parts.push(piece)
  return Buffer.concat(parts)
}

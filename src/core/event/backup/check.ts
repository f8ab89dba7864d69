// A second look at everything that is said to be kept: each file from its first byte to its last.
import { type Archive, ArchiveError } from '../../../device/archive/archive.js'
import type { Store } from '../../../store/client.js'
import { allProofs, type Proof } from '../../../store/event/backups.js'
import { sumOf } from './work.js'

export interface BackupFault {
  id: string
  object: string
  /** missing, differs, or what the archive says. */
  fault: string
}

/** Told before each file. */
type Progress = (done: number, total: undefined, note: string) => void

/** `accountId`: of this account alone; null: of all. */
export async function checkBackups(
  { store, archive, progress }: { store: Store; archive: Archive; progress?: Progress },
  accountId: string | null,
): Promise<{ read: number; faults: BackupFault[] }> {
  const faults: BackupFault[] = []
  let read = 0
  for await (const proofs of allProofs(store, accountId)) {
    for (const proof of proofs) {
      progress?.(read, undefined, `${read} ${proof.object ?? ''}`)
      const fault = await faultOf(archive, proof)
      read += 1
      if (fault !== undefined) faults.push({ id: proof.id, object: proof.object ?? '', fault })
    }
  }
  return { read, faults }
}

async function faultOf(archive: Archive, { object, sha256 }: Proof): Promise<string | undefined> {
  try {
    const found = await sumOf(archive, object ?? '')
    if (found === undefined) return 'missing'
    return found.sha256 === sha256 ? undefined : 'differs'
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    return error.message
  }
}

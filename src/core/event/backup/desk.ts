// What is kept outside of the database, as accounts look at it and fetch it.

import { type Archive, ArchiveError } from '../../../device/archive/archive.js'
import { fail } from '../../../errors.js'
import { grants } from '../../../store/account/connections.js'
import type { Store } from '../../../store/client.js'
import {
  type BackupQuestion,
  type BackupRow,
  findBackup,
  listBackups,
} from '../../../store/event/backups.js'

export interface BackupDesk {
  list(asked: BackupQuestion): Promise<BackupRow[]>
  /** Throws BACKUP_UNKNOWN. */
  get(accountId: string, id: string): Promise<BackupRow>
  /** Throws BACKUP_UNKNOWN, RIGHTS_TOO_LOW, BACKUP_GONE, ARCHIVE_AWAY. */
  content(
    accountId: string,
    id: string,
  ): Promise<{ row: BackupRow; pieces: AsyncIterable<Uint8Array> }>
}

export interface BackupDeskDeps {
  store: Store
  /** Undefined: nothing is kept outside (any more). */
  archive: Archive | undefined
}

export function createBackupDesk({ store, archive }: BackupDeskDeps): BackupDesk {
  const found = async (accountId: string, id: string) => {
    const row = await findBackup(store, { accountId, id })
    if (row === undefined) throw fail('BACKUP_UNKNOWN', { backup: id })
    return row
  }
  return {
    list: (asked) => listBackups(store, asked),
    get: found,
    content: async (accountId, id) => {
      const row = await found(accountId, id)
      if (!grants(row.right, 'ReadWrite')) {
        throw fail('RIGHTS_TOO_LOW', { given: row.right, needed: 'ReadWrite' })
      }
      const pieces = row.object === null ? undefined : await readFrom(archive, row.object)
      if (pieces === undefined) throw fail('BACKUP_GONE', { backup: id })
      return { row, pieces }
    },
  }
}

async function readFrom(archive: Archive | undefined, name: string) {
  try {
    return await archive?.read(name)
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw fail('ARCHIVE_AWAY')
  }
}

// Backups for merchants, put together by the settings: the archive, the work, and who plans it.
import { resolve } from 'node:path'
import type { Config } from '../config.js'
import { planBackups } from '../core/event/backup/planner.js'
import { backupKind } from '../core/event/backup/work.js'
import type { InspectionWorkDeps } from '../core/event/inspection/work.js'
import type { JobKind } from '../core/event/job/kind.js'
import type { Archive } from '../device/archive/archive.js'
import { folderArchive } from '../device/archive/folder.js'
import { s3Archive } from '../device/archive/s3.js'
import { everyFacts } from '../market/index.js'
import type { Common } from './workers.js'

/** Between two looks of all processes together. */
const REST_MS = 10 * 60_000

export const backupsFolder = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string =>
  resolve(DATA_DIR, 'backups')

/** Undefined: nothing is kept outside. */
export function archiveOf(
  { BACKUP_STORE: place }: Pick<Config, 'BACKUP_STORE'>,
  { fetch, now }: Pick<Common['tools'], 'fetch' | 'now'>,
): Archive | undefined {
  if (place === undefined) return undefined
  return place.kind === 'folder' ? folderArchive(place.folder) : s3Archive(place, { fetch, now })
}

export interface BackupWork {
  kind: JobKind
  /** Looks for what is due. */
  plan(): Promise<unknown>
}

export function backupWorkOf(
  config: Pick<Config, 'BACKUP_STORE' | 'DATA_DIR'>,
  { store, now, tools }: Pick<Common, 'store' | 'now' | 'tools'>,
  making: InspectionWorkDeps,
): BackupWork | undefined {
  const archive = archiveOf(config, tools)
  if (archive === undefined) return undefined
  const facts = everyFacts
  return {
    kind: backupKind({ ...making, root: backupsFolder(config), archive, facts, now }),
    plan: () => planBackups({ store, facts, now }, { restMs: REST_MS }),
  }
}

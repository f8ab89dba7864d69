// The export that the law wants, as its reader gets it, and what the independent verifier says.
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Auditor, Finding, Market } from '../../../market/contract.js'
import type { Store } from '../../../store/client.js'
import type { QueueKey } from '../../../store/sign/queues.js'
import { exportJournal } from '../../journal/export.js'
import { verifyFile } from '../verify/file.js'

interface ExportDeps {
  store: Store
  marketOf(code: string): Market
  now(): Date
}

interface ExportJob {
  key: QueueKey
  auditor: Auditor
  /** Ticks of the newest row that was read. */
  upTo: bigint
}

/** Rows are never changed, so it needs no snapshot. A queue without receipts has no export. */
export async function checkExport(
  deps: ExportDeps,
  { key, auditor, upTo }: ExportJob,
): Promise<Finding[]> {
  const wanted = auditor.legalExport()
  if (wanted === undefined) return []
  const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-check-'))
  try {
    const path = join(folder, 'export')
    const range = { from: 0n, to: upTo }
    const queue = { accountId: key.accountId, queueId: key.id }
    const { body } = await exportJournal(deps, { ...queue, type: wanted.type, range })
    await pipeline(body, createWriteStream(path, { mode: 0o600 }))
    if ((await stat(path)).size === 0) return []
    const given = wanted.key === undefined ? {} : { key: wanted.key }
    return auditor.judge(await verifyFile(path, { ...given, now: deps.now() }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

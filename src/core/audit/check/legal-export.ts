// The export that the law wants, as its reader gets it, and what the independent verifier says.
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Auditor, Market } from '../../../market/contract.js'
import type { Finding } from '../../../model/verdict.js'
import type { Store } from '../../../store/client.js'
import { findCertificate } from '../../../store/journal/journal.js'
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
    const given = {
      ...(wanted.key === undefined ? {} : { key: wanted.key }),
      ...(wanted.certificates === undefined
        ? {}
        : { certificates: await certificatesOf(deps.store, key, wanted.certificates) }),
    }
    return auditor.judge(await verifyFile(path, { ...given, now: deps.now() }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** In Base64; what is missing is found by the verifier. */
export async function certificatesOf(
  store: Store,
  { accountId }: Pick<QueueKey, 'accountId'>,
  fingerprints: readonly Buffer[],
): Promise<string[]> {
  const found = await Promise.all(fingerprints.map((one) => findCertificate(store, accountId, one)))
  return found.flatMap((one) => (one === undefined ? [] : [one.der.toString('base64')]))
}

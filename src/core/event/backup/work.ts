// Keeps what is due of one queue: slice by slice in their order, each made as a bundle, verified,
// put into the archive, read back, and proven by a row.
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Archive, ArchiveError, type GivenFile } from '../../../device/archive/archive.js'
import { orderedId } from '../../../lib/id.js'
import type { MarketFacts } from '../../../market/facts.js'
import type { JobData } from '../../../model/job.js'
import { TRANSACTION } from '../../../store/client.js'
import {
  contentOf,
  type DueSlice,
  insertProof,
  nextSlice,
  type Proof,
  type SliceContent,
} from '../../../store/event/backups.js'
import { insertEvent } from '../../../store/event/inbox.js'
import { findQueue } from '../../../store/journal/journal-queue.js'
import { tellKept } from '../../journal/told.js'
import type { Wish } from '../inspection/plan.js'
import { LANGUAGES as SPOKEN } from '../inspection/words.js'
import { bundlePath, type InspectionWorkDeps, makeBundle } from '../inspection/work.js'
import type { JobContext, JobKind } from '../job/kind.js'

export const BACKUP = 'backup'

export interface BackupDeps extends InspectionWorkDeps {
  archive: Archive
  /** Of every country. */
  facts: readonly MarketFacts[]
  now(): Date
}

export function backupKind(deps: BackupDeps): JobKind {
  return { name: BACKUP, run: (context) => keepAll(deps, context) }
}

interface Slicing {
  deps: BackupDeps
  context: JobContext
  key: { accountId: string; queueId: string }
  slice: DueSlice
  content: SliceContent
}

async function keepAll(deps: BackupDeps, context: JobContext): Promise<JobData> {
  const { accountId, args } = context.job
  const { queueId } = args as { queueId: string }
  const key = { accountId, queueId }
  let slices = 0
  let findings = 0
  for (;;) {
    context.signal.throwIfAborted()
    const slice = await nextSlice(deps.store, key, { calendars: deps.facts, at: deps.now() })
    if (slice === undefined) return { slices, findings }
    const content = await contentOf(deps.store, key, slice)
    const proof = await kept({ deps, context, key, slice, content })
    slices += 1
    findings += proof.findings
  }
}

async function kept(slicing: Slicing): Promise<Proof> {
  const { deps, context, key, slice, content } = slicing
  const { rows, ...numbers } = content
  const storedAt = deps.now()
  const known = { ...key, ...slice, ...numbers, id: orderedId(storedAt.getTime()), storedAt }
  if (!rows) {
    const nothing = { object: null, bytes: 0, sha256: null, verified: 0, findings: 0 }
    return proven(deps, { ...known, ...nothing })
  }
  const made = await bundleOf(slicing)
  const { bytes, sha256, verified, findings } = made
  context.progress({ phase: 'archive' })
  const path = bundlePath(deps.root, context.job.id)
  const object = `${await folderOf(slicing)}/${slice.period}-${sha256.slice(0, 16)}.zip`
  await store(deps.archive, object, { path, bytes, sha256 })
  const proof = await proven(deps, { ...known, object, bytes, sha256, verified, findings })
  await rm(dirname(path), { recursive: true, force: true })
  // the note of a later slice says the same of all before it, should this one be lost
  const market = deps.marketOf((await queueOf(deps, key)).market)
  await tellKept(deps, key, { market, until: slice.to })
  return proof
}

/** Without the key of the turnover counter: archives are looked at by many. */
const INCLUDE: Wish['include'] = ['configurations', 'journals', 'legal', 'masterData', 'reports']

async function bundleOf({ deps, context, key, slice }: Slicing) {
  const { market } = await queueOf(deps, key)
  const [letters = ''] = deps.facts.find(({ code }) => code === market)?.culture.split('-') ?? []
  const args: Wish = {
    ...{ queueIds: [key.queueId], include: INCLUDE },
    ...{ from: slice.from.toISOString(), to: slice.to.toISOString() },
    language: SPOKEN.find((one) => one === letters) ?? 'en',
  }
  // what was fixed for one slice says nothing of the next
  const found = context.checkpoint as { period?: string; made?: unknown } | undefined
  const checkpoint = found?.period === slice.period ? found.made : undefined
  const made = await makeBundle(deps, {
    ...context,
    ...{ checkpoint, job: { ...context.job, args } },
    save: (kept: JobData) => context.save({ period: slice.period, made: kept }),
  })
  return made as unknown as {
    bytes: number
    sha256: string
    verified: number
    findings: number
  }
}

async function queueOf(deps: BackupDeps, key: { accountId: string; queueId: string }) {
  const queue = await findQueue(deps.store, key)
  if (queue === undefined) throw new Error(`the queue ${key.queueId} is gone`)
  return queue
}

async function folderOf({ deps, key }: Slicing): Promise<string> {
  const { market } = await queueOf(deps, key)
  return join(market, key.accountId, key.queueId).replaceAll('\\', '/')
}

/** What is said to be there is read from its first byte to its last. Throws ArchiveError. */
async function store(archive: Archive, name: string, file: GivenFile): Promise<void> {
  await archive.put(name, file)
  const found = await sumOf(archive, name)
  if (found?.sha256 === file.sha256) return
  throw new ArchiveError('refused', `what is kept as ${name} is not what was handed over`)
}

export async function sumOf(
  archive: Archive,
  name: string,
): Promise<{ sha256: string; bytes: number } | undefined> {
  const pieces = await archive.read(name)
  if (pieces === undefined) return undefined
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of pieces) {
    hash.update(piece)
    bytes += piece.length
  }
  return { sha256: hash.digest('hex'), bytes }
}

/** With the event that tells of it. */
async function proven({ store: { prisma } }: BackupDeps, proof: Proof): Promise<Proof> {
  const { accountId, id, queueId, period, receipts, findings, sha256, storedAt: at } = proof
  await prisma.$transaction(async (tx) => {
    if (!(await insertProof(tx, proof))) return
    await insertEvent(tx, {
      ...{ accountId, alsoAccountId: null, id: orderedId(at.getTime()), at },
      ...{ type: 'archive.sealed', subject: { kind: 'backup', id } },
      data: { queueId, period, receipts, findings, sha256 },
    })
  }, TRANSACTION)
  return proof
}

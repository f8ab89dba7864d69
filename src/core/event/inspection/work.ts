// Makes a bundle: files of the queues two at a time, their verification, the small files and the
// pages, then the archive. What is finished is in the ledger of its folder and is not made again.
import { createHash } from 'node:crypto'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ErrorCode, FiscalError, fail } from '../../../errors.js'
import { ticksOf, unixMillisecondsOf } from '../../../lib/ticks.js'
import type { Market } from '../../../market/contract.js'
import { filesOf } from '../../../market/index.js'
import type { JobData } from '../../../model/job.js'
import type { Store } from '../../../store/client.js'
import {
  inspectedAccount,
  inspectedOutages,
  inspectedQueues,
  receiptSpan,
} from '../../../store/journal/inspection.js'
import { findQueue } from '../../../store/journal/journal-queue.js'
import type { VerifyInput, VerifyResult } from '../../audit/verify/file.js'
import { exportSource } from '../../journal/source.js'
import type { JobContext, JobKind } from '../job/kind.js'
import { LANES, Lanes, utilizationOfLoop } from './lanes.js'
import { Ledger, sizeOf } from './ledger.js'
import { type Judged, type PageFacts, readMe, reportPage } from './page.js'
import { Gauge, type Written } from './part-file.js'
import type { PartDone, PartFile, PartTask } from './parts.js'
import {
  folderNames,
  isPackedName,
  type PartPlan,
  type Plan,
  partsOf,
  passesOf,
  plan as planSchema,
  type QueuePlan,
  type Wish,
  wish as wishSchema,
} from './plan.js'
import { type Keys, smallFiles } from './small-files.js'
import { joined, type Sums } from './sums.js'
import type { Answered, Done, Task } from './thread.js'

export const INSPECTION = 'inspection'

export interface InspectionWorkDeps {
  store: Store
  marketOf(code: string): Market
  /** Master keys, for the threads. */
  keys(): Promise<readonly Buffer[]>
  /** Folder of all bundles. */
  root: string
  threads: {
    run(task: unknown, line: string): Promise<unknown>
    /** Tasks that have no thread yet. */
    readonly waiting?: number
  }
}

/** A disk with less than this makes no bundles: what signs needs the rest. */
const SPARE_BYTES = 1024 ** 3
const LOOK_MS = 250
const KEPT_FINDINGS = 200

export function inspectionKind(deps: InspectionWorkDeps): JobKind {
  return {
    name: INSPECTION,
    run: (context) => makeBundle(deps, context),
    ready: (id, { bytes, sha256, files, findings }) => ({
      type: 'bundle.ready',
      subject: { kind: 'inspection', id },
      data: {
        ...{ bytes: Number(bytes), sha256: String(sha256) },
        ...{ files: Number(files), findings: Number(findings) },
      },
    }),
  }
}

/** By the wish in the row of the job, into the folder of the job. */
export const makeBundle = (deps: InspectionWorkDeps, context: JobContext): Promise<JobData> =>
  new Making(deps, context).run()

export const bundlePath = (root: string, id: string): string => join(root, id, 'bundle.zip')

type Entry = Partial<PartDone> & { verdict?: VerifyResult }

class Making {
  private readonly deps: InspectionWorkDeps
  private readonly context: JobContext
  private readonly folder: string
  private readonly wish: Wish
  private readonly gauge = new Gauge()
  private readonly lanes: Lanes
  private done = 0

  constructor(deps: InspectionWorkDeps, context: JobContext) {
    this.deps = deps
    this.context = context
    this.folder = join(deps.root, context.job.id)
    this.wish = wishSchema.parse(context.job.args)
    this.lanes = new Lanes(this.gauge, {
      areOthersWaiting: () => (deps.threads.waiting ?? 0) > 0,
      utilization: utilizationOfLoop(),
    })
  }

  async run(): Promise<JobData> {
    const { signal, progress } = this.context
    const stop = () => this.gauge.stop()
    signal.addEventListener('abort', stop)
    const looking = setInterval(() => {
      this.lanes.look()
      progress({ done: this.done, bytes: this.gauge.bytes })
    }, LOOK_MS)
    try {
      signal.throwIfAborted()
      return await this.made()
    } finally {
      clearInterval(looking)
      signal.removeEventListener('abort', stop)
    }
  }

  private async made(): Promise<JobData> {
    const { deps, context, wish } = this
    const plan = await this.planned()
    const ledger = await Ledger.open<Entry>(this.folder)
    const parts = partsOf(plan, wish.include, deps.marketOf)
    const { accountId } = context.job
    const account = await inspectedAccount(deps.store, accountId)
    const period = { accountId, from: new Date(wish.from), to: new Date(wish.to) }
    const ids = new Set(plan.queues.map(({ id }) => id))
    const outages = (await inspectedOutages(deps.store, period)).filter((one) =>
      ids.has(one.queueId),
    )
    const facts = { accountId, account, wish, plan, outages }
    const { files, keys } = await smallFiles(deps, facts)
    context.progress({ phase: 'parts', done: 0, total: parts.length, unit: 'files' })
    const work = { plan, ledger, keys }
    await inTurns(passesOf(parts), (pass, lane) => this.pass(pass, { ...work, lane }))
    const judged = parts.filter(({ verified }) => verified !== undefined)
    const verdicts = judged.map((part) => ({
      ...{ file: part.path, queue: part.queue },
      result: ledger.get(part.path)?.verdict ?? null,
    }))
    const sums = joined(parts.map(({ path }) => ledger.get(path)?.sums ?? {}) as Sums[])
    const hasKeys = [...files.keys()].some((path) => path.endsWith('/cryptographic-material.json'))
    const entries = new Map<string, Written>()
    for (const { path } of parts) {
      const { bytes = 0, sha256 = '', packed } = ledger.get(path) ?? {}
      if (bytes > 0) entries.set(path, { bytes, sha256, ...(packed && { packed }) })
    }
    const page = { wish, plan, account, sums, outages, judged: verdicts, hasKeys }
    await this.pages(page, { files, entries })
    return { ...(await this.packed(plan, entries)), ...summaryOf(verdicts), hasKeys }
  }

  /** Fixed by the first try. */
  private async planned(): Promise<Plan> {
    const { checkpoint, save } = this.context
    const known = planSchema.safeParse((checkpoint as { plan?: unknown } | undefined)?.plan)
    if (known.success) return known.data
    const made = await this.plan()
    await save({ plan: made })
    return made
  }

  private async plan(): Promise<Plan> {
    const { store } = this.deps
    const { accountId } = this.context.job
    const { from, to, ...scope } = this.wish
    const found = await inspectedQueues(store, { accountId, ...scope })
    const folders = folderNames(found)
    const start = ticksOf(Date.parse(from))
    const end = ticksOf(Date.parse(to)) - 1n
    const queues: QueuePlan[] = []
    for (const [at, { timeStamp, startMoment, stopMoment, ...queue }] of found.entries()) {
      const upTo = timeStamp < end ? timeStamp : end
      const key = { accountId, queueId: queue.id }
      const span = await receiptSpan(store, key, { from: start, upTo })
      queues.push({
        ...{ ...queue, folder: folders[at] ?? queue.id, receipts: span.count },
        ...{ from: String(start), upTo: String(upTo < 1n ? 1n : upTo) },
        before: span.before === null ? null : String(span.before),
        startMoment: startMoment?.toISOString() ?? null,
        stopMoment: stopMoment?.toISOString() ?? null,
        each: await this.each(key, { from: start, to: upTo }),
      })
    }
    const newest = queues.filter((one) => BigInt(one.upTo) >= start).map(({ upTo }) => BigInt(upTo))
    const last = newest.reduce((a, b) => (a > b ? a : b), start)
    return { moment: new Date(unixMillisecondsOf(last)).toISOString(), queues }
  }

  private async each(
    key: { accountId: string; queueId: string },
    range: { from: bigint; to: bigint },
  ): Promise<(string[] | null)[]> {
    const { store, marketOf } = this.deps
    const queue = await findQueue(store, key)
    if (queue === undefined) return []
    const market = marketOf(queue.market)
    const options = new Map<string, string>()
    const now = new Date(this.wish.to)
    const source = exportSource(store, { market, queue, range, options, now })
    const all: (string[] | null)[] = []
    for (const { each } of filesOf(market)) {
      all.push(each === undefined ? null : [...(await each(source))])
    }
    return all
  }

  private async pass(parts: readonly PartPlan[], work: PartWork): Promise<void> {
    const missing: PartPlan[] = []
    for (const part of parts) if (!(await this.isThere(part, work))) missing.push(part)
    const [first] = missing
    if (first !== undefined) {
      await this.room()
      const files = missing.map(({ path, content, verified }) => ({
        ...{ path: this.path(path), content },
        isPacked: verified === undefined && !isPackedName(path),
      }))
      const task = await this.taskOf(first.queue, files, work)
      const made = (await this.ask(task, work.lane)) as PartDone[]
      for (const [at, { path }] of missing.entries()) await work.ledger.add(path, made[at] ?? {})
    }
    for (const part of parts) {
      const entry = work.ledger.get(part.path) ?? {}
      const isMute = part.verified === undefined || entry.bytes === 0 || part.queue.receipts === 0
      if (!isMute && entry.verdict === undefined) {
        const verdict = await this.judge(part, work)
        await work.ledger.add(part.path, { ...entry, verdict })
      }
      this.done += 1
    }
  }

  private async isThere({ path }: PartPlan, { ledger }: PartWork): Promise<boolean> {
    const known = ledger.get(path)
    const size = known?.packed?.size ?? known?.bytes
    return size !== undefined && (await sizeOf(this.path(path))) === size
  }

  private async judge(part: PartPlan, work: PartWork): Promise<VerifyResult> {
    const { plan, keys } = work
    const { key, certificates = [] } = keys.get(part.queue.id) ?? {}
    const after = part.verified === 'chained' ? await this.before(part, work) : undefined
    const given: VerifyInput = {
      ...{ language: this.wish.language, keep: KEPT_FINDINGS, now: new Date(plan.moment) },
      ...(key === undefined ? {} : { key }),
      ...(key === undefined || certificates.length === 0 ? {} : { certificates }),
      ...(part.verified === 'part' ? { partial: true } : {}),
      ...(after === undefined ? {} : { after: { path: after } }),
    }
    const task = { do: 'verify', path: this.path(part.path), given } as const
    const result = (await this.ask(task, work.lane)) as VerifyResult
    if (result.summary === null) return result
    // the same files must give the same bundle
    const { durationMs: _, ...summary } = result.summary
    return { ...result, summary: summary as NonNullable<VerifyResult['summary']> }
  }

  /** The export that the file follows: of the last receipt before the period. */
  private async before({ queue, content }: PartPlan, work: PartWork): Promise<string | undefined> {
    if (queue.before === null) return undefined
    const path = join(this.folder, 'before', queue.id)
    const task = await this.taskOf(queue, [{ path, content, isPacked: false }], work)
    const tick = BigInt(queue.before)
    const made = await this.ask({ ...task, from: tick, upTo: tick }, work.lane)
    const [before] = made as PartDone[]
    return before === undefined || before.bytes === 0 ? undefined : path
  }

  private async taskOf(
    queue: QueuePlan,
    files: readonly PartFile[],
    { plan }: { plan: Plan },
  ): Promise<PartTask> {
    return {
      ...{ do: 'parts', files, accountId: this.context.job.accountId, queueId: queue.id },
      ...{ from: BigInt(queue.from), upTo: BigInt(queue.upTo), moment: Date.parse(plan.moment) },
      ...{ connection: { ...this.deps.store.connection }, keys: await this.deps.keys() },
    }
  }

  private async ask(task: PlainTask, lane: number): Promise<Done> {
    const { threads, context } = { ...this.deps, context: this.context }
    context.signal.throwIfAborted()
    const whole = { ...task, gauge: this.gauge.shared, lane } as Task
    // of one line the threads do one task at a time
    const answered = (await this.lanes.during(lane, () =>
      threads.run(whole, lane === 0 ? context.job.id : `${context.job.id} beside`),
    )) as Answered
    if ('done' in answered) return answered.done
    throw new FiscalError(answered.refused satisfies ErrorCode, answered.details)
  }

  private async pages(
    page: Omit<PageFacts, 'files'>,
    { files, entries }: { files: Map<string, string>; entries: Map<string, Written> },
  ): Promise<void> {
    const report = page.judged.map(({ file, result }) => ({ file, result }))
    if (page.judged.length > 0) {
      files.set('verification/report.json', `${JSON.stringify(report, null, 2)}\n`)
      files.set('verification/report.html', reportPage(page))
    }
    const names = [...entries.keys(), ...files.keys(), 'LIESMICH.html', 'SHA256SUMS'].sort()
    files.set('LIESMICH.html', readMe({ ...page, files: names }))
    for (const [path, text] of files) entries.set(path, await this.put(path, text))
    const lines = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
    const sums = lines.map(([path, { sha256 }]) => `${sha256}  ${path}\n`).join('')
    entries.set('SHA256SUMS', await this.put('SHA256SUMS', sums))
  }

  private async put(path: string, text: string): Promise<Written> {
    const file = this.path(path)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, text, { mode: 0o600 })
    const bytes = Buffer.byteLength(text)
    return { bytes, sha256: createHash('sha256').update(text).digest('hex') }
  }

  private async packed(plan: Plan, entries: Map<string, Written>): Promise<Written & JobData> {
    this.context.progress({ phase: 'bundle' })
    await this.room()
    const path = bundlePath(this.deps.root, this.context.job.id)
    const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
    const files = sorted.map(([name, { sha256: _, ...sizes }]) => ({
      ...{ name, path: this.path(name), ...sizes },
    }))
    const moment = Date.parse(plan.moment)
    const task = { do: 'bundle', path, moment, entries: files } as const
    const written = (await this.ask(task, 0)) as Written
    for (const rest of ['parts', 'before', 'ledger.ndjson']) {
      await rm(join(this.folder, rest), { recursive: true, force: true })
    }
    return { ...written, files: entries.size }
  }

  private path(name: string): string {
    return join(this.folder, 'parts', name)
  }

  private async room(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(this.folder)
    if (bavail * bsize < SPARE_BYTES) throw fail('INSPECTION_DISK')
  }
}

type PlainTask = Task extends infer T ? (T extends Task ? Omit<T, 'gauge' | 'lane'> : never) : never

interface PartWork {
  /** Of which thread it takes its turn. */
  lane: number
  plan: Plan
  ledger: Ledger<Entry>
  keys: ReadonlyMap<string, Keys>
}

function summaryOf(judged: readonly Judged[]): JobData {
  const known = judged.flatMap(({ result }) => (result === null ? [] : [result]))
  const findings = known.reduce((sum, { findings: found }) => sum + found.length, 0)
  return { verified: known.length, findings }
}

/** Some at a time; the first failure is thrown when all that run have ended. */
async function inTurns<T>(
  list: readonly T[],
  work: (one: T, lane: number) => Promise<void>,
): Promise<void> {
  const waiting = [...list]
  const worker = async (_: unknown, lane: number) => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      try {
        await work(one, lane)
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: LANES }, worker))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

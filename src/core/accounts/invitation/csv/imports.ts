// Imports a file of invitations: all of it is looked at first, then all of it is stored, in one
// transaction that is as short as can be.
import { setImmediate as turn } from 'node:timers/promises'
import { FiscalError, fail } from '../../../../errors.js'
import { randomId } from '../../../../lib/id.js'
import { KeyedMutex } from '../../../../lib/keyed-mutex.js'
import { Semaphore } from '../../../../lib/semaphore.js'
import type { Precedence } from '../../../../lib/slices.js'
import { type AccessRights, emailKey, type InvitationData } from '../../../../model/invitation.js'
import { insertAudit } from '../../../../store/account/audit.js'
import {
  endImportIn,
  findImport,
  type ImportCounts,
  type ImportKey,
} from '../../../../store/account/invitation-imports.js'
import {
  insertInvitations,
  knownEmails,
  type NewInvitation,
} from '../../../../store/account/invitations.js'
import { connectionOf } from '../../../../store/raw.js'
import type { Transaction } from '../../../../store/transaction.js'
import { rowOf } from '../../../audit/audit.js'
import type { Caller, InvitationDeps } from '../deps.js'
import { settingsOf } from '../settings.js'
import { type Format, formatOf } from './format.js'
import { PreparedRows } from './prepared.js'
import { Problems } from './problem.js'
import { ImportProgress, type ProgressDeps } from './progress.js'
import { invitationOf, problemsOf } from './row.js'
import { type KeptFile, keptFile, recordsOf, type SourceFile, type SourceRecord } from './source.js'

export interface Imported {
  created: number
  /** E-mails that have an invitation already, as the file has them. */
  skipped: string[]
}

export interface Progress {
  running: boolean
  /** Looked at so far, or at the end. */
  rows: number
  created: number
  skipped: number
}

export interface Imports {
  /** `dryRun`: what would be stored, and nothing is. Throws CSV_FILE_INVALID, CSV_INVALID. */
  run(caller: Caller, file: AsyncIterable<Buffer>, wish: { dryRun: boolean }): Promise<Imported>
  /** Of the import of an account that runs on any server, else of the last one. */
  progress(accountId: string): Promise<Progress>
}

const BATCH = 1_000
/** Of its time, looking at a file takes a fifth while receipts are signed. */
const REST = 4
/** Files that are worked on at the same time, of those that have arrived. */
const AT_ONCE = 2
/** 50,000 rows that are ready take some seconds. */
const LONGEST = { maxWait: 3_000, timeout: 600_000 }

/** An import that has begun, in a form that another thread can be given. */
export interface ImportOrder {
  caller: Caller
  file: SourceFile
  key: ImportKey
  dryRun: boolean
}

export interface ImportDeps extends ProgressDeps {
  /** Has performImport do it, beside the signing. Throws as that, and EXPORT_LOST. */
  perform(order: ImportOrder): Promise<Imported>
}

/** How far it is: rows that were looked at, then those that were stored. */
export type Told = (what: 'checked' | 'stored', counts: ImportCounts) => void

type WorkDeps = Pick<InvitationDeps, 'store' | 'now' | 'log'> & {
  told?: Told
  /** Left out: nothing goes first. */
  precedence?: Precedence
}

export function createImports(deps: ImportDeps): Imports {
  const accounts = new KeyedMutex()
  const all = new Semaphore(AT_ONCE)
  return {
    // how fast a file arrives is nobody's affair but its sender's: only a whole one takes a place,
    // that of its account and one of all
    run: (caller, file, { dryRun }) =>
      received(file, (kept) =>
        accounts.run(caller.account.id, () =>
          all.run(() => worked(deps, caller, { file: kept, dryRun })),
        ),
      ),
    progress: async (accountId) =>
      (await findImport(deps.store, accountId)) ?? {
        ...{ running: false, rows: 0, created: 0, skipped: 0 },
      },
  }
}

/** What a dry run would have stored; its transaction ends by it. */
class Rehearsed extends Error {
  readonly imported: Imported

  constructor(imported: Imported) {
    super('a dry run stores nothing')
    this.imported = imported
  }
}

interface Work {
  file: SourceFile
  dryRun: boolean
}

async function worked(deps: ImportDeps, caller: Caller, work: Work): Promise<Imported> {
  const key = await ImportProgress.begin(deps, caller.account.id)
  // repeating a call by its key is the door's affair, and no value
  const { once: _, ...actor } = caller.actor
  const { encoding, foreign, place } = work.file
  const file = { encoding, foreign, place }
  const order = { caller: { ...caller, actor }, file, key, dryRun: work.dryRun }
  try {
    return await deps.perform(order)
  } catch (error) {
    const isLost = error instanceof FiscalError && error.code === 'EXPORT_LOST'
    if (isLost) await new ImportProgress(deps, key).lost()
    throw error
  }
}

/** All of it, in whichever thread. Throws CSV_FILE_INVALID, CSV_INVALID. */
export async function performImport(
  deps: WorkDeps,
  { caller, file, key, dryRun }: ImportOrder,
): Promise<Imported> {
  const progress = new ImportProgress(deps, key)
  try {
    return await new Import(deps, caller, progress).run({ file, dryRun })
  } catch (error) {
    await progress.failed()
    if (error instanceof Rehearsed) return error.imported
    throw error
  }
}

async function received<T>(
  file: AsyncIterable<Buffer>,
  work: (kept: KeptFile) => Promise<T>,
): Promise<T> {
  const kept = await keptFile(file)
  try {
    return await work(kept)
  } finally {
    await kept.close()
  }
}

interface Row extends InvitationData {
  line: number
}

class Import {
  private readonly deps: WorkDeps
  private readonly caller: Caller
  private readonly progress: ImportProgress
  private readonly problems = new Problems()
  private readonly prepared = new PreparedRows()
  /** E-mails of the file and where they stand. */
  private readonly lines = new Map<string, number>()

  constructor(deps: WorkDeps, caller: Caller, progress: ImportProgress) {
    this.deps = deps
    this.caller = caller
    this.progress = progress
  }

  async run({ file, dryRun }: Work): Promise<Imported> {
    const { account } = this.caller
    if (file.foreign) throw fail('CSV_FILE_INVALID')
    const format = await formatOf(file, account.market)
    if (format === undefined) throw fail('CSV_FILE_INVALID')
    const { defaultAccessRights } = await settingsOf(this.deps.store.pool, account.id)
    this.problems.add(...format.problems)
    try {
      await this.check(format, this.rowsOf(file, format, defaultAccessRights))
      this.refuseProblems(format, dryRun)
      return await this.store(format, dryRun)
    } finally {
      await this.prepared.close()
    }
  }

  private async *rowsOf(
    file: SourceFile,
    format: Format,
    usual: AccessRights,
  ): AsyncGenerator<{ record: SourceRecord; row: Row }> {
    for await (const records of recordsOf(file, format.separator)) {
      for (const record of records) {
        if (record.line === 1) continue
        yield { record, row: { ...invitationOf(format, record, usual), line: record.line } }
      }
    }
  }

  /** Who asks what would be stored gets the list for both formats; an import as it is specified. */
  private refuseProblems(format: Format, dryRun: boolean): void {
    if (this.problems.count === 0) return
    const { language } = this.caller.culture
    const refusal = this.problems.asList(language)
    if (format.kind === 'plain') {
      const text = { Message: this.problems.asText(language) }
      refusal.members = dryRun ? { ...refusal.members, ...text } : text
    }
    throw refusal
  }

  private async check(
    format: Format,
    rows: AsyncIterable<{ record: SourceRecord; row: Row }>,
  ): Promise<void> {
    let batch: Row[] = []
    let began = performance.now()
    for await (const { record, row } of rows) {
      this.problems.add(...problemsOf(format, record, row))
      batch.push(row)
      this.progress.counts.rows += 1
      if (batch.length < BATCH) continue
      await this.checkEmails(format, batch)
      await this.prepare(batch)
      batch = []
      this.tell('checked')
      await this.deps.precedence?.giveWay(performance.now() - began, REST)
      began = performance.now()
    }
    await this.checkEmails(format, batch)
    await this.prepare(batch)
  }

  /** Of the portal format no e-mail may be known or stand in the file twice. */
  private async checkEmails(format: Format, batch: readonly Row[]): Promise<void> {
    await turn()
    if (format.kind === 'plain' || batch.length === 0) return
    const keys = batch.map(({ contact }) => emailKey(contact.email))
    const known = await knownEmails(this.deps.store.pool, this.caller.account.id, keys)
    const header = format.columns.find(({ path }) => path === 'contact.email')?.header ?? null
    for (const { line, contact } of batch) {
      const key = emailKey(contact.email)
      if (key === '') continue
      const first = this.lines.get(key)
      const at = { line, csvHeader: header }
      if (first !== undefined) {
        const errorArgs = [contact.email, String(first)]
        this.problems.add({ ...at, error: 'Csv_EMailTwiceInFile', errorArgs })
      } else {
        this.lines.set(key, line)
        if (known.has(key)) this.alreadyInvited(line, header, contact.email)
      }
    }
  }

  private alreadyInvited(line: number, csvHeader: string | null, email: string): void {
    this.problems.add({ line, csvHeader, error: 'Csv_EMailAlreadyInvited', errorArgs: [email] })
  }

  /** Of a file with problems nothing will be stored. */
  private async prepare(batch: readonly Row[]): Promise<void> {
    if (this.problems.count > 0) return
    await this.prepared.add(
      batch.map(({ company, contact, rights }) => ({
        ...{ id: randomId(), key: emailKey(contact.email), rights, company, contact },
      })),
    )
  }

  private async store(format: Format, dryRun: boolean): Promise<Imported> {
    const imported: Imported = { created: 0, skipped: [] }
    await this.deps.store.prisma.$transaction(async (tx) => {
      for await (const json of this.prepared.batches()) {
        await this.storeBatch(tx, json, imported)
        this.tell('stored')
      }
      // somebody else has invited one of them meanwhile
      if (format.kind === 'portal' && imported.skipped.length > 0) {
        for (const email of imported.skipped) {
          this.alreadyInvited(this.lines.get(emailKey(email)) ?? 0, null, email)
        }
        this.refuseProblems(format, dryRun)
      }
      if (dryRun) throw new Rehearsed(imported)
      await endImportIn(tx, this.progress.key, this.progress.counts)
    }, LONGEST)
    this.deps.log.info(
      { ...this.about(), created: imported.created, skipped: imported.skipped.length },
      'invitations imported',
    )
    return imported
  }

  private async storeBatch(tx: Transaction, json: string, imported: Imported): Promise<void> {
    const { account, actor } = this.caller
    const createdAt = this.deps.now()
    const created = await insertInvitations(connectionOf(tx), account.id, { createdAt, json })
    const rows = JSON.parse(json) as NewInvitation[]
    const kept = rows.filter(({ id }) => created.has(id))
    for (const { id, contact } of rows) {
      if (!created.has(id)) imported.skipped.push(contact.email)
    }
    imported.created += kept.length
    this.progress.counts.created = imported.created
    this.progress.counts.skipped = imported.skipped.length
    const after = kept.map(({ id, contact }) => ({ id, email: contact.email }))
    const change = { subjects: { created: kept.length }, after }
    if (kept.length > 0) await insertAudit(tx, rowOf(actor, change, createdAt))
  }

  private about() {
    const { account, actor } = this.caller
    return { accountId: account.id, traceId: actor.traceId }
  }

  private tell(what: 'checked' | 'stored'): void {
    const { rows, created } = this.progress.counts
    this.progress.tell()
    this.deps.told?.(what, this.progress.counts)
    this.deps.log.info({ ...this.about(), rows, created, what }, 'importing invitations')
  }
}

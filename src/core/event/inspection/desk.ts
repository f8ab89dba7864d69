// Inspection bundles as accounts ask for them, fetch them, and hand them on.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../../errors.js'
import { orderedId } from '../../../lib/id.js'
import { objectIn } from '../../../lib/json.js'
import {
  findOperator,
  grants,
  type OperatorAccess,
  type Right,
} from '../../../store/account/connections.js'
import { findOutlet } from '../../../store/account/outlets.js'
import type { Store } from '../../../store/client.js'
import {
  insertLink,
  type LinkRow,
  listLinks,
  revokeLink,
  useLink,
} from '../../../store/event/inspection-links.js'
import type { JobRow } from '../../../store/event/job/jobs.js'
import {
  countOpenJobs,
  findJob,
  insertJob,
  type JobQuestion,
  listJobs,
} from '../../../store/event/job/jobs.js'
import { knownCashBoxes, ownersOfCashBoxes } from '../../../store/journal/inspection.js'
import { type Actor, audited } from '../../audit/audit.js'
import { sizeOf } from './ledger.js'
import type { Include } from './plan.js'
import type { BundleLanguage } from './words.js'
import { bundlePath, INSPECTION } from './work.js'

export interface InspectionWish {
  /** Undefined: the account of the cash boxes, else the caller's own. */
  posOperatorId: string | undefined
  cashBoxIds: string[] | undefined
  outletNumbers: number[] | undefined
  from: Date
  /** Exclusive. */
  to: Date
  include: Include[]
  language: BundleLanguage
}

export interface BundleFile {
  path: string
  bytes: number
  sha256: string
  name: string
}

export interface NewLink {
  id: string
  key: string
  until: Date
}

export interface InspectionDesk {
  /** Throws OPERATOR_UNKNOWN, RIGHTS_TOO_LOW, CASH_BOX_UNKNOWN, OUTLET_UNKNOWN, …_FULL. */
  ask(actor: Actor, wish: InspectionWish): Promise<JobRow>
  list(asked: Omit<JobQuestion, 'kind'>): Promise<JobRow[]>
  /** Throws INSPECTION_UNKNOWN. */
  get(accountId: string, id: string): Promise<JobRow>
  /** Throws INSPECTION_UNKNOWN, RIGHTS_TOO_LOW, INSPECTION_UNFINISHED, INSPECTION_GONE. */
  file(accountId: string, id: string): Promise<BundleFile>
  /** The key of an address that works without credentials until then. Throws as `file`. */
  link(actor: Actor, id: string, hours: number): Promise<NewLink>
  /** Newest first. Throws INSPECTION_UNKNOWN, RIGHTS_TOO_LOW. */
  links(accountId: string, id: string): Promise<LinkRow[]>
  /**
   * Its address works no longer. Throws INSPECTION_UNKNOWN, RIGHTS_TOO_LOW,
   * INSPECTION_LINK_UNKNOWN.
   */
  revoke(actor: Actor, id: string, linkId: string): Promise<void>
  /** Throws LINK_WRONG, INSPECTION_GONE. */
  open(key: string): Promise<BundleFile>
}

/** Of one merchant at a time. */
const MOST_OPEN = 2
/** A bundle is kept so long; with it the links to it end. */
export const KEPT_DAYS = 14
const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
const LINK = 'inspection-link'
/** What is sealed in the key of an address. */
type LinkText = [
  accountId: string,
  id: string,
  madeBy: string,
  inspectionId: string,
  untilMs: number,
]

/** Of a job that nobody has begun. */
const NEW = {
  ...{ phase: null, done: 0n, total: null, unit: null, bytes: null, etaSeconds: null },
  ...{ result: null, error: null, startedAt: null, finishedAt: null, heartbeatAt: null },
  ...{ interruptedAt: null, resumedAt: null },
} as const

export interface DeskDeps {
  store: Store
  now(): Date
  /** Folder of all bundles. */
  root: string
}

export function createInspectionDesk(deps: DeskDeps): InspectionDesk {
  return new Desk(deps)
}

class Desk implements InspectionDesk {
  private readonly deps: DeskDeps

  constructor(deps: DeskDeps) {
    this.deps = deps
  }

  async ask(actor: Actor, wish: InspectionWish): Promise<JobRow> {
    const { store, now } = this.deps
    const by = actor.accountId
    const { id: accountId, name: accountName } = await this.ownerOf(by, wish)
    const { cashBoxIds, outletNumbers, include, language, from, to } = wish
    await this.checkScope(accountId, wish)
    const args = {
      ...(cashBoxIds && { cashBoxIds: [...cashBoxIds].sort() }),
      ...(outletNumbers && { outletNumbers: [...outletNumbers].sort((a, b) => a - b) }),
      ...{ from: from.toISOString(), to: to.toISOString(), include, language },
    }
    const at = now()
    const id = orderedId(at.getTime())
    const onBehalfOf = accountId === by ? null : accountId
    const row: JobRow = {
      ...{ accountId, id, accountName, kind: INSPECTION, askedBy: by, state: 'queued' },
      ...{ ...NEW, args: JSON.stringify(args) },
      ...{ createdAt: at, place: at.toISOString() },
    }
    return audited({ store, now }, { ...actor, onBehalfOf }, async (tx) => {
      if ((await countOpenJobs(tx, { accountId, kind: INSPECTION })) >= MOST_OPEN) {
        throw fail('INSPECTIONS_FULL', { most: MOST_OPEN })
      }
      await insertJob(tx, { accountId, id, kind: INSPECTION, askedBy: by, args, at })
      return { result: row, subjects: { inspectionId: id }, after: args }
    })
  }

  list(asked: Omit<JobQuestion, 'kind'>): Promise<JobRow[]> {
    return listJobs(this.deps.store, { ...asked, kind: INSPECTION })
  }

  async get(accountId: string, id: string): Promise<JobRow & { right: Right }> {
    const row = await findJob(this.deps.store, { accountId, id })
    if (row?.kind !== INSPECTION) throw fail('INSPECTION_UNKNOWN', { inspection: id })
    return row
  }

  /** Who fetches it, or hands it on, may get keys and sums of the merchant. */
  private async mine(accountId: string, id: string): Promise<JobRow> {
    const row = await this.get(accountId, id)
    if (grants(row.right, 'ReadWrite')) return row
    throw fail('RIGHTS_TOO_LOW', { given: row.right, needed: 'ReadWrite' })
  }

  async file(accountId: string, id: string): Promise<BundleFile> {
    const row = await this.mine(accountId, id)
    const result = row.result === null ? undefined : objectIn(row.result)
    if (row.state !== 'succeeded' || result === undefined) {
      throw fail('INSPECTION_UNFINISHED', { inspection: id, state: row.state })
    }
    const path = bundlePath(this.deps.root, id)
    const bytes = await sizeOf(path)
    const expected = JSON.parse(row.result ?? '{}') as { bytes: number; sha256: string }
    if (bytes !== expected.bytes) throw fail('INSPECTION_GONE', { inspection: id })
    const { from, to } = JSON.parse(row.args) as { from: string; to: string }
    const name = `inspection ${row.accountName} ${from.slice(0, 10)} ${to.slice(0, 10)}.zip`
    return { path, bytes, sha256: expected.sha256, name }
  }

  async link(actor: Actor, id: string, hours: number): Promise<NewLink> {
    const { store, now } = this.deps
    const by = actor.accountId
    await this.file(by, id)
    const { accountId, finishedAt } = await this.get(by, id)
    const end = (finishedAt?.getTime() ?? 0) + KEPT_DAYS * DAY_MS
    const at = now()
    const until = new Date(Math.min(end, at.getTime() + hours * HOUR_MS))
    const linkId = orderedId(at.getTime())
    const text = JSON.stringify([accountId, linkId, by, id, until.getTime()] satisfies LinkText)
    const key = store.sealer.seal(text, LINK).toString('base64url')
    const onBehalfOf = accountId === by ? null : accountId
    return audited({ store, now }, { ...actor, onBehalfOf }, async (tx) => {
      const link = { accountId, id: linkId, inspectionId: id, madeBy: by, createdAt: at, until }
      await insertLink(tx, link)
      return {
        result: { id: linkId, key, until },
        subjects: { inspectionId: id, linkId },
        after: { linkUntil: until },
      }
    })
  }

  async links(by: string, id: string): Promise<LinkRow[]> {
    const { accountId } = await this.mine(by, id)
    return listLinks(this.deps.store, { accountId, inspectionId: id })
  }

  async revoke(actor: Actor, id: string, linkId: string): Promise<void> {
    const { store, now } = this.deps
    const { accountId } = await this.mine(actor.accountId, id)
    const onBehalfOf = accountId === actor.accountId ? null : accountId
    await audited({ store, now }, { ...actor, onBehalfOf }, async (tx) => {
      const link = { accountId, id: linkId, inspectionId: id, at: now() }
      if (!(await revokeLink(tx, link))) throw fail('INSPECTION_LINK_UNKNOWN', { link: linkId })
      return { result: undefined, subjects: { inspectionId: id, linkId } }
    })
  }

  async open(key: string): Promise<BundleFile> {
    const { store, now } = this.deps
    const [accountId, id, by, inspectionId, until] = this.opened(key)
    if (now().getTime() >= until) throw fail('LINK_WRONG')
    if (!(await useLink(store, { accountId, id }))) throw fail('LINK_WRONG')
    // whoever gave it must still be allowed to
    return this.file(by, inspectionId)
  }

  private opened(key: string): LinkText {
    try {
      const text = this.deps.store.sealer.open(Buffer.from(key, 'base64url'), LINK)
      return JSON.parse(text) as LinkText
    } catch {
      throw fail('LINK_WRONG')
    }
  }

  private async ownerOf(
    by: string,
    { posOperatorId, cashBoxIds }: InspectionWish,
  ): Promise<OperatorAccess> {
    const { store } = this.deps
    const [first] = cashBoxIds ?? []
    const owner =
      posOperatorId ??
      (first === undefined ? by : (await ownersOfCashBoxes(store, [first]))[0]?.accountId)
    const found =
      owner === undefined
        ? undefined
        : await findOperator(store, { accountId: by, operatorId: owner })
    const isHidden = found === undefined || !grants(found.right, 'Read')
    if (isHidden && posOperatorId === undefined && first !== undefined) {
      throw fail('CASH_BOX_UNKNOWN', { cashBox: first })
    }
    if (isHidden) throw fail('OPERATOR_UNKNOWN', { operator: owner ?? '' })
    if (!grants(found.right, 'ReadWrite')) {
      throw fail('RIGHTS_TOO_LOW', { given: found.right, needed: 'ReadWrite' })
    }
    return found
  }

  private async checkScope(
    accountId: string,
    { cashBoxIds = [], outletNumbers = [] }: InspectionWish,
  ): Promise<void> {
    const { store } = this.deps
    const known = await knownCashBoxes(store, accountId, cashBoxIds)
    const unknown = cashBoxIds.find((id) => !known.has(id))
    if (unknown !== undefined) throw fail('CASH_BOX_UNKNOWN', { cashBox: unknown })
    for (const number of outletNumbers) {
      if ((await findOutlet(store, { accountId, number })) === undefined) {
        throw fail('OUTLET_UNKNOWN', { outlet: number })
      }
    }
  }
}

/** Folders of bundles, finished or not, that nobody has touched since. */
export async function expireInspections(root: string, now: Date): Promise<number> {
  const before = now.getTime() - KEPT_DAYS * DAY_MS
  let removed = 0
  for (const name of (await sizeOf(root)) === undefined ? [] : await readdir(root)) {
    const folder = join(root, name)
    const { mtimeMs } = await stat(folder)
    if (mtimeMs >= before) continue
    await rm(folder, { recursive: true, force: true })
    removed += 1
  }
  return removed
}

// Settings of a dealer's invitations, and the PDF that goes with the e-mails.
import { z } from 'zod'
import { fail } from '../../../errors.js'
import { sha256 } from '../../../lib/hash.js'
import { ACCESS_RIGHTS, type AccessRights } from '../../../model/invitation.js'
import {
  dropStoredPdf,
  findStoredPdf,
  findStoredPdfHash,
  lockPdf,
  putPdf,
  readSettings,
  writeSettings,
} from '../../../store/account/invitation-settings.js'
import { connectionOf } from '../../../store/raw.js'
import type { Connection } from '../../../store/transaction.js'
import { type Actor, audited, type Change, type Unchanged } from '../../audit/audit.js'
import type { InvitationDeps } from './deps.js'

export interface InvitationSettings {
  defaultAccessRights: AccessRights
  emailContent: string | null
  hasPdfDocument: boolean
}

/** What is left out stays as it is. */
export interface SettingsPatch {
  defaultAccessRights?: AccessRights | undefined
  emailContent?: string | null | undefined
}

const documentSchema = z.object({
  defaultAccessRights: z.enum(ACCESS_RIGHTS).optional(),
  emailContent: z.string().nullish(),
})

export interface InvitationSettingsDesk {
  get(accountId: string): Promise<InvitationSettings>
  /** Throws SETTINGS_CONFLICT, SETTINGS_UNREADABLE. */
  change(actor: Actor, patch: SettingsPatch): Promise<InvitationSettings>
  /** Throws PDF_INVALID. */
  storePdf(actor: Actor, data: Buffer): Promise<void>
  /** Throws PDF_UNKNOWN. */
  pdf(accountId: string): Promise<Buffer>
  deletePdf(actor: Actor): Promise<void>
}

export const PDF_MOST_BYTES = 5 * 1024 * 1024
/** The marker may stand behind other bytes: ISO 32000-1 annex H, implementation note 13. */
const MARKER_WITHIN = 1024

/** By what is in it, whatever it is called. */
export function isPdf(data: Buffer): boolean {
  if (data.length > PDF_MOST_BYTES) return false
  return data.subarray(0, MARKER_WITHIN).includes('%PDF-', 0, 'latin1')
}

export function createInvitationSettings(deps: InvitationDeps): InvitationSettingsDesk {
  const { store, now } = deps
  return {
    get: (accountId) => settingsOf(store.pool, accountId),
    change: (actor, patch) =>
      audited(deps, actor, (tx) => change(deps, connectionOf(tx), { actor, patch })),
    storePdf: async (actor, data) => {
      if (!isPdf(data)) throw fail('PDF_INVALID', { field: 'file' })
      const pdf = { hash: sha256(data), data, stored: true, moment: now() }
      await audited(deps, actor, async (tx) => {
        const on = connectionOf(tx)
        await lockPdf(on, actor.accountId)
        const before = await storedPdf(on, actor.accountId)
        await dropStoredPdf(on, actor.accountId, pdf.moment)
        await putPdf(on, actor.accountId, pdf)
        const after = { sha256: pdf.hash.toString('hex'), bytes: data.length }
        return { result: undefined, subjects: {}, before, after }
      })
    },
    pdf: async (accountId) => {
      const found = await findStoredPdf(store.pool, accountId)
      if (found === undefined) throw fail('PDF_UNKNOWN')
      return found.data
    },
    deletePdf: (actor) =>
      audited(deps, actor, async (tx) => {
        const on = connectionOf(tx)
        await lockPdf(on, actor.accountId)
        const before = await storedPdf(on, actor.accountId)
        const was = await dropStoredPdf(on, actor.accountId, now())
        if (!was) return { result: undefined, unchanged: true }
        return { result: undefined, subjects: { deleted: 1 }, before }
      }),
  }
}

type On = Pick<Connection, 'query'>

/** As the audit has it; undefined: there is none. */
async function storedPdf(on: On, accountId: string): Promise<object | undefined> {
  const hash = await findStoredPdfHash(on, accountId)
  return hash === undefined ? undefined : { sha256: hash.toString('hex') }
}

/** Throws SETTINGS_UNREADABLE. */
export async function settingsOf(on: On, accountId: string): Promise<InvitationSettings> {
  const { document } = await readSettings(on, accountId)
  const hasPdfDocument = (await findStoredPdfHash(on, accountId)) !== undefined
  return shown(read(document), hasPdfDocument)
}

type Document = z.infer<typeof documentSchema>

function shown(
  { defaultAccessRights = 'Full', emailContent = null }: Document,
  hasPdfDocument: boolean,
): InvitationSettings {
  return { defaultAccessRights, emailContent, hasPdfDocument }
}

function read(document: string): Document {
  try {
    return documentSchema.parse(JSON.parse(document))
  } catch {
    throw fail('SETTINGS_UNREADABLE')
  }
}

async function change(
  { now }: InvitationDeps,
  on: On,
  { actor, patch }: { actor: Actor; patch: SettingsPatch },
): Promise<Change<InvitationSettings> | Unchanged<InvitationSettings>> {
  const { accountId } = actor
  const { document, version } = await readSettings(on, accountId)
  const before = read(document)
  const { defaultAccessRights: rights, emailContent } = patch
  const hasPdf = (await findStoredPdfHash(on, accountId)) !== undefined
  if (rights === undefined && emailContent === undefined) {
    return { result: shown(before, hasPdf), unchanged: true }
  }
  const next: Document = {
    ...before,
    // Undefined is what nobody has chosen
    ...(rights === undefined
      ? {}
      : { defaultAccessRights: rights === 'Undefined' ? 'Full' : rights }),
    ...(emailContent === undefined ? {} : { emailContent }),
  }
  const row = { document: JSON.stringify(next), version, moment: now() }
  if (!(await writeSettings(on, accountId, row))) throw fail('SETTINGS_CONFLICT')
  const result = shown(next, hasPdf)
  return { result, subjects: {}, before, after: next }
}

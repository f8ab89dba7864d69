// Stored templates: who sees them, and taking them in from a file.

import { z } from 'zod'
import { fail } from '../../../errors.js'
import { randomId } from '../../../lib/id.js'
import type { AccountRow } from '../../../store/account/accounts.js'
import { insertAudit } from '../../../store/account/audit.js'
import { type Store, TRANSACTION } from '../../../store/client.js'
import {
  listVisible,
  putTemplate,
  type TemplateRecord,
  type Viewer,
} from '../../../store/rollout/templates.js'
import type { Transaction } from '../../../store/transaction.js'
import { accountOf } from '../../accounts/accounts.js'
import { rowOf } from '../../audit/audit.js'
import { EXPECTED_ONLY } from '../../shape-fault.js'

export interface TemplateRecords {
  /** Those that an account sees, by name: a page of them. */
  list(
    account: { id: string; market: string },
    page: Pick<Viewer, 'after' | 'most'>,
  ): Promise<TemplateRecord[]>
}

export function createTemplateRecords(store: Store): TemplateRecords {
  return {
    list: ({ id, market }, page) => listVisible(store, { accountId: id, market, ...page }),
  }
}

const content = z.union([z.string(), z.record(z.string(), z.unknown()).transform(indented)])

function indented(value: object): string {
  return JSON.stringify(value, undefined, 2)
}

const MODES = {
  private: 0,
  dealers: 0x10,
  operators: 0x20,
  shared: 0x30,
  publicForDealers: 0x40,
  public: 0x80,
} as const

const entry = z.object({
  name: z.string().trim().min(1).max(250),
  description: z.string().max(4000).default(''),
  imageUrl: z.union([z.literal(''), z.url()]).default(''),
  linkUrl: z.union([z.literal(''), z.url()]).default(''),
  /** Bits, or the word for one of the usual ones. */
  mode: z
    .union([
      z.int().refine((bits) => (bits & ~0xf0) === 0, 'expected bits of 0xf0'),
      z.enum(Object.keys(MODES) as (keyof typeof MODES)[]).transform((word) => MODES[word]),
    ])
    .default(0),
  deactivated: z.boolean().default(false),
  price: z
    .union([z.number().nonnegative().transform(String), z.string().regex(/^\d{1,12}(\.\d{1,4})?$/)])
    .default('0'),
  market: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  /** The account that it belongs to; that of the command unless told. */
  account: z.guid().optional(),
  content,
})

const file = z.preprocess((text) => (Array.isArray(text) ? text : [text]), z.array(entry))

/** 4154-028000: the letters of the market in hexadecimal, and the product of cash box templates. */
export function productNumberOf(market: string): string {
  return `${Buffer.from(market, 'ascii').toString('hex')}-028000`
}

export interface ImportedTemplate {
  id: string
  name: string
  productNumber: string
}

/** Throws ACCOUNT_UNKNOWN and FIELD_INVALID; then nothing is stored. */
export async function importTemplates(
  { store, now }: { store: Store; now(): Date },
  { text, accountId }: { text: string; accountId: string | undefined },
): Promise<ImportedTemplate[]> {
  const entries = entriesOf(text)
  const owned: Owned[] = []
  for (const one of entries) {
    const id = one.account ?? accountId
    if (id === undefined) throw fail('FIELD_MISSING', { field: 'account', expected: 'an account' })
    owned.push({ ...one, owner: await accountOf(store, id) })
  }
  return store.prisma.$transaction(async (tx) => {
    const stored: ImportedTemplate[] = []
    for (const one of owned) stored.push(await put(tx, one, now()))
    return stored
  }, TRANSACTION)
}

type Owned = z.output<typeof entry> & { owner: AccountRow }

/** The template and the note of who has changed it. */
async function put(
  tx: Transaction,
  { owner, account: _, market = owner.market, ...one }: Owned,
  moment: Date,
): Promise<ImportedTemplate> {
  const productNumber = productNumberOf(market)
  const row = { ...one, id: randomId(), accountId: owner.id, market, productNumber }
  const id = await putTemplate({ prisma: tx }, { ...row, createdAt: moment, modifiedAt: moment })
  const actor = { accountId: owner.id, onBehalfOf: null, operation: 'template import', traceId: '' }
  const change = { subjects: { templateId: id }, after: { ...one, productNumber } }
  await insertAudit(tx, rowOf(actor, change, moment))
  return { id, name: one.name, productNumber }
}

function entriesOf(text: string) {
  const parsed = file.safeParse(jsonOf(text), EXPECTED_ONLY)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw fail('FIELD_INVALID', {
    field: issue?.path.map(String).join('.') || 'the file',
    expected: issue?.message ?? 'a template',
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw fail('BODY_MALFORMED', { reason: error.message })
  }
}

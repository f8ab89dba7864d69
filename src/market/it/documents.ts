// Commercial documents: what the device is asked, what is kept of its answer, what is printed.
import { DeviceError } from '../../device/device.js'
import {
  type RtAnswer,
  type RtDevice,
  type RtDocument,
  type RtReference,
  RtRefusal,
} from '../../device/it/unit.js'
import { sha256 } from '../../lib/hash.js'
import type { Signature } from '../../model/receipt.js'
import type { Unit } from '../contract.js'
import { addRow, saying, textItem } from '../kit/draft.js'
import { isRefusal, type Refusal } from '../kit/refusal.js'
import { timeLeft } from '../kit/steps.js'
import { types } from './cases.js'
import { dayOf, four, type ItDraft, rome } from './draft.js'
import { noteFate, originalOf, referenceOf } from './history.js'
import type { Reading } from './reading.js'
import { RECORDS, type StoredFate, type StoredRecord } from './rows.js'
import { captions, refuse, texts } from './text.js'

type Rt = Unit<RtDevice>
const LEAST_LOTTERY = 100n
const TRADED: ReadonlySet<string> = new Set(['card', 'ticket'])

/** Asks until there is an answer, at most scu-max-retries times again; no is an answer. */
export async function ask<T>(
  draft: ItDraft,
  unit: Rt,
  call: (device: RtDevice, limit: { timeoutMs: number }) => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await call(unit.device, { timeoutMs: timeLeft(draft, unit) })
    } catch (error) {
      if (!(error instanceof DeviceError) || error instanceof RtRefusal) throw error
      if (tries >= draft.settings['scu-max-retries']) throw error
    }
  }
}

/** The id under which the device knows it: the same when it is sent once more after a loss. */
export function deviceIdOf({ state, input: { receipt } }: ItDraft): string {
  const reference = receipt.request.receiptReference ?? ''
  return state.lost.find((one) => one.reference === reference)?.id ?? receipt.id
}

export async function document(
  draft: ItDraft,
  reading: Reading,
  unit: Rt,
): Promise<Refusal | undefined> {
  const { receipt, queue } = draft.input
  const original = reading.type === 'sale' ? undefined : before(draft, reading)
  if (original !== undefined && 'kind' in original) return original
  if (!unit.device.isServer) {
    const at = reading.lines.findIndex(({ vat }) => vat === 'VI')
    if (at >= 0) return refuse('NatureUnknown', ['70'], at)
  }
  const asked: RtDocument = {
    ...{ id: deviceIdOf(draft), type: reading.type, till: queue.identification },
    ...{ lines: [...reading.lines, ...notesOf(draft, reading)], subtotal: reading.subtotal },
    ...{ payments: reading.payments, taxId: reading.customer.taxId },
    lottery: lotteryFor(draft, reading),
    reference: original === undefined ? unreferenced(draft, reading) : referenceOf(original),
  }
  const answer = await ask(draft, unit, (device, limit) => device.document(asked, limit))
  draft.identification += `${four(answer.z)}-${four(answer.doc)}`
  draft.state.openSince ??= draft.input.moment.getTime()
  Object.assign(draft.state, { serial: answer.serial, z: answer.z, doc: answer.doc })
  if (reading.late) draft.state.late += 1
  record(draft, recordOf(draft, asked, answer), unit)
  fates(draft, { asked, answer, original })
  draft.signatures.push(...printed(draft, asked, answer), ...draft.signatures.splice(0))
  const reference = receipt.request.receiptReference ?? ''
  draft.state.lost = draft.state.lost.filter((one) => one.reference !== reference)
  return undefined
}

function before(draft: ItDraft, { type, previous }: Reading): StoredFate | Refusal | undefined {
  if (previous !== '') return originalOf(draft, previous)
  return type === 'void' ? refuse('ReferenceMissing') : undefined
}

/** A return without number names the day only. */
function unreferenced({ input }: ItDraft, { type }: Reading): RtReference | undefined {
  if (type === 'sale') return undefined
  const date = rome.text(input.receipt.request.receiptMoment).slice(0, 10)
  return { z: 0, doc: 0, date, serial: 'ND', fate: 'open' }
}

/** What was entered late keeps its own moment; deliveries name who gets them. */
function notesOf({ input }: ItDraft, { late, code, customer }: Reading): RtDocument['lines'] {
  const { receiptMoment, receiptReference } = input.receipt.request
  const told = late
    ? [`${rome.text(receiptMoment).replace('T', ' ')} ${receiptReference ?? ''}`.trim()]
    : []
  const lines = code === 5 ? [...customer.lines, ...told] : told
  const plain = { kind: 'note', quantity: '1', cents: 0n, vat: '22' } as const
  return lines.map((text) => ({ ...plain, text }))
}

/** Sales from one euro on, paid otherwise than in cash; else it is told, and not sent. */
function lotteryFor(draft: ItDraft, { lottery, type, lines, subtotal, payments }: Reading): string {
  if (lottery === '') return ''
  const sum = lines.reduce((all, { kind, cents }) => {
    if (kind === 'gift') return all
    return all + (kind === 'item' || kind === 'on' ? cents : -cents)
  }, subtotal)
  const isRight = /^[A-Z0-9]{8}$/.test(lottery) && type === 'sale' && sum >= LEAST_LOTTERY
  if (isRight && payments.some(({ kind }) => TRADED.has(kind))) return lottery
  draft.signatures.push(textItem(types.warning, captions.lotteryLost, `-43: ${lottery}`))
  return ''
}

// --------------------------------------------------------------------------------- what is kept

function recordOf(draft: ItDraft, asked: RtDocument, answer: RtAnswer): StoredRecord {
  const { request } = draft.input.receipt
  const { reference } = asked
  const sums = Object.entries(answer.vat)
  return {
    ...plainRecord(draft),
    ...{ type: asked.type, serial: answer.serial, z: answer.z, doc: answer.doc },
    ...{ moment: answer.moment, sha: answer.sha, subtotal: `${asked.subtotal}` },
    receiptReference: request.receiptReference ?? '',
    lines: asked.lines.map((one) => [one.kind, one.text, one.quantity, `${one.cents}`, one.vat]),
    payments: asked.payments.map(({ kind, text, cents }) => [kind, text, `${cents}`]),
    vat: sums.map(([key, [gross, tax]]) => [key, `${gross}`, `${tax}`]),
    total: `${sums.reduce((sum, [, [gross]]) => sum + gross, 0n)}`,
    ...{ taxId: asked.taxId, lottery: asked.lottery },
    reference: reference === undefined ? null : plainReference(reference),
  }
}

const plainReference = ({ serial, z, doc, date }: RtReference) => ({ serial, z, doc, date })

/** Of a closing, and what documents start from. */
export function plainRecord({ state, input }: ItDraft): StoredRecord {
  const { request } = input.receipt
  return {
    ...{ previous: state.hash, type: 'closing', serial: '', z: 0, doc: 0, moment: '', sha: '' },
    till: input.queue.identification,
    receiptCase: input.receipt.words.receipt.code,
    receiptReference: request.receiptReference ?? '',
    receiptMoment: request.receiptMoment.toISOString(),
    ...{ lines: [], subtotal: '0', payments: [], vat: [], total: '0', taxId: '', lottery: '' },
    reference: null,
  }
}

export function record(draft: ItDraft, kept: StoredRecord, { scu }: Rt): void {
  const content = JSON.stringify(kept)
  draft.state.records += 1
  draft.state.hash = sha256(content).toString('hex')
  addRow(draft, { kind: RECORDS, number: draft.state.records, scuId: scu.id, content })
}

interface Done {
  asked: RtDocument
  answer: RtAnswer
  original: StoredFate | undefined
}

function fates(draft: ItDraft, { asked, answer, original }: Done): void {
  const { receiptReference, previousReceiptReference } = draft.input.receipt.request
  const sums = Object.entries(answer.vat).map(([key, [gross]]) => [key, gross] as const)
  if (original !== undefined) {
    const rest = { ...original.left }
    for (const [key, gross] of sums) rest[key] = `${BigInt(rest[key] ?? '0') - gross}`
    const isAll = Object.values(rest).every((cents) => BigInt(cents) <= 0n)
    const back = isAll ? 'refunded' : 'open'
    const fate = asked.type === 'void' ? 'voided' : back
    noteFate(draft, previousReceiptReference?.trim() ?? '', { ...original, fate, left: rest })
  }
  const own = { sale: 'open', refund: 'is-refund', void: 'is-void' } as const
  noteFate(draft, receiptReference?.trim() ?? '', {
    ...{ serial: answer.serial, z: answer.z, doc: answer.doc, date: answer.moment.slice(0, 10) },
    ...{
      fate: own[asked.type],
      left: Object.fromEntries(sums.map(([key, one]) => [key, `${one}`])),
    },
  })
}

// ------------------------------------------------------------------------------- what is printed

const DOCUMENT_TYPES = { sale: 'POSRECEIPT', refund: 'REFUND', void: 'VOID' } as const

function printed(draft: ItDraft, asked: RtDocument, answer: RtAnswer): Signature[] {
  const { reference, type } = asked
  const { request } = draft.input.receipt
  const isKnown = reference !== undefined && reference.z > 0
  const day = rome.text(request.receiptMoment).slice(0, 10)
  return [
    textItem(types.header, draft.settings['header-caption'], headOf(draft, asked, answer)),
    textItem(types.kind, captions.document, kindOf(asked)),
    textItem(types.serial, captions.serial, answer.serial),
    textItem(types.z, captions.z, four(answer.z)),
    textItem(types.doc, captions.doc, four(answer.doc)),
    textItem(types.moment, captions.moment, answer.moment),
    textItem(types.documentType, captions.documentType, DOCUMENT_TYPES[type]),
    ...saying(
      textItem(types.sha, captions.sha, answer.sha),
      textItem(types.customer, captions.customer, asked.taxId),
    ),
    ...(isKnown ? [textItem(types.referenceZ, captions.referenceZ, four(reference.z))] : []),
    ...(isKnown ? [textItem(types.referenceDoc, captions.referenceDoc, four(reference.doc))] : []),
    ...(reference === undefined
      ? []
      : [
          textItem(types.referenceMoment, captions.referenceMoment, isKnown ? reference.date : day),
        ]),
    ...saying(textItem(types.lottery, captions.lottery, asked.lottery)),
    ...answer.warnings.map((data) => textItem(types.warning, captions.warning, data)),
  ]
}

/** Two things that a printed document says over its lines. */
function headOf({ input }: ItDraft, asked: RtDocument, answer: RtAnswer): string {
  const { serial, z, doc, moment, sha } = answer
  const lines = [
    `${dayOf(moment)} ${moment.slice(11, 16)}`,
    `DOCUMENTO N. ${four(z)}-${four(doc)}`,
    ...(asked.lottery === '' ? [] : [`Codice Lotteria: ${asked.lottery}`]),
    '',
    ...(asked.taxId === '' ? [] : [`Cod. Fisc./P.IVA: ${asked.taxId}`]),
    sha === '' ? `RT ${serial}` : `Server RT ${serial}`,
    `Cassa ${input.queue.identification}`,
    ...(sha === '' ? [] : ['-----FIRMA ELETTRONICA-----', sha, '---------------------------']),
  ]
  return lines.join('\n')
}

function kindOf({ type, reference }: RtDocument): string {
  if (reference === undefined) return texts.sale
  const { z, doc, date } = reference
  const number = z > 0 ? `N. ${four(z)}-${four(doc)}` : 'ND'
  return `${type === 'void' ? texts.void : texts.refund}\n${number} del ${dayOf(date)}`
}

/** The same document once more is a management document. */
export async function reprint(
  draft: ItDraft,
  { previous }: Reading,
  unit: Rt,
): Promise<Refusal | undefined> {
  if (previous === '') return refuse('ReferenceMissing')
  const original = originalOf(draft, previous)
  if (isRefusal(original as { kind: string })) return original as Refusal
  const { serial, z, doc, date } = original as StoredFate
  await ask(draft, unit, (device, limit) =>
    device.reprint(referenceOf(original as StoredFate), draft.input.queue.identification, limit),
  )
  draft.signatures.push(
    textItem(types.serial, captions.serial, serial),
    textItem(types.documentType, captions.documentType, texts.management),
    textItem(types.referenceZ, captions.referenceZ, four(z)),
    textItem(types.referenceDoc, captions.referenceDoc, four(doc)),
    textItem(types.referenceMoment, captions.referenceMoment, date),
  )
  return undefined
}

// Signs a receipt, or makes it as "failed": number, counter and chain move on either way.

import { Decimal, formatCents } from '../../lib/decimal.js'
import type { CertificateEntry, MarketRow } from '../../model/journal.js'
import { addAction, priority } from '../kit/draft.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { amountFields, type Cents, NO_AMOUNTS, totalCents } from './amounts.js'
import { isBackup, type Signed, trySigners } from './attempts.js'
import { formats, stateBits } from './case-words.js'
import {
  chainValue,
  codeBody,
  compactJws,
  FAILED_SIGNATURE,
  machineCode,
  qrCode,
  signingInput,
} from './payload.js'
import { localTime } from './printed-time.js'
import { hint, type ReceiptDraft } from './receipt-draft.js'
import { totalizerCents } from './state.js'
import { actions, captions, explanations, refusals } from './text.js'
import { encryptTurnover, fitsTurnover, openKey, TRAINING_MARK, VOID_MARK } from './turnover.js'

export interface Demand {
  cents: Cents
  /** True when the turnover counter grows by the amounts. */
  counted: boolean
  /** Zero, start, stop, monthly and yearly receipts ask the devices even when these have failed. */
  zeroPath: boolean
}

export type SignResult =
  | { kind: 'signed'; jws: string; certificate: CertificateEntry }
  | { kind: 'failed'; jws: string }
  /** No signature ever, so there is nothing to print: only before the first signature. */
  | { kind: 'unsigned'; reasons: string }
  | Refusal

export const ZERO_DEMAND: Demand = { cents: NO_AMOUNTS, counted: true, zeroPath: true }

export async function signReceipt(draft: ReceiptDraft, demand: Demand): Promise<SignResult> {
  const { state, input } = draft
  const asksDevices = demand.zeroPath || state.sscdFailCount === 0
  if (asksDevices && input.units.length === 0) return refuse(refusals.noScu)
  const plan = planReceipt(draft, demand)
  if (plan.kind === 'refusal') return plan
  if (demand.zeroPath) state.activeScu = 0
  const { signed, reasons } = asksDevices
    ? await trySigners(draft, plan.body)
    : { signed: undefined, reasons: '' }
  if (signed !== undefined) return adoptSignature(draft, plan, { signed, reasons })
  if (state.lastSignatureZda === '') return { kind: 'unsigned', reasons }
  return adoptFailure(draft, plan, reasons)
}

/** What a receipt will change, computed before a device is asked. */
interface Plan {
  kind: 'plan'
  cashNumber: number
  identification: string
  localTime: string
  counter: bigint
  /** What the counter grows by, or undefined when the receipt is not counted. */
  added: bigint | undefined
  body: string
}

function planReceipt(draft: ReceiptDraft, { cents, counted }: Demand): Plan | Refusal {
  const { state, input } = draft
  const secrets = draft.secrets ?? input.secrets
  const opened = openKey(secrets)
  if (opened.kind === 'missing') return refuse(refusals.keyMissing)
  if (opened.kind === 'invalid') return refuse(refusals.keyInvalid)
  const added = counted ? totalCents(cents) : undefined
  const counter = totalizerCents(state) + (added ?? 0n)
  if (!fitsTurnover(counter)) return refuse(refusals.counterFull)
  const cashNumber = state.cashNumerator + 1
  const identification = `${draft.identification}${cashNumber}`
  const printed = localTime(draft)
  const body = codeBody({
    kassenId: input.queue.identification,
    receiptId: identification,
    localTime: printed,
    amounts: amountFields(cents),
    turnover: turnoverField(draft, { key: opened.key, receiptId: identification, counter }),
  })
  return { kind: 'plan', cashNumber, identification, localTime: printed, counter, added, body }
}

interface CounterInput {
  key: Buffer
  receiptId: string
  counter: bigint
}

/** Training wins over void; a failed device changes nothing here. */
function turnoverField(draft: ReceiptDraft, { key, receiptId, counter }: CounterInput): string {
  if (draft.reading.training) return TRAINING_MARK
  if (draft.reading.void) return VOID_MARK
  return encryptTurnover({
    key,
    kassenId: draft.input.queue.identification,
    receiptId,
    cents: counter,
    bytes: draft.configuration['rksv-counter-bytes'],
  })
}

interface Success {
  signed: Signed
  reasons: string
}

function adoptSignature(draft: ReceiptDraft, plan: Plan, { signed, reasons }: Success): SignResult {
  const { state } = draft
  const { certificate, slot, code, signature } = signed
  const jws = compactJws(signed.input, signature)
  state.lastSignatureZda = signed.zda
  state.lastSignatureCertificateSerialNumber = signed.serialHex
  state.lastSignatureCertificateFingerprint = certificate.fingerprint.toString('hex')
  if (isBackup(slot)) draft.bits |= stateBits.backupSigner
  if (reasons !== '') {
    const message = actions.signerChanged(slot.scu.id, reasons)
    addAction(draft, { priority: priority.warning, type: 'SigningUnitChanged', message })
  }
  const entry = { fingerprint: certificate.fingerprint, entry: certificate }
  advance(draft, plan, { jws, scuId: slot.scu.id, certificate: entry })
  addCode(draft, draft.configuration['rksv-caption'], qrCode(code, signature))
  return { kind: 'signed', jws, certificate }
}

function adoptFailure(draft: ReceiptDraft, plan: Plan, reasons: string): SignResult {
  const { state, input } = draft
  if (state.sscdFailCount === 0) {
    state.sscdFailMoment = input.moment.getTime()
    state.sscdFailQueueItemId = input.receipt.id
  }
  state.sscdFailCount += 1
  if (reasons !== '') {
    const message = actions.signersFailed(reasons)
    addAction(draft, { priority: priority.error, type: 'SigningUnitsFailed', message })
  }
  const code = machineCode(plan.body, {
    zda: state.lastSignatureZda,
    serialHex: state.lastSignatureCertificateSerialNumber,
    chain: state.lastSignatureHash,
  })
  const jws = compactJws(signingInput(code), FAILED_SIGNATURE)
  const fingerprint = Buffer.from(state.lastSignatureCertificateFingerprint, 'hex')
  advance(draft, plan, { jws, scuId: null, certificate: { fingerprint, entry: null } })
  addCode(draft, captions.signerFailed, qrCode(code, FAILED_SIGNATURE))
  return { kind: 'failed', jws }
}

interface Made {
  jws: string
  scuId: string | null
  certificate: MarketRow['certificate']
}

/** Cash number, counter, chain and journal: the same with and without a signature. */
function advance(draft: ReceiptDraft, plan: Plan, { jws, scuId, certificate }: Made): void {
  const { state, input } = draft
  state.cashNumerator = plan.cashNumber
  state.lastLocalTime = plan.localTime
  state.cashTotalizer = formatCents(plan.counter, '.')
  state.lastSignatureHash = chainValue(jws)
  draft.identification = plan.identification
  draft.journal.push({
    id: input.tools.newId(),
    kind: 'RKSV',
    number: plan.cashNumber,
    scuId,
    certificate,
    content: jws,
  })
  if (input.tools.sandbox && plan.added !== undefined) {
    const data = Decimal.cents(plan.added).toShortString()
    draft.explanations.push(hint(draft, explanations.counter, data))
  }
}

/** The code, and what the receipt has to be named (§ 10 (3) RKSV) directly after it. */
function addCode(draft: ReceiptDraft, caption: string, data: string): void {
  const { reading, signatures } = draft
  signatures.push({ format: formats.qr, type: draft.types.rksv, caption, data })
  const name = designation(reading)
  if (name !== undefined) signatures.push(hint(draft, name, name))
}

function designation(reading: { training: boolean; void: boolean }): string | undefined {
  if (reading.training) return captions.training
  return reading.void ? captions.void : undefined
}

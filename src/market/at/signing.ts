// Signs a receipt, or makes it as "failed": number, counter and chain move on either way.
// Called by every path that signs.

import { Decimal, formatCents } from '../../lib/decimal.js'
import type { CertificateEntry, MarketRow } from '../market.js'
import { amountFields, type Cents, NO_AMOUNTS, totalCents } from './amounts.js'
import { isBackup, type Signed, trySigners } from './attempts.js'
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
import { type Refusal, refuse } from './refusal.js'
import { totalizerCents } from './state.js'
import { actions, captions, explanations, refusals } from './text.js'
import { addAction, hint, priority, type Turn } from './turn.js'
import { encryptTurnover, fitsTurnover, openKey, TRAINING_MARK, VOID_MARK } from './turnover.js'
import { formats, stateBits } from './words.js'

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

export async function signReceipt(turn: Turn, demand: Demand): Promise<SignResult> {
  const { state, input } = turn
  const asksDevices = demand.zeroPath || state.sscdFailCount === 0
  if (asksDevices && input.devices.length === 0) return refuse(refusals.noScu)
  const plan = planReceipt(turn, demand)
  if (plan.kind === 'refusal') return plan
  if (demand.zeroPath) state.activeScu = 0
  const { signed, reasons } = asksDevices
    ? await trySigners(turn, plan.body)
    : { signed: undefined, reasons: '' }
  if (signed !== undefined) return adoptSignature(turn, plan, { signed, reasons })
  if (state.lastSignatureZda === '') return { kind: 'unsigned', reasons }
  return adoptFailure(turn, plan, reasons)
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

function planReceipt(turn: Turn, { cents, counted }: Demand): Plan | Refusal {
  const { state, input } = turn
  const secrets = turn.secrets ?? input.secrets
  const opened = openKey(secrets)
  if (opened.kind === 'missing') return refuse(refusals.keyMissing)
  if (opened.kind === 'invalid') return refuse(refusals.keyInvalid)
  const added = counted ? totalCents(cents) : undefined
  const counter = totalizerCents(state) + (added ?? 0n)
  if (!fitsTurnover(counter)) return refuse(refusals.counterFull)
  const cashNumber = state.cashNumerator + 1
  const identification = `${turn.identification}${cashNumber}`
  const printed = localTime(turn)
  const body = codeBody({
    kassenId: input.queue.identification,
    receiptId: identification,
    localTime: printed,
    amounts: amountFields(cents),
    turnover: turnoverField(turn, { key: opened.key, receiptId: identification, counter }),
  })
  return { kind: 'plan', cashNumber, identification, localTime: printed, counter, added, body }
}

interface CounterInput {
  key: Buffer
  receiptId: string
  counter: bigint
}

/** Training wins over void; a failed device changes nothing here. */
function turnoverField(turn: Turn, { key, receiptId, counter }: CounterInput): string {
  if (turn.reading.training) return TRAINING_MARK
  if (turn.reading.void) return VOID_MARK
  return encryptTurnover({
    key,
    kassenId: turn.input.queue.identification,
    receiptId,
    cents: counter,
    bytes: turn.configuration['rksv-counter-bytes'],
  })
}

interface Success {
  signed: Signed
  reasons: string
}

function adoptSignature(turn: Turn, plan: Plan, { signed, reasons }: Success): SignResult {
  const { state } = turn
  const { certificate, slot, code, signature } = signed
  const jws = compactJws(signed.input, signature)
  state.lastSignatureZda = signed.zda
  state.lastSignatureCertificateSerialNumber = signed.serialHex
  state.lastSignatureCertificateFingerprint = certificate.fingerprint.toString('hex')
  if (isBackup(slot)) turn.bits |= stateBits.backupSigner
  if (reasons !== '') {
    const message = actions.signerChanged(slot.scu.id, reasons)
    addAction(turn, { priority: priority.warning, type: 'SigningUnitChanged', message })
  }
  const entry = { fingerprint: certificate.fingerprint, entry: certificate }
  advance(turn, plan, { jws, scuId: slot.scu.id, certificate: entry })
  addCode(turn, turn.configuration['rksv-caption'], qrCode(code, signature))
  return { kind: 'signed', jws, certificate }
}

function adoptFailure(turn: Turn, plan: Plan, reasons: string): SignResult {
  const { state, input } = turn
  if (state.sscdFailCount === 0) {
    state.sscdFailMoment = input.moment.getTime()
    state.sscdFailQueueItemId = input.item.id
  }
  state.sscdFailCount += 1
  if (reasons !== '') {
    const message = actions.signersFailed(reasons)
    addAction(turn, { priority: priority.error, type: 'SigningUnitsFailed', message })
  }
  const code = machineCode(plan.body, {
    zda: state.lastSignatureZda,
    serialHex: state.lastSignatureCertificateSerialNumber,
    chain: state.lastSignatureHash,
  })
  const jws = compactJws(signingInput(code), FAILED_SIGNATURE)
  const fingerprint = Buffer.from(state.lastSignatureCertificateFingerprint, 'hex')
  advance(turn, plan, { jws, scuId: null, certificate: { fingerprint, entry: null } })
  addCode(turn, captions.signerFailed, qrCode(code, FAILED_SIGNATURE))
  return { kind: 'failed', jws }
}

interface Made {
  jws: string
  scuId: string | null
  certificate: MarketRow['certificate']
}

/** Cash number, counter, chain and journal: the same with and without a signature. */
function advance(turn: Turn, plan: Plan, { jws, scuId, certificate }: Made): void {
  const { state, input } = turn
  state.cashNumerator = plan.cashNumber
  state.lastLocalTime = plan.localTime
  state.cashTotalizer = formatCents(plan.counter, '.')
  state.lastSignatureHash = chainValue(jws)
  turn.identification = plan.identification
  turn.journal.push({
    id: input.newId(),
    kind: 'RKSV',
    number: plan.cashNumber,
    scuId,
    certificate,
    content: jws,
  })
  if (input.sandbox && plan.added !== undefined) {
    const data = Decimal.cents(plan.added).toShortString()
    turn.explanations.push(hint(turn, explanations.counter, data))
  }
}

/** The code, and what the receipt has to be named (§ 10 (3) RKSV) directly after it. */
function addCode(turn: Turn, caption: string, data: string): void {
  const { reading, signatures } = turn
  signatures.push({ format: formats.qr, type: turn.types.rksv, caption, data })
  const name = designation(reading)
  if (name !== undefined) signatures.push(hint(turn, name, name))
}

function designation(reading: { training: boolean; void: boolean }): string | undefined {
  if (reading.training) return captions.training
  return reading.void ? captions.void : undefined
}

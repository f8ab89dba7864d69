// Signs a receipt, or makes it as "failed": number, counter and chain move on either way. Units are
// tried in order, round by round, as long as a register can wait.
import { DeviceError, isHopeless, shownUnit } from '../../device/device.js'
import { checkSigned } from '../../device/es256.js'
import type { RksvDevice, RksvIdentity, RksvSignature } from '../../device/rksv.js'
import { Decimal, formatCents } from '../../lib/decimal.js'
import { keptHex } from '../../lib/hash.js'
import { type Soon, whenThere } from '../../lib/soon.js'
import type { CertificateEntry, MarketRow } from '../../model/journal.js'
import type { Unit } from '../contract.js'
import { addAction, addRow, formats, outage, priority, withOne } from '../kit/draft.js'
import { compactJws, signingInput } from '../kit/jws.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { kindOf, limitMs, usable } from '../kit/unit-mode.js'
import { stateBits } from './cases.js'
import { amountFields, type Cents, NO_AMOUNTS, totalCents } from './decision.js'
import { localTime } from './local-time.js'
import {
  chainValue,
  codeBody,
  FAILED_SIGNATURE,
  JWS_HEADER,
  machineCode,
  qrCode,
} from './payload.js'
import { totalizerCents } from './queue.js'
import { hint, type ReceiptDraft } from './receipt-draft.js'
import { actions, captions, explanations, refusals } from './text.js'
import { encryptTurnover, fitsTurnover, openKey, TRAINING_MARK, VOID_MARK } from './turnover.js'

type Slot = Unit<RksvDevice>

export interface Signed extends RksvSignature {
  slot: Slot
  /** The 12 fields of the machine-readable code, and what was signed. */
  code: string
  input: string
}

export interface Attempts {
  signed: Signed | undefined
  /** Why units failed, each once with its last reason. */
  reasons: string
}

export function isBackup({ scu }: Slot): boolean {
  return kindOf(scu) !== 0
}

/** Signs the body of a code with the first unit that can, and remembers which one that was. */
export function trySigners(draft: ReceiptDraft, body: string): Soon<Attempts> {
  return new Tries(draft, body).next()
}

/** Nothing waits where a unit answers at once. */
class Tries {
  private readonly slots: readonly Slot[]
  private readonly first: number
  private readonly rounds: number
  private readonly startsNormal: boolean
  private round = 0
  private step = 0
  private readonly start: number
  // made with the first failure: nearly every receipt has none
  private reasons: Map<string, string> | undefined
  private closed: Set<Slot> | undefined

  constructor(
    private readonly draft: ReceiptDraft,
    private readonly body: string,
  ) {
    this.slots = usable(draft.input.units)
    const { slots } = this
    this.first = slots.length === 0 ? 0 : draft.state.activeScu % slots.length
    const starter = slots[this.first]
    this.startsNormal = starter !== undefined && !isBackup(starter)
    this.rounds = starter === undefined ? 0 : draft.configuration['scu-max-retries'] + 1
    this.start = draft.input.tools.elapsedMs()
  }

  /** Goes on with the next unit. */
  next(): Soon<Attempts> {
    for (let index = this.nextPlace(); index !== undefined; index = this.nextPlace()) {
      const slot = this.slots[index]
      if (slot === undefined || this.closed?.has(slot) || this.left(slot) <= 0) continue
      try {
        const signed = this.attempt(slot)
        if (!(signed instanceof Promise)) return this.ended(signed, index)
        return signed.then(
          (later) => this.ended(later, index),
          (error: unknown) => {
            this.note(slot, error)
            return this.next()
          },
        )
      } catch (error) {
        this.note(slot, error)
      }
    }
    return { signed: undefined, reasons: textOf(this.reasons) }
  }

  /**
   * Of the unit to try. Every round goes once around, starting with the unit in use; the first one
   * leaves out backups when it starts with a normal unit.
   */
  private nextPlace(): number | undefined {
    const { slots } = this
    for (; this.round < this.rounds; this.round += 1, this.step = 0) {
      while (this.step < slots.length) {
        const index = (this.first + this.step) % slots.length
        const slot = slots[index]
        this.step += 1
        const isLeftOut = this.round === 0 && this.startsNormal && slot && isBackup(slot)
        if (isLeftOut !== true) return index
      }
    }
    return undefined
  }

  private ended(signed: Signed, index: number): Attempts {
    this.draft.state.activeScu = index
    return { signed, reasons: textOf(this.reasons) }
  }

  /** Whatever a device does wrong is a failed try, never an error of the receipt. */
  private note(slot: Slot, error: unknown): void {
    if (error instanceof DeviceError && isHopeless(error)) {
      this.closed = new Set([...(this.closed ?? []), slot])
    }
    this.reasons ??= new Map()
    this.reasons.set(shownUnit(slot.scu), error instanceof Error ? error.message : String(error))
  }

  /** Milliseconds that this unit may still take. */
  private left({ scu }: Slot): number {
    const { input, configuration } = this.draft
    const spent = input.tools.elapsedMs() - this.start
    return limitMs(scu, configuration['scu-timeout-ms']) - spent
  }

  /** One try: whose signature it will be, the signature, and whether it can be believed. */
  private attempt(slot: Slot): Soon<Signed> {
    const identity = slot.device.identity({ timeoutMs: this.left(slot) })
    return whenThere(identity, (known) => this.sign(slot, known))
  }

  private sign(slot: Slot, { zda, serialHex }: RksvIdentity): Soon<Signed> {
    const { device } = slot
    const chain = this.draft.state.lastSignatureHash
    const code = machineCode(this.body, { zda, serialHex, chain })
    const input = signingInput(JWS_HEADER, code)
    const data = Buffer.from(input, 'latin1')
    const doubted = device.mustVerify()
    const timeoutMs = this.left(slot)
    if (timeoutMs <= 0) throw new DeviceError('no time left')
    return whenThere(device.sign(data, { timeoutMs }), (answer) => {
      const isSame = answer.serialHex === serialHex && answer.zda === zda
      checkSigned(answer, { isSame, data: doubted ? data : undefined })
      const { signature, certificate } = answer
      return { signature, zda, serialHex, certificate, slot, code, input }
    })
  }
}

function textOf(reasons: ReadonlyMap<string, string> | undefined): string {
  if (reasons === undefined) return ''
  return [...reasons].map(([scu, reason]) => `${scu}: ${reason}`).join('; ')
}

// -------------------------------------------------------------------------- the units of the queue

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

export function signReceipt(draft: ReceiptDraft, demand: Demand): Soon<SignResult> {
  const { state, input } = draft
  const asksDevices = demand.zeroPath || state.sscdFailCount === 0
  if (asksDevices && input.units.length === 0) return refuse(refusals.noScu)
  const plan = planReceipt(draft, demand)
  if (plan.kind === 'refusal') return plan
  if (demand.zeroPath) state.activeScu = 0
  if (!asksDevices) return adopt(draft, plan, NOT_ASKED)
  return whenThere(trySigners(draft, plan.body), (attempts) => adopt(draft, plan, attempts))
}

const NOT_ASKED: Attempts = { signed: undefined, reasons: '' }

function adopt(draft: ReceiptDraft, plan: Plan, { signed, reasons }: Attempts): SignResult {
  if (signed !== undefined) return adoptSignature(draft, plan, { signed, reasons })
  if (draft.state.lastSignatureZda === '') return { kind: 'unsigned', reasons }
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
  state.lastSignatureCertificateFingerprint = keptHex(certificate.fingerprint)
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
  const begins = state.sscdFailCount === 0
  if (begins) {
    state.sscdFailMoment = input.moment.getTime()
    state.sscdFailQueueItemId = input.receipt.id
  }
  state.sscdFailCount += 1
  if (begins || reasons !== '') {
    const message = actions.signersFailed(reasons === '' ? actions.noneInUse : reasons)
    const action = { priority: priority.error, type: 'SigningUnitsFailed', message }
    addAction(draft, begins ? { ...action, event: outage.opened('device') } : action)
  }
  const code = machineCode(plan.body, {
    zda: state.lastSignatureZda,
    serialHex: state.lastSignatureCertificateSerialNumber,
    chain: state.lastSignatureHash,
  })
  const jws = compactJws(signingInput(JWS_HEADER, code), FAILED_SIGNATURE)
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
  const row = { kind: 'RKSV', number: plan.cashNumber, scuId, certificate, content: jws }
  addRow(draft, row)
  if (input.tools.sandbox && plan.added !== undefined) {
    const data = Decimal.cents(plan.added).toShortString()
    draft.explanations = withOne(draft.explanations, hint(draft, explanations.counter, data))
  }
}

/** The code, and what the receipt has to be named (§ 10 (3) RKSV) directly after it. */
function addCode(draft: ReceiptDraft, caption: string, data: string): void {
  const code = { format: formats.qr, type: draft.types.rksv, caption, data }
  draft.signatures = withOne(draft.signatures, code)
  const name = designation(draft.reading)
  if (name !== undefined) draft.signatures.push(hint(draft, name, name))
}

function designation(reading: { training: boolean; void: boolean }): string | undefined {
  if (reading.training) return captions.training
  return reading.void ? captions.void : undefined
}

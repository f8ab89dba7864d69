// One receipt of a queue of Spain, from the request to the answer; in earnest, or only tried.
import { foreignItem, foreignReceipt, unknownReceipt } from '../../case/refusals.js'
import { DeviceError, shownUnit } from '../../device/device.js'
import type { JwsDevice, JwsIdentity } from '../../device/jws.js'
import { certificateEntry, SIGNATURE_BYTES } from '../../device/rksv.js'
import { Decimal } from '../../lib/decimal.js'
import { sha256 } from '../../lib/hash.js'
import { isoText } from '../../lib/ticks.js'
import type { Preview, PreviewInput, ReceiptInput, ReceiptOutcome } from '../contract.js'
import { addAction, type Draft, finished, isActive, plainIdentification, priority } from '../kit/draft.js'
import { type Refusal, isRefusal, refuse, refused } from '../kit/refusal.js'
import { isUsed, limitMs } from '../kit/unit-mode.js'
import {
  caseRules,
  ERROR_STATE,
  KNOWN,
  OUT_OF_SERVICE,
  QR,
  receiptCases,
  signatureTypes,
  stateWord,
} from './cases.js'
import type { QueueConfiguration, QueueState } from './queue.js'

type Input = ReceiptInput<QueueState, JwsDevice>

export async function process(input: Input): Promise<ReceiptOutcome<QueueState>> {
  const { receipt } = input
  const { code } = receipt.words.receipt
  const draft = newDraft(input)
  const mayBegin = code === receiptCases.start && input.queue.startMoment === null
  if (!isActive(draft) && !mayBegin) return unsigned(draft)
  const wrong = wrongIn(input) ?? (await sign(draft))
  if (isRefusal(wrong)) return refused(input, wrong, { stateWord: ERROR_STATE })
  if (mayBegin) draft.life = 'begins'
  if (code === receiptCases.stop) draft.life = 'ends'
  return outcomeOf(draft, 0n)
}

function newDraft(input: Input): Draft<QueueState, JwsDevice> {
  return {
    input,
    state: { ...input.state },
    identification: plainIdentification(input.queue),
    ...{ signatures: [], journal: [], actions: [], life: undefined },
  }
}

/** Before the start and after the stop: every receipt gets the same answer. */
function unsigned(draft: Draft<QueueState, JwsDevice>): ReceiptOutcome<QueueState> {
  const message = `Queue ${draft.input.queue.id} is out of operation.`
  addAction(draft, { priority: priority.warning, type: 'OutOfOrder', message })
  return outcomeOf(draft, OUT_OF_SERVICE)
}

function outcomeOf(
  draft: Draft<QueueState, JwsDevice>,
  bits: bigint,
): ReceiptOutcome<QueueState> {
  const { signatures, journal } = draft
  return finished(draft, { stateWord: stateWord(bits), signatures, stateData: null, journal })
}

function wrongIn({ receipt }: Input): Refusal | undefined {
  const wrong = foreignReceipt(receipt, caseRules) ?? foreignItem(receipt, caseRules)
  if (wrong !== undefined) return refuse(wrong.message, wrong.field)
  if (KNOWN.has(receipt.words.receipt.code)) return undefined
  const { message, field } = unknownReceipt(receipt, 'is not known')
  return refuse(message, field)
}

/** A unit that fails moves nothing. */
async function sign(draft: Draft<QueueState, JwsDevice>): Promise<Refusal | undefined> {
  const { input } = draft
  const { 'scu-timeout-ms': common } = input.queue.configuration as QueueConfiguration
  const reasons: string[] = []
  for (const { scu, device } of input.units.filter((unit) => isUsed(unit.scu))) {
    const left = () => ({ timeoutMs: limitMs(scu, common) - input.tools.elapsedMs() })
    try {
      const identity = await device.identity(left())
      const text = documentText(draft, identity)
      const { signature } = await device.sign(Buffer.from(text), left())
      keep(draft, { jws: `${text}.${signature.toString('base64url')}`, text, identity, scuId: scu.id })
      return undefined
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
      reasons.push(`${shownUnit(scu)}: ${error.message}`)
    }
  }
  return refuse(`No signing unit has signed the receipt. ${reasons.join('; ')}`.trim())
}

const HEADER = Buffer.from('{"alg":"ES256"}').toString('base64url')

/** Header and payload; the members of the law come here. */
function documentText({ input, state }: Draft<QueueState, JwsDevice>, identity: JwsIdentity): string {
  const { receipt, queue, moment } = input
  const { chargeItems } = receipt.request
  const total = chargeItems.reduce((sum, { amount }) => sum.plus(amount), Decimal.ZERO)
  const payload = JSON.stringify({
    register: queue.identification,
    number: state.number + 1,
    moment: isoText(moment),
    total: total.toShortString(),
    certificate: identity.serialHex,
    previous: state.lastHash,
  })
  return `${HEADER}.${Buffer.from(payload).toString('base64url')}`
}

interface Signed {
  jws: string
  text: string
  identity: JwsIdentity
  scuId: string
}

function keep(draft: Draft<QueueState, JwsDevice>, { jws, text, identity, scuId }: Signed): void {
  const { certificate } = identity
  draft.state = { number: draft.state.number + 1, lastHash: sha256(text).toString('base64') }
  draft.identification = `${draft.identification}${draft.state.number}`
  draft.signatures.push({ format: QR, type: signatureTypes.document, caption: '', data: jws })
  draft.journal.push({
    ...{ id: draft.input.tools.newId(), kind: 'document', number: draft.state.number, scuId },
    certificate: { fingerprint: certificate.fingerprint, entry: certificate },
    content: jws,
  })
}

// -------------------------------------------------------------------------------------- only tried

const NOBODY = certificateEntry(Buffer.alloc(0))

/** Says yes to everything; what it signs is never shown. */
const pretended: JwsDevice = {
  identity: async () => ({
    ...{ siret: '', serialHex: '00' },
    ...{ certificate: NOBODY, showsExcerpt: false },
  }),
  sign: async () => ({ signature: Buffer.alloc(SIGNATURE_BYTES), certificate: NOBODY }),
}

export async function preview(input: PreviewInput<QueueState>): Promise<Preview<QueueState>> {
  const units = input.units.map((scu) => ({ scu, device: pretended }))
  const outcome = await process({ ...input, units })
  const change = { what: 'LastNumber', from: input.state.number, to: outcome.state.number }
  return { v0: null, outcome, changes: change.from === change.to ? [] : [change] }
}

// Signs a document with the first unit that can, and moves its chain on.
import { DeviceError } from '../../device/device.js'
import { derOf, verifies } from '../../device/es256.js'
import type { JwsDevice, JwsIdentity, JwsSignature } from '../../device/jws.js'
import { SIGNATURE_BYTES } from '../../device/rksv.js'
import { type Soon, whenThere } from '../../lib/soon.js'
import type { Unit } from '../contract.js'
import { firstThatCan } from '../kit/first-unit.js'
import { compactJws, signingInput } from '../kit/jws.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { limitMs } from '../kit/unit-mode.js'
import { chainValue, HEADER, membersOf, payloadText } from './documents.js'
import { chainOf, type QueueConfiguration } from './queue.js'
import type { FrDraft } from './reading.js'
import type { Letter } from './rows.js'
import { refusals } from './text.js'
import type { Periods } from './totals.js'

export interface Document {
  kind: 'document'
  jws: string
  payload: string
  showsExcerpt: boolean
}

interface Wanted {
  letter: Letter
  periods: Periods
}

type Try = Wanted & { unit: Unit<JwsDevice> }

/**
 * A unit that fails moves nothing: no number, no total, never an unsigned receipt. Nothing waits
 * where a unit answers at once.
 */
export function signDocument(draft: FrDraft, wanted: Wanted): Soon<Document | Refusal> {
  const made = firstThatCan(draft.input.units, (unit) => attempt(draft, { ...wanted, unit }))
  return whenThere(made, (document) => {
    if (typeof document !== 'string') return document
    return refuse(document === '' ? refusals.noUnit : refusals.unitFailed(document))
  })
}

function attempt(draft: FrDraft, given: Try): Soon<Document> {
  const { scu, device } = given.unit
  const { 'scu-timeout-ms': common } = draft.input.queue.configuration as QueueConfiguration
  const left = () => ({ timeoutMs: limitMs(scu, common) - draft.input.tools.elapsedMs() })
  // before the calls: the last step of a script takes the script away
  const isScripted = scu.faultScript !== null
  return whenThere(device.identity(left()), (identity) => {
    const chain = chainOf(draft.state, given.letter)
    const number = chain.number + 1
    const identification = `${draft.identification}${given.letter}${number}`
    const frame = { draft: { ...draft, identification }, identity, letter: given.letter }
    const payload = payloadText(membersOf(frame, given.periods))
    const input = signingInput(HEADER, payload)
    const data = Buffer.from(input)
    return whenThere(device.sign(data, left()), (answer) => {
      const { certificate } = identity
      const wrong = faultOf(answer, { certificate, data: isScripted ? data : undefined })
      if (wrong !== undefined) throw new DeviceError(wrong)
      return signed(draft, given, { identity, answer, input, payload, number, identification })
    })
  })
}

interface Made {
  identity: JwsIdentity
  answer: JwsSignature
  /** Header and payload, as they were signed. */
  input: string
  payload: string
  number: number
  identification: string
}

/** Moves the chain on. */
function signed(draft: FrDraft, { letter, unit }: Try, made: Made): Document {
  const { state, input } = draft
  const { identity, number, payload } = made
  const { certificate } = identity
  const chain = { ...chainOf(state, letter), number, lastHash: chainValue(made.input) }
  state.chains = { ...state.chains, [letter]: chain }
  state.siret = identity.siret
  state.certificateSerialNumber = identity.serialHex
  state.scuId = unit.scu.id
  draft.identification = made.identification
  const { signature } = made.answer
  const jws = compactJws(made.input, identity.isDer === true ? derOf(signature) : signature)
  draft.journal.push({
    id: input.tools.newId(),
    kind: letter,
    number,
    scuId: unit.scu.id,
    content: jws,
    certificate: { fingerprint: certificate.fingerprint, entry: certificate },
  })
  return { kind: 'document', jws, payload, showsExcerpt: identity.showsExcerpt }
}

/**
 * A unit with a fault script may answer wrongly; without one it is right by construction, or it was
 * verified by the driver of the service that made it. `data`: what is to be verified.
 */
function faultOf(
  { signature, certificate: used }: JwsSignature,
  { certificate, data }: { certificate: JwsSignature['certificate']; data: Buffer | undefined },
): string | undefined {
  if (!used.fingerprint.equals(certificate.fingerprint)) {
    return 'the unit has another certificate than a moment ago'
  }
  if (signature.length !== SIGNATURE_BYTES) return `the signature has ${signature.length} bytes`
  if (data === undefined || verifies(data, { signature, certificate })) return undefined
  return 'the signature does not verify with the certificate'
}

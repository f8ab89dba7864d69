// Signs a document with the first unit that can, and moves its chain on.
import { checkSigned, derOf } from '../../device/es256.js'
import type { JwsDevice, JwsIdentity, JwsSignature } from '../../device/jws.js'
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
import { refusalText } from './text.js'
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
    return refuse(document === '' ? refusalText('noUnit') : refusalText('unitFailed', document))
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
      // a unit with a fault script may answer wrongly; one without is right by construction, or
      // was verified by the driver of the service that made it
      checkSigned(answer, {
        isSame: answer.certificate.fingerprint.equals(identity.certificate.fingerprint),
        data: isScripted ? data : undefined,
      })
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

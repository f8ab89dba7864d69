// Signs a document with the first unit that can, and moves its chain on.

import { checkSigned, derOf } from '../../device/es256.js'
import type { JwsDevice } from '../../device/jws.js'
import { type Soon, whenThere } from '../../lib/soon.js'
import type { Unit } from '../contract.js'
import { addRow } from '../kit/draft.js'
import { firstThatCan } from '../kit/first-unit.js'
import { compactJws, signingInput } from '../kit/jws.js'
import type { Refusal } from '../kit/refusal.js'
import { timeLeft } from '../kit/steps.js'
import { chainValue, HEADER, membersOf, payloadText } from './documents.js'
import { chainOf, type QueueConfiguration } from './queue.js'
import type { FrDraft } from './reading.js'
import type { Letter } from './rows.js'
import { refuse } from './text.js'
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

/**
 * A unit that fails moves nothing: no number, no total, never an unsigned receipt. Nothing waits
 * where a unit answers at once.
 */
export function signDocument(draft: FrDraft, wanted: Wanted): Soon<Document | Refusal> {
  const made = firstThatCan(draft.input.units, (unit) => attempt(draft, wanted, unit))
  return whenThere(made, (document) => {
    if (typeof document !== 'string') return document
    return document === '' ? refuse('noUnit') : refuse('unitFailed', document)
  })
}

function attempt(
  draft: FrDraft,
  { letter, periods }: Wanted,
  unit: Unit<JwsDevice>,
): Soon<Document> {
  const { input, state } = draft
  const { device } = unit
  const { id: scuId, faultScript } = unit.scu
  const settings = input.queue.configuration as QueueConfiguration
  const left = () => ({ timeoutMs: timeLeft({ input, settings }, unit) })
  // before the calls: the last step of a script takes the script away
  const isScripted = faultScript !== null
  return whenThere(device.identity(left()), (identity) => {
    const { siret, serialHex, certificate: entry } = identity
    const chain = chainOf(state, letter)
    const number = chain.number + 1
    const identification = `${draft.identification}${letter}${number}`
    const frame = { draft: { ...draft, identification }, identity, letter }
    const payload = payloadText(membersOf(frame, periods))
    const signable = signingInput(HEADER, payload)
    const data = Buffer.from(signable)
    return whenThere(device.sign(data, left()), (answer) => {
      const { signature, certificate } = answer
      const { fingerprint } = entry
      // a unit with a fault script may answer wrongly; one without is right by construction, or
      // was verified by the driver of the service that made it
      checkSigned(answer, {
        isSame: certificate.fingerprint.equals(fingerprint),
        data: isScripted ? data : undefined,
      })
      const lastHash = chainValue(signable)
      state.chains = { ...state.chains, [letter]: { ...chain, number, lastHash } }
      state.siret = siret
      state.certificateSerialNumber = serialHex
      state.scuId = scuId
      draft.identification = identification
      const content = compactJws(signable, identity.isDer === true ? derOf(signature) : signature)
      const row = { kind: letter, number, scuId, certificate: { fingerprint, entry }, content }
      addRow(draft, row)
      return { kind: 'document', jws: content, payload, showsExcerpt: identity.showsExcerpt }
    })
  })
}

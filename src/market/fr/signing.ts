// Signs a document with the first unit that can, and moves its chain on.
import { DeviceError, shownUnit } from '../../device/device.js'
import { derOf, verifies } from '../../device/es256.js'
import type { JwsDevice } from '../../device/jws.js'
import { SIGNATURE_BYTES } from '../../device/rksv.js'
import type { Unit } from '../contract.js'
import { compactJws, signingInput } from '../kit/jws.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { limitMs, usable } from '../kit/unit-mode.js'
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

/** A unit that fails moves nothing: no number, no total, never an unsigned receipt. */
export async function signDocument(
  draft: FrDraft,
  letter: Letter,
  periods: Periods,
): Promise<Document | Refusal> {
  const reasons: string[] = []
  for (const unit of usable(draft.input.units)) {
    try {
      return await attempt(draft, { letter, periods, unit })
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
      reasons.push(`${shownUnit(unit.scu)}: ${error.message}`)
    }
  }
  return refuse(reasons.length === 0 ? refusals.noUnit : refusals.unitFailed(reasons.join('; ')))
}

interface Try {
  letter: Letter
  periods: Periods
  unit: Unit<JwsDevice>
}

async function attempt(draft: FrDraft, { letter, periods, unit }: Try): Promise<Document> {
  const { state, input } = draft
  const { scu, device } = unit
  const { 'scu-timeout-ms': common } = input.queue.configuration as QueueConfiguration
  const left = () => ({ timeoutMs: limitMs(scu, common) - input.tools.elapsedMs() })
  // before the calls: the last step of a script takes the script away
  const isScripted = scu.faultScript !== null
  const identity = await device.identity(left())
  const chain = chainOf(state, letter)
  const number = chain.number + 1
  const identification = `${draft.identification}${letter}${number}`
  const frame = { draft: { ...draft, identification }, identity, letter }
  const payload = payloadText(membersOf(frame, periods))
  const signed = signingInput(HEADER, payload)
  const answer = await device.sign(Buffer.from(signed), left())
  const { certificate } = identity
  const wrong = faultOf(answer, { certificate, data: isScripted ? Buffer.from(signed) : undefined })
  if (wrong !== undefined) throw new DeviceError(wrong)
  state.chains = { ...state.chains, [letter]: { ...chain, number, lastHash: chainValue(signed) } }
  state.siret = identity.siret
  state.certificateSerialNumber = identity.serialHex
  state.scuId = scu.id
  draft.identification = identification
  const { signature } = answer
  const jws = compactJws(signed, identity.isDer === true ? derOf(signature) : signature)
  draft.journal.push({
    ...{ id: input.tools.newId(), kind: letter, number, scuId: scu.id, content: jws },
    certificate: { fingerprint: certificate.fingerprint, entry: certificate },
  })
  return { kind: 'document', jws, payload, showsExcerpt: identity.showsExcerpt }
}

type Signed = Awaited<ReturnType<JwsDevice['sign']>>

/**
 * A unit with a fault script may answer wrongly; without one it is right by construction, or it was
 * verified by the driver of the service that made it. `data`: what is to be verified.
 */
function faultOf(
  { signature, certificate: used }: Signed,
  { certificate, data }: { certificate: Signed['certificate']; data: Buffer | undefined },
): string | undefined {
  if (!used.fingerprint.equals(certificate.fingerprint)) {
    return 'the unit has another certificate than a moment ago'
  }
  if (signature.length !== SIGNATURE_BYTES) return `the signature has ${signature.length} bytes`
  if (data === undefined || verifies(data, { signature, certificate })) return undefined
  return 'the signature does not verify with the certificate'
}

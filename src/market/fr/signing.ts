// Signs a document with the first unit that can, and moves its chain on.
import { DeviceError, shownUnit } from '../../device/device.js'
import { verifies } from '../../device/es256.js'
import type { JwsDevice, JwsIdentity } from '../../device/jws.js'
import { SIGNATURE_BYTES } from '../../device/rksv.js'
import type { Unit } from '../contract.js'
import { compactJws, signingInput } from '../kit/jws.js'
import { type Refusal, refuse } from '../kit/refusal.js'
import { limitMs, usable } from '../kit/unit-mode.js'
import { chainValue, HEADER, type Members, payloadText } from './payload.js'
import { chainOf, type QueueConfiguration } from './queue.js'
import type { FrDraft } from './receipt-draft.js'
import type { Letter } from './rows.js'
import { refusals } from './text.js'

/** What a document says, as soon as it is known who signs it. */
export type Wanted = (identity: JwsIdentity, identification: string) => Members

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
  wanted: Wanted,
): Promise<Document | Refusal> {
  const reasons: string[] = []
  for (const unit of usable(draft.input.units)) {
    try {
      return await attempt(draft, { letter, wanted, unit })
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
      reasons.push(`${shownUnit(unit.scu)}: ${error.message}`)
    }
  }
  return refuse(reasons.length === 0 ? refusals.noUnit : refusals.unitFailed(reasons.join('; ')))
}

interface Try {
  letter: Letter
  wanted: Wanted
  unit: Unit<JwsDevice>
}

async function attempt(draft: FrDraft, { letter, wanted, unit }: Try): Promise<Document> {
  const { state, input } = draft
  const { 'scu-timeout-ms': common } = input.queue.configuration as QueueConfiguration
  const left = () => ({ timeoutMs: limitMs(unit.scu, common) - input.tools.elapsedMs() })
  const identity = await unit.device.identity(left())
  const chain = chainOf(state, letter)
  const number = chain.number + 1
  const identification = `${draft.identification}${letter}${number}`
  const payload = payloadText(wanted(identity, identification))
  const signed = signingInput(HEADER, payload)
  const signature = await signatureOf(unit, { data: Buffer.from(signed), identity, left })
  const jws = compactJws(signed, signature)
  state.chains = { ...state.chains, [letter]: { ...chain, number, lastHash: chainValue(signed) } }
  state.siret = identity.siret
  state.certificateSerialNumber = identity.serialHex
  state.scuId = unit.scu.id
  draft.identification = identification
  const { certificate } = identity
  draft.journal.push({
    id: input.tools.newId(),
    kind: letter,
    number,
    scuId: unit.scu.id,
    certificate: { fingerprint: certificate.fingerprint, entry: certificate },
    content: jws,
  })
  return { kind: 'document', jws, payload, showsExcerpt: identity.showsExcerpt }
}

interface Call {
  data: Buffer
  identity: JwsIdentity
  left(): { timeoutMs: number }
}

/**
 * A unit with a fault script may answer wrongly; without one it is right by construction, or it was
 * verified by the driver of the service that made it.
 */
async function signatureOf(
  { scu, device }: Unit<JwsDevice>,
  { data, identity: { certificate }, left }: Call,
): Promise<Buffer> {
  // before the call: the last step of a script takes the script away
  const isScripted = scu.faultScript !== null
  const { signature, certificate: used } = await device.sign(data, left())
  if (!used.fingerprint.equals(certificate.fingerprint)) {
    throw new DeviceError('the unit has another certificate than a moment ago')
  }
  if (signature.length !== SIGNATURE_BYTES) {
    throw new DeviceError(`the signature has ${signature.length} bytes`)
  }
  if (isScripted && !verifies(data, { signature, certificate })) {
    throw new DeviceError('the signature does not verify with the certificate')
  }
  return signature
}

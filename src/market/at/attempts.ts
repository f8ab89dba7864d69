// Tries the signing units of a queue in order, round by round, as long as a till can wait.
import { DeviceError, shownUnit } from '../../device/device.js'
import { type RksvDevice, type RksvSignature, SIGNATURE_BYTES } from '../../device/rksv.js'
import type { Unit } from '../contract.js'
import { isUsed, kindOf, limitMs } from '../kit/unit-mode.js'
import { verifies } from './devices/verify.js'
import { machineCode, signingInput } from './payload.js'
import type { ReceiptDraft } from './receipt-draft.js'

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

/** Units in use, normal ones first; among equals the configured order holds. */
function usable(slots: readonly Slot[]): Slot[] {
  return slots.filter(({ scu }) => isUsed(scu)).sort((a, b) => kindOf(a.scu) - kindOf(b.scu))
}

/** Signs the body of a code with the first unit that can, and remembers which one that was. */
export async function trySigners(draft: ReceiptDraft, body: string): Promise<Attempts> {
  const slots = usable(draft.input.units)
  const reasons = new Map<string, string>()
  const clock = stopwatch(draft)
  for (const index of candidates(slots, draft)) {
    const slot = slots[index]
    if (slot === undefined || clock.left(slot) <= 0) continue
    try {
      const signed = await attempt(draft, { slot, body, left: () => clock.left(slot) })
      draft.state.activeScu = index
      return { signed, reasons: textOf(reasons) }
    } catch (error) {
      // whatever a device does wrong is a failed try, never an error of the receipt
      reasons.set(shownUnit(slot.scu), error instanceof Error ? error.message : String(error))
    }
  }
  return { signed: undefined, reasons: textOf(reasons) }
}

function textOf(reasons: ReadonlyMap<string, string>): string {
  if (reasons.size === 0) return ''
  return [...reasons].map(([scu, reason]) => `${scu}: ${reason}`).join('; ')
}

/**
 * Places of the units to try. Every round goes once around, starting with the unit in use; the
 * first one leaves out backups when it starts with a normal unit.
 */
function* candidates(
  slots: readonly Slot[],
  { state, configuration }: ReceiptDraft,
): Generator<number> {
  const first = slots.length === 0 ? 0 : state.activeScu % slots.length
  const starter = slots[first]
  if (starter === undefined) return
  const rounds = configuration['scu-max-retries'] + 1
  for (let round = 0; round < rounds; round += 1) {
    const normalOnly = round === 0 && !isBackup(starter)
    for (let step = 0; step < slots.length; step += 1) {
      const index = (first + step) % slots.length
      const slot = slots[index]
      if (slot === undefined || (normalOnly && isBackup(slot))) continue
      yield index
    }
  }
}

interface Stopwatch {
  /** Milliseconds that this unit may still take. */
  left(slot: Slot): number
}

function stopwatch({ input, configuration }: ReceiptDraft): Stopwatch {
  const start = input.tools.elapsedMs()
  return {
    left: ({ scu }) =>
      limitMs(scu, configuration['scu-timeout-ms']) - (input.tools.elapsedMs() - start),
  }
}

interface Try {
  slot: Slot
  body: string
  left(): number
}

/** One try: whose signature it will be, the signature, and whether it can be believed. */
async function attempt({ state }: ReceiptDraft, { slot, body, left }: Try): Promise<Signed> {
  const { device } = slot
  const { zda, serialHex } = await device.identity({ timeoutMs: left() })
  const code = machineCode(body, { zda, serialHex, chain: state.lastSignatureHash })
  const input = signingInput(code)
  const data = Buffer.from(input, 'latin1')
  const doubted = device.mustVerify()
  const timeoutMs = left()
  if (timeoutMs <= 0) throw new DeviceError('no time left')
  const answer = await device.sign(data, { timeoutMs })
  if (answer.signature.length !== SIGNATURE_BYTES) {
    throw new DeviceError(`the signature has ${answer.signature.length} bytes`)
  }
  if (answer.serialHex !== serialHex || answer.zda !== zda) {
    throw new DeviceError('the certificate changed while signing')
  }
  if (doubted && !verifies(data, answer)) {
    throw new DeviceError('the signature does not verify with the certificate')
  }
  return {
    signature: answer.signature,
    zda,
    serialHex,
    certificate: answer.certificate,
    slot,
    code,
    input,
  }
}

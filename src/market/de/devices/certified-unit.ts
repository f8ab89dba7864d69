// What drivers of certified devices have in common: who the device is is kept in its row, another
// one is refused, and only what verifies is believed.
import { DeviceError, type DriverTools, type ScuHead, UnitBroken } from '../../../device/device.js'
import { mayUse, type UnitDescription, type UnitEnvironment } from '../../../device/driver.js'
import type { Operation } from '../../../device/tse/log-message.js'
import {
  type LogMessage,
  type TransactionCall,
  TSE_STATES,
  type TseIdentity,
  type TseSignature,
} from '../../../device/tse/tse.js'
import { type CertifiedState, readCertified, writeCertified } from './certified-state.js'
import { provenMessage } from './remote-proof.js'

export class CertifiedUnit {
  readonly scu: ScuHead
  readonly tools: DriverTools
  private readonly logs: LogMessage[] = []
  /** What the row says and the text that it was read from. */
  private read: { text: string; state: CertifiedState } | undefined

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
  }

  state(): CertifiedState {
    const { state: text } = this.scu
    if (this.read?.text !== text) this.read = { text, state: readCertified(text) }
    return this.read.state
  }

  /** Throws DeviceError while the device was never reached. */
  identity(): TseIdentity {
    const { identity } = this.state()
    if (identity !== undefined) return identity
    throw new DeviceError('the device was never reached: nobody knows who it is')
  }

  change(changes: Partial<CertifiedState>): void {
    const text = writeCertified({ ...this.state(), ...changes })
    if (text === this.scu.state) return
    this.scu.state = text
    this.scu.changed = true
  }

  /**
   * A unit is one device for its whole life. Throws UnitBroken for another one, and for one for
   * tests where receipts count or the other way round.
   */
  meet(identity: TseIdentity, environment: UnitEnvironment): void {
    const known = this.state().identity?.serialHex
    if (known !== undefined && known !== identity.serialHex) {
      throw new UnitBroken('another device answers than the one of this signing unit')
    }
    // kept even where it is refused: somebody may want to know what it is
    this.change({ identity, environment })
    const { production } = this.tools
    if (production !== undefined && !mayUse(environment, production)) {
      const server = production ? 'a server in production' : 'a sandbox'
      throw new UnitBroken(
        `${server} does not use a device whose environment is ${environment}: see scu check`,
      )
    }
  }

  /** Only what verifies is believed; the log message goes into the journal. */
  proven(operation: Operation, call: TransactionCall, signed: TseSignature): TseSignature {
    this.logs.push(provenMessage(this.identity(), { operation, call, ...signed }))
    return signed
  }

  takeLogs(): LogMessage[] {
    return this.logs.splice(0)
  }
}

/** For a proof: a device that this server would not use is asked as well. */
export function unjudged({ production: _, ...tools }: DriverTools): DriverTools {
  return tools
}

/** For status exports, from the row alone. */
export async function describeCertified({ state }: ScuHead): Promise<UnitDescription> {
  const { identity } = readCertified(state)
  const certificateBase64 = identity?.certificate.der.toString('base64') ?? ''
  return { certificateBase64, serial: identity?.serialHex ?? '', members: { ZDA: '' } }
}

export function moduleOf({ state }: ScuHead): { state: number; certificationId: string | null } {
  const { identity } = readCertified(state)
  return {
    state: identity === undefined ? TSE_STATES.uninitialized : TSE_STATES.initialized,
    certificationId: identity?.certificationId ?? null,
  }
}

// The TSE emulator: a signing unit inside this server, with scripted failures, never certified.
// For tests, integrators and the sandbox; production refuses it unless told otherwise.
import { createPrivateKey, createVerify, X509Certificate } from 'node:crypto'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../../device/device.js'
import type { Driver, NewScu } from '../../device/driver.js'
import { readElements } from '../../device/tse/der.js'
import { PROFILES } from '../../device/tse/profile.js'
import type {
  FinishSignature,
  LogMessage,
  MemoryExport,
  TransactionCall,
  Tse,
  TseIdentity,
  TseInfo,
  TseSignature,
  TseState,
} from '../../device/tse/tse.js'
import { type FaultStep, takeFault } from '../faults.js'
import { opening } from '../opened.js'
import { makeCertificates } from './certificates.js'
import { type CallName, clockShift, FAULTS, losesAnswer, refuse } from './faults.js'
import { unlocked } from './pins.js'
import { type OpenedUnit, SecurityModule, type Transaction } from './security-module.js'
import { configuration, readSecrets, readSettings, secretsText, settingsText } from './settings.js'
import { newState, readState, stateText } from './state.js'
import { identityOf, memoryOf } from './unit.js'

type CreateInput = Parameters<Driver<Tse>['create']>[0]

const PIN_BYTES = 12

async function create({ configuration: given, now, randomBytes }: CreateInput): Promise<NewScu> {
  const settings = configuration.parse(given ?? {})
  const { profile, certificateValidUntil } = settings
  const { privateKeyPkcs8, certificates } = await makeCertificates({
    profile: PROFILES[profile],
    now,
    validUntil: certificateValidUntil === undefined ? undefined : new Date(certificateValidUntil),
    randomBytes,
  })
  const newPin = () => randomBytes(PIN_BYTES).toString('base64url')
  return {
    configuration: settingsText(settings, certificates),
    secrets: secretsText({
      privateKeyPkcs8Base64: privateKeyPkcs8.toString('base64'),
      adminPin: settings.adminPin ?? newPin(),
      timeAdminPin: settings.timeAdminPin ?? newPin(),
    }),
    state: stateText(newState()),
  }
}

// ------------------------------------------------------------------------ device

/** What a call changes is none of these texts. */
const openUnit = opening(({ secrets, configuration }) => [secrets, configuration], readUnit)

function readUnit(scu: ScuHead): OpenedUnit {
  const settings = readSettings(scu.configuration)
  const secrets = readSecrets(scu.secrets)
  const identity = identityOf(settings)
  const leaf = new X509Certificate(identity.certificate.der)
  return {
    settings,
    identity,
    key: createPrivateKey({
      key: Buffer.from(secrets.privateKeyPkcs8Base64, 'base64'),
      format: 'der',
      type: 'pkcs8',
    }),
    publicKey: leaf.publicKey,
    // a PIN that was put into the settings later stands beside the sealed one, and counts
    pins: {
      admin: settings.adminPin ?? secrets.adminPin,
      timeAdmin: settings.timeAdminPin ?? secrets.timeAdminPin,
      secret: secrets.privateKeyPkcs8Base64,
    },
    expires: Date.parse(leaf.validTo),
  }
}

type Numbered = TransactionCall & { transactionNumber: number }

class Emulator implements Tse {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly unit: OpenedUnit
  private readonly module: SecurityModule
  /** The text that the module's state was read from or written to. */
  private text: string

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
    this.unit = openUnit(scu)
    this.text = scu.state
    this.module = new SecurityModule(this.unit, readState(scu.state), this.world(undefined, false))
  }

  identity(): TseIdentity {
    return this.unit.identity
  }

  info(limit: CallLimit): Promise<TseInfo> {
    return this.call('info', limit, (module) => module.info())
  }

  startTransaction(call: TransactionCall, limit: CallLimit): Promise<TseSignature> {
    return this.sign('start', call, limit)
  }

  updateTransaction(call: Numbered, limit: CallLimit): Promise<TseSignature> {
    return this.sign('update', call, limit)
  }

  finishTransaction(call: Numbered, limit: CallLimit): Promise<FinishSignature> {
    return this.sign('finish', call, limit)
  }

  setState(state: TseState, limit: CallLimit): Promise<TseState> {
    return this.call('state', limit, (module) => module.setState(state))
  }

  registerClient(clientId: string, limit: CallLimit): Promise<string[]> {
    return this.call('register', limit, (module) => module.registerClient(clientId))
  }

  unregisterClient(clientId: string, limit: CallLimit): Promise<string[]> {
    return this.call('unregister', limit, (module) => module.unregisterClient(clientId))
  }

  setTime(limit: CallLimit): Promise<void> {
    return this.call('time', limit, (module) => module.setTime())
  }

  selfTest(limit: CallLimit): Promise<void> {
    return this.call('test', limit, (module) => module.selfTest())
  }

  exportMemory(erase: boolean, limit: CallLimit): Promise<MemoryExport> {
    return this.call(erase ? 'erase' : 'export', limit, (module) => module.exportMemory(erase))
  }

  takeLogs(): LogMessage[] {
    return this.module.logs.splice(0)
  }

  // ------------------------------------------------------------------------ inside

  private sign(
    name: 'start' | 'update' | 'finish',
    call: Transaction,
    limit: CallLimit,
  ): Promise<FinishSignature> {
    return this.call(name, limit, (module) => module[name](call))
  }

  private async call<T>(
    name: CallName,
    limit: CallLimit,
    work: (module: SecurityModule) => T,
  ): Promise<T> {
    const fault = takeFault(this.scu)
    if (fault === undefined) return this.worked(this.world(undefined, false), work)
    refuse(fault, name)
    const { timeoutMs } = limit
    if (fault.do === 'delay') await this.tools.sleep(Math.min(fault.ms ?? 0, timeoutMs))
    const lost = losesAnswer(fault, limit)
    const answer = this.worked(this.world(fault, lost), work)
    if (fault.do === 'error-after') throw new DeviceError('the answer was lost')
    if (fault.do === 'delay' && lost) {
      throw new DeviceError(`no answer within ${Math.round(timeoutMs)} ms`)
    }
    return this.checked(fault, answer)
  }

  /** Whatever happens, the row says what the device remembers. */
  private worked<T>(world: ReturnType<Emulator['world']>, work: (module: SecurityModule) => T): T {
    if (this.scu.state !== this.text) {
      this.module.state = readState(this.scu.state)
      this.text = this.scu.state
    }
    this.module.enter(world)
    try {
      return work(this.module)
    } finally {
      this.save()
    }
  }

  private save(): void {
    const text = stateText(this.module.state)
    if (text === this.text) return
    this.text = text
    this.scu.state = text
    this.scu.changed = true
  }

  private world(fault: FaultStep | undefined, lost: boolean) {
    const shift = clockShift(fault)
    return { clock: () => this.tools.now().getTime() + shift, lost }
  }

  /** A script may spoil an answer on its way; what is in the log is right all the same. */
  private checked<T>(fault: FaultStep, answer: T): T {
    if (fault.do === 'garbage') {
      throw new DeviceError('the answer of the device cannot be read')
    }
    if (fault.do !== 'wrong-signature' || !isSigned(answer)) return answer
    const spoiled = { ...answer, signature: Buffer.from(answer.signature).reverse() }
    if (this.verifies(spoiled)) return spoiled
    throw new DeviceError('the signature does not verify with the certificate of the device')
  }

  private verifies({ signatureCounter, signature }: TseSignature): boolean {
    const message = this.module.logs.find((one) => one.signatureCounter === signatureCounter)
    if (message === undefined) return false
    const { hash, signatureBytes } = PROFILES[this.unit.settings.profile]
    const [outer] = readElements(message.der)
    const input = outer?.content.subarray(0, -(2 + signatureBytes)) ?? Buffer.alloc(0)
    const key = { key: this.unit.publicKey, dsaEncoding: 'ieee-p1363' } as const
    return createVerify(hash).update(input).verify(key, signature)
  }
}

function isSigned(answer: unknown): answer is FinishSignature {
  return typeof answer === 'object' && answer !== null && 'signature' in answer
}

export const emulator: Driver<Tse> = {
  configuration,
  create,
  open: (scu, tools) => new Emulator(scu, tools),
  reach: (scu, tools, limit) => new Emulator(scu, tools).info(limit),
  remote: false,
  stateful: true,
  software: true,
  faults: FAULTS,
  cleared: unlocked,
  async describe(scu) {
    const { certificate, serialHex } = identityOf(readSettings(scu.configuration))
    return {
      certificateBase64: certificate.der.toString('base64'),
      serial: serialHex,
      members: { ZDA: '' },
    }
  },
  memory: memoryOf,
  module: ({ configuration: text, state }) => ({
    state: readState(state).state,
    certificationId: identityOf(readSettings(text)).certificationId,
  }),
}

// A TSE emulator as its SCU row describes it: identity, limits, what it says about itself.
import { X509Certificate } from 'node:crypto'
import { LOG_TIME_FORMAT, PROFILES } from '../../device/tse/profile.js'
import type { TseIdentity, TseInfo } from '../../device/tse/tse.js'
import { sha256 } from '../../lib/hash.js'
import { keySerial, pointOf } from './certificates.js'
import type { StoredSettings } from './settings.js'
import type { ModuleState } from './state.js'

/** Package under which the driver is configured. */
export const EMULATOR_PACKAGE = 'fiskalwerk.SCU.DE.Software'

/** Never a number that a certified device could have. */
const CERTIFICATION_ID = 'EMULATOR-NOT-CERTIFIED'
export const FIRMWARE_VERSION = '1.0.0'
const FIRMWARE_ID = `fiskalwerk TSE emulator ${FIRMWARE_VERSION} (not certified)`

/** Throws for settings whose certificates cannot be read. */
export function identityOf(settings: StoredSettings): TseIdentity {
  const [der, ...chain] = settings.certificatesBase64.map((text) => Buffer.from(text, 'base64'))
  if (der === undefined) throw new Error('a TSE has no certificate')
  const leaf = new X509Certificate(der)
  return {
    serialHex: keySerial(leaf).toString('hex'),
    algorithm: PROFILES[settings.profile].algorithm,
    logTimeFormat: LOG_TIME_FORMAT,
    publicKey: pointOf(leaf.publicKey),
    certificationId: CERTIFICATION_ID,
    certificate: { fingerprint: sha256(der), der, chain },
  }
}

export interface InfoInput {
  identity: TseIdentity
  settings: StoredSettings
  state: ModuleState
}

export function infoOf({ identity, settings, state }: InfoInput): TseInfo {
  return {
    identity,
    state: state.state,
    firmwareId: FIRMWARE_ID,
    maxClients: settings.maxClients,
    clientIds: [...state.clients],
    maxOpenTransactions: settings.maxOpenTransactions,
    openTransactions: state.open.map(({ number }) => number),
    maxSignatures: settings.maxSignatures,
    signatures: state.counter,
    maxLogMemory: settings.maxLogMemory,
    logMemory: state.memory,
  }
}

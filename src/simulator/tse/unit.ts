// A TSE emulator as its SCU row describes it: identity, limits, what it says about itself.
import { X509Certificate } from 'node:crypto'
import { LOG_TIME_FORMAT, PROFILES } from '../../device/tse/profile.js'
import { keySerial, pointOf } from '../../device/tse/public-point.js'
import { TSE_STATES, type TseIdentity, type TseInfo } from '../../device/tse/tse.js'
import { sha256 } from '../../lib/hash.js'
import type { UnitMemory } from '../../model/scu.js'
import { readSettings, type StoredSettings } from './settings.js'
import { type ModuleState, memoryRanges, readState } from './state.js'

/** Never a number that a certified device could have. */
const CERTIFICATION_ID = 'EMULATOR-NOT-CERTIFIED'
const FIRMWARE_VERSION = '1.0.0'
const FIRMWARE_ID = `fiskalwerk TSE emulator ${FIRMWARE_VERSION} (not certified)`

/** info.csv of its exports. No comma in a value: there are checkers that part lines at each. */
export const INFO_CSV = Buffer.from(
  '"description:","TSE emulator (not certified)","manufacturer:","fiskalwerk",' +
    `"version:","${FIRMWARE_VERSION}"\n`,
)

/** What an export reads in the memory, without a call. Throws for texts that cannot be read. */
export function memoryOf(unit: { configuration: string; state: string }): UnitMemory {
  const state = readState(unit.state)
  return {
    held: memoryRanges(state),
    erasedUpTo: state.from - 1,
    isUsed: state.state !== TSE_STATES.uninitialized,
    info: INFO_CSV,
    certificate: () => identityOf(readSettings(unit.configuration)).certificate,
  }
}

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

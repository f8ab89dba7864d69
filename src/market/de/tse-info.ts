// TseInfo as the German signing-device interface writes it, for ftStateData.
// Called by the receipts that have to show the state of the TSE.
import { ask } from './device-calls.js'
import type { TseInfo } from './tse/tse.js'
import type { TseSlot, Turn } from './turn.js'

export function tseInfoJson(info: TseInfo): Record<string, unknown> {
  const { identity } = info
  const { der, chain } = identity.certificate
  return {
    MaxNumberOfClients: info.maxClients,
    CurrentNumberOfClients: info.clientIds.length,
    CurrentClientIds: info.clientIds,
    MaxNumberOfStartedTransactions: info.maxOpenTransactions,
    CurrentNumberOfStartedTransactions: info.openTransactions.length,
    CurrentStartedTransactionNumbers: info.openTransactions,
    MaxNumberOfSignatures: info.maxSignatures,
    CurrentNumberOfSignatures: info.signatures,
    MaxLogMemorySize: info.maxLogMemory,
    CurrentLogMemorySize: info.logMemory,
    CurrentState: info.state,
    FirmwareIdentification: info.firmwareId,
    CertificationIdentification: identity.certificationId,
    SignatureAlgorithm: identity.algorithm,
    LogTimeFormat: identity.logTimeFormat,
    SerialNumberOctet: identity.serialHex,
    PublicKeyBase64: identity.publicKey.toString('base64'),
    CertificatesBase64: [der, ...chain].map((one) => one.toString('base64')),
    Info: {},
  }
}

/** Adds the TSE's state to ftStateData. Throws DeviceError when it does not tell. */
export async function addTseInfo(turn: Turn, slot: TseSlot): Promise<TseInfo> {
  const info = await ask(turn, slot, (device, limit) => device.info(limit))
  turn.stateData = { ...turn.stateData, TseInfo: tseInfoJson(info) }
  return info
}

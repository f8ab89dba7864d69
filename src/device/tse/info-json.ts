// TseInfo as the German signing-device interface writes it (fiskaltrust.ifPOS v1, de). Called for
// ftStateData, action journals and the status exports.
import type { TseInfo } from './tse.js'

/** Members in the order of the model; writers of JSON need nothing else to know about it. */
export function tseInfoJson(info: TseInfo): Record<string, unknown> {
  const { identity } = info
  const { certificate } = identity
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
    CertificatesBase64: [certificate.der, ...certificate.chain].map((der) =>
      der.toString('base64'),
    ),
    Info: {},
  }
}

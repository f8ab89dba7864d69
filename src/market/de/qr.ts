// The QR code of a German receipt, version V0 (DSFinV-K 2.2, annex I). Called when a receipt is
// answered.
import type { FinishSignature, TseIdentity } from './tse/tse.js'

export interface QrInput {
  clientId: string
  processType: string
  /** Of the finish. */
  processData: Buffer | string
  finish: FinishSignature
  identity: TseIdentity
}

/** Twelve fields between semicolons; nothing is escaped, as the annex has it. */
export function qrText({ clientId, processType, processData, finish, identity }: QrInput): string {
  return [
    'V0',
    clientId,
    processType,
    processData.toString('utf8'),
    finish.transactionNumber,
    finish.signatureCounter,
    finish.startMoment.toISOString(),
    finish.moment.toISOString(),
    identity.algorithm,
    identity.logTimeFormat,
    finish.signature.toString('base64'),
    identity.publicKey.toString('base64'),
  ].join(';')
}

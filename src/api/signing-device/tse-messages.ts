// Messages of the German signing-device interface as they are on the wire: names in any case. The
// API page is made from the same schemas.
import { z } from 'zod'
import { fail } from '../../errors.js'
import { bytesOfBase64 } from '../../lib/base64.js'
import { JsonNumber } from '../../lib/json.js'
import { DATA_LIMIT, type MessageForm, readMessage } from './messages.js'

const count = z.int().min(0)
const clientId = z.string().min(1).max(100).describe('Serial number of the register.')
const isRetry = z
  .boolean()
  .nullish()
  .describe('The same call was sent before: it is answered as the first time, and done once.')
const transaction = z.object({
  ClientId: clientId,
  ProcessType: z.string().max(100).nullish().describe('Kassenbeleg-V1 …; empty at a start.'),
  ProcessDataBase64: z.string().nullish().describe('Base64 of what is signed; 64 KiB decoded.'),
  QueueItemId: z.string().min(1).max(100).describe('By which a repeated call is known.'),
  IsRetry: isRetry,
})
const TransactionNumber = count.describe('As the start has told it.')

export const startRequest = transaction.meta({ id: 'tse.StartTransaction' })
export const numberedRequest = transaction
  .extend({ TransactionNumber })
  .meta({ id: 'tse.Transaction' })
export const clientRequest = z.object({ ClientId: clientId }).meta({ id: 'tse.Client' })
export const stateRequest = z
  .object({ CurrentState: z.int().min(0).max(2).describe('0 uninitialized, 1 in use, 2 ended.') })
  .meta({ id: 'tse.State' })
export const noRequest = z.object({}).meta({ id: 'tse.Nothing' })
export const exportRequest = z
  .object({
    ClientId: z.string().max(100).nullish().describe('Not looked at: the whole memory comes.'),
    Erase: z.boolean().nullish().describe('What was exported is to be erased at the end.'),
  })
  .meta({ id: 'tse.StartExport' })
const TokenId = z.guid().describe('Of the export session.')
export const partRequest = z
  .object({
    TokenId,
    MaxChunkSize: count.nullish().describe('Bytes; 0: as many as the server gives at once.'),
  })
  .meta({ id: 'tse.ExportPart' })
export const endRequest = z
  .object({
    TokenId,
    Sha256ChecksumBase64: z.string().describe('Of all bytes that have arrived.'),
    Erase: z.boolean().nullish().describe('Nothing goes that has not arrived.'),
  })
  .meta({ id: 'tse.EndExport' })

const signed = z.object({
  TransactionNumber: count,
  TimeStamp: z.string().describe('Log time.'),
  TseTimeStampFormat: z.string(),
  TseSerialNumberOctet: z.string().describe('64 hexadecimal digits.'),
  ClientId: z.string(),
  ProcessType: z.string(),
  ProcessDataBase64: z.string(),
  SignatureData: z.object({
    SignatureCounter: count,
    SignatureAlgorithm: z.string(),
    SignatureBase64: z.string().describe('R and S.'),
    PublicKeyBase64: z.string(),
  }),
})
export const signedAnswer = signed.meta({ id: 'tse.Signed' })
export const finishAnswer = signed
  .extend({ StartTransactionTimeStamp: z.string() })
  .meta({ id: 'tse.Finished' })
export const clientsAnswer = z
  .object({ ClientIds: z.array(z.string()) })
  .meta({ id: 'tse.Clients' })
export const infoAnswer = z
  .looseObject({ CurrentState: z.int(), SerialNumberOctet: z.string() })
  .meta({ id: 'tse.Info' })
export const exportAnswer = z
  .object({ TokenId, TseSerialNumberOctet: z.string() })
  .meta({ id: 'tse.ExportStarted' })
export const partAnswer = z
  .object({
    TokenId,
    TarFileByteChunkBase64: z.string(),
    TarFileEndOfFile: z.boolean(),
    TotalTarFileSizeAvailable: z.boolean(),
    TotalTarFileSize: count,
  })
  .meta({ id: 'tse.ExportedPart' })
export const endAnswer = z
  .object({ TokenId, IsValid: z.boolean(), IsErased: z.boolean() })
  .meta({ id: 'tse.ExportEnded' })

const FORM: MessageForm = {
  plain: (member) => (member instanceof JsonNumber ? Number(member.text) : member),
  expected: (issue, isMissing) => (isMissing ? 'a value' : (issue?.message ?? 'another value')),
}

export const readTse = <T extends z.ZodRawShape>(schema: z.ZodObject<T>, body: unknown) =>
  readMessage(schema, body, FORM)

/** What a call of a transaction says, as a device takes it. */
export function transactionOf(call: z.infer<typeof startRequest>) {
  const processData = bytesOfBase64(call.ProcessDataBase64 ?? '')
  const field = 'ProcessDataBase64'
  if (processData === undefined) throw fail('FIELD_INVALID', { field, expected: 'Base64' })
  if (processData.length > DATA_LIMIT) {
    throw fail('FIELD_INVALID', { field, expected: `at most ${DATA_LIMIT} bytes of data` })
  }
  return {
    clientId: call.ClientId,
    processType: call.ProcessType ?? '',
    processData,
    queueItemId: call.QueueItemId,
    isRetry: call.IsRetry === true,
  }
}

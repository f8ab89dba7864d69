// Routes of the German signing-device interface (fiskaltrust.ifPOS v1, de): what each takes and
// answers, and what answers it.
import type { z } from 'zod'
import type { ErrorCode } from '../../errors.js'
import { json } from '../shared/openapi/parts.js'
import type { ApiRoute } from '../shared/openapi/route.js'
import { BODY, CALLER, SECURITY, type SigningRow } from './parts.js'
import type { Handle } from './rest.js'
import {
  clientRequest,
  clientsAnswer,
  endAnswer,
  endRequest,
  exportAnswer,
  exportRequest,
  finishAnswer,
  infoAnswer,
  noRequest,
  numberedRequest,
  partAnswer,
  partRequest,
  signedAnswer,
  startRequest,
  stateRequest,
} from './tse-messages.js'
import { tseHandlers } from './tse-rest.js'

export const TSE_TAG = 'Security device'
export const TSE_BASE = '/api/v0/idesscd'

const DEVICE: readonly ErrorCode[] = [
  ...CALLER,
  ...(['DEVICE_REFUSED', 'DEVICE_UNANSWERED', 'DEVICE_FAILED'] as const),
  ...(['SOFTWARE_DEVICE', 'UNIT_ENVIRONMENT'] as const),
]
const CALL: readonly ErrorCode[] = [...DEVICE, ...BODY]
const WANTED: readonly ErrorCode[] = [...CALL, 'FIELD_MISSING']

interface Row {
  name: string
  title: string
  text: string
  takes?: z.ZodType
  example?: object
  gives: z.ZodType
  refusals: readonly ErrorCode[]
  handle: Handle
}

const ITEM = { ClientId: 'KASSE-0001', QueueItemId: 'item-1', IsRetry: true }
const TOKEN = { TokenId: '0198a5a2-6d1c-7c52-9a0f-64ad5d7a9c11' }
const NOTHING = { ProcessType: '', ProcessDataBase64: '' }
const RECEIPT = { ProcessType: 'Kassenbeleg-V1', ProcessDataBase64: 'QmVsZWdeMF4x' }

const ROWS: readonly Row[] = [
  {
    ...{ name: 'tseinfo', title: 'Info', gives: infoAnswer, refusals: DEVICE },
    text: 'Who the device is, and how full it is.',
    handle: tseHandlers.info,
  },
  {
    ...{ name: 'starttransaction', title: 'Start a transaction', takes: startRequest },
    text: 'A repeated call (`IsRetry`) gets the first answer: an item has one transaction.',
    ...{ example: { ...ITEM, ...NOTHING }, gives: signedAnswer, refusals: WANTED },
    handle: tseHandlers.start,
  },
  {
    ...{ name: 'updatetransaction', title: 'Update a transaction', takes: numberedRequest },
    ...{ text: 'Signs what it was told.', gives: signedAnswer, refusals: WANTED },
    example: { ...ITEM, ...RECEIPT, TransactionNumber: 1 },
    handle: tseHandlers.update,
  },
  {
    ...{ name: 'finishtransaction', title: 'Finish a transaction', takes: numberedRequest },
    text: 'A repeated call gets the first answer, also when the transaction is closed by then.',
    ...{ gives: finishAnswer, refusals: WANTED },
    example: { ...ITEM, ...RECEIPT, TransactionNumber: 1 },
    handle: tseHandlers.finish,
  },
  {
    ...{ name: 'tsestate', title: 'Change the state', takes: stateRequest, gives: stateRequest },
    text: 'Answers with the state afterwards. A device that was ended signs never again.',
    ...{ example: { CurrentState: 1 }, refusals: WANTED, handle: tseHandlers.state },
  },
  {
    ...{ name: 'registerclientid', title: 'Register a register', takes: clientRequest },
    ...{ text: 'Answers with all of them.', gives: clientsAnswer, refusals: WANTED },
    ...{ example: { ClientId: ITEM.ClientId }, handle: tseHandlers.register },
  },
  {
    ...{ name: 'unregisterclientid', title: 'Take a register off', takes: clientRequest },
    ...{ text: 'Answers with those that are left.', gives: clientsAnswer, refusals: WANTED },
    ...{ example: { ClientId: ITEM.ClientId }, handle: tseHandlers.unregister },
  },
  {
    ...{ name: 'executesettsetime', title: 'Set the time', takes: noRequest, gives: noRequest },
    text: 'To that of the server that holds the device.',
    ...{ example: {}, refusals: CALL, handle: tseHandlers.time },
  },
  {
    ...{ name: 'executeselftest', title: 'Self test', takes: noRequest, gives: noRequest },
    text: 'Where the device has one.',
    ...{ example: {}, refusals: CALL, handle: tseHandlers.test },
  },
  {
    ...{ name: 'startexportsession', title: 'Begin an export', takes: exportRequest },
    text:
      'Of the whole memory. One that was erased from the device and never ended comes again ' +
      'before any other.',
    ...{ example: { ClientId: '', Erase: true }, gives: exportAnswer, refusals: CALL },
    handle: tseHandlers.startExport,
  },
  {
    ...{ name: 'exportdata', title: 'Next part of an export', takes: partRequest },
    text: 'A TAR (BSI TR-03153) in base64. Each call gives the bytes behind those before.',
    ...{ example: { ...TOKEN, MaxChunkSize: 0 }, gives: partAnswer },
    refusals: [...WANTED, 'EXPORT_SESSION_UNKNOWN'],
    handle: tseHandlers.exportPart,
  },
  {
    ...{ name: 'endexportsession', title: 'End an export', takes: endRequest, gives: endAnswer },
    text:
      'With the checksum of what has arrived. `IsErased` is false where messages came meanwhile: ' +
      'they stay for the next export with all others.',
    example: { ...TOKEN, Sha256ChecksumBase64: 'AA==', Erase: true },
    refusals: [...WANTED, 'EXPORT_SESSION_UNKNOWN'],
    handle: tseHandlers.endExport,
  },
]

export const tseRows: readonly SigningRow[] = ROWS.map(rowOf)

function rowOf({ name, title, text, takes, example, gives, refusals, handle }: Row): SigningRow {
  const body = takes === undefined ? {} : { body: json(takes, { call: example ?? {} }) }
  const route: ApiRoute = {
    ...{ id: name, title, text, tag: TSE_TAG, security: SECURITY, refusals },
    method: takes === undefined ? 'GET' : 'POST',
    path: `${TSE_BASE}/v1/${name}`,
    ...body,
    success: { 200: { text: 'Done.', content: json(gives) } },
  }
  return { route, name: `v1/${name}`, handle }
}

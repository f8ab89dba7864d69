// Echo, Sign and Journal of group B as functions of a message: the same core as REST and SOAP.
import { fail } from '../../../errors.js'
import { isUuid } from '../../../lib/id.js'
import { LARGE, nextTurn } from '../../../lib/slices.js'
import {
  type DecodedRequest,
  decodeObjectInSlices,
  decodeRequestObject,
} from '../../../model/receipt-json.js'
import { encodeRequest } from '../../../model/response-json.js'
import { decodeResponse } from '../../../model/stored-texts.js'
import type { CallOrigin } from '../../shared/caller.js'
import { type Caller, callerAtOnce, callerOf } from '../auth.js'
import type { MiddlewareDeps } from '../deps.js'
import { journal } from '../journal.js'
import { type ReadReceipt, sign } from '../sign.js'
import { piecesOf } from './chunks.js'
import type { Contract } from './contract.js'
import { readMessage, responseWriter, textIn, writeEcho } from './messages.js'

/** A call whose message is here. */
export interface GrpcCall {
  origin: CallOrigin
  message: Buffer
}

export interface Operations {
  echo(call: GrpcCall): Promise<Buffer>
  /** undefined where a receipt request finds nothing. */
  sign(call: GrpcCall): Promise<Buffer | undefined>
  /** Its bytes in pieces. Has begun: what fails at once is refused before the stream. */
  journal(call: GrpcCall & { leaving: AbortSignal }): Promise<AsyncIterable<Buffer>>
}

export function operationsOf(deps: MiddlewareDeps, contract: Contract): Operations {
  const receipts = contract.shape('ReceiptRequest')
  const echoes = contract.shape('EchoRequest')
  const journals = contract.shape('JournalRequest')
  const writeResponse = responseWriter(contract)
  return {
    echo: async ({ origin, message }) => {
      const asks = deps.authentication || queueOf(origin) !== undefined
      const caller = asks ? await callerOf(deps, known(origin)) : undefined
      const text = textIn(readMessage(message, echoes), 'Message')
      // nothing to say back: the configuration is read anew
      if (text === null) await deps.refresh(caller?.access)
      return writeEcho(text)
    },
    sign: async ({ origin, message }) => {
      // who may not sign is told so before anything about the message
      const named = known(origin)
      const remembered = callerAtOnce(deps, named)
      const asked = deps.authentication && remembered === undefined
      const early = asked ? await callerOf(deps, named) : remembered
      const { request, root } =
        message.length < LARGE
          ? decodeRequestObject(readMessage(message, receipts))
          : await largeRequest(message, receipts)
      const receipt = {
        ...{ request, root, wcfDates: false, tellsMissing: false },
        ...encodeRequest(request),
      }
      const full = () => callerOf(deps, byReceipt(origin, receipt), request)
      // the queue that the receipt names counts more than that of the metadata
      const chosen = (caller: Caller): Caller =>
        request.queueId === null ? caller : { ...caller, pathQueue: undefined }
      const answer = await sign(deps, origin, {
        version: 'v1',
        caller: chosen(early ?? (await full())),
        again: async () =>
          chosen(await (deps.authentication ? callerOf(deps, known(origin)) : full())),
        read: () => receipt,
      })
      if (answer === undefined) return undefined
      return writeResponse(answer.response ?? decodeResponse(answer.responseText))
    },
    journal: async ({ origin, message, leaving }) => {
      const asked = readMessage(message, journals)
      const query = new Map([['type', textIn(asked, 'ftJournalType') ?? '0']])
      for (const name of ['From', 'To']) {
        query.set(name.toLowerCase(), textIn(asked, name) ?? '0')
      }
      const { body } = await journal(deps, known(origin), { query, leaving })
      return piecesOf(body, Number(textIn(asked, 'MaxChunkSize') ?? '0'))
    },
  }

  /** A name of a queue that is none is no path that is missing. */
  function known(origin: CallOrigin): CallOrigin {
    const queue = queueOf(origin)
    if (queue === undefined || isUuid(queue) || deps.aliases.has(queue.toLowerCase())) return origin
    throw fail('QUEUE_UNKNOWN', { queue })
  }

  /** Without credentials the ids of the receipt count more than those of the metadata. */
  function byReceipt(origin: CallOrigin, { request }: ReadReceipt): CallOrigin {
    const { cashBoxId, queueId } = request
    const headers = cashBoxId === null ? {} : { cashboxid: cashBoxId }
    const params = queueId === null ? known(origin).params : {}
    return { ...origin, headers: { ...origin.headers, ...headers }, params }
  }
}

/** Read in pieces, with turns of others between them. */
async function largeRequest(
  message: Buffer,
  shape: ReturnType<Contract['shape']>,
): Promise<DecodedRequest> {
  await nextTurn()
  const decoded = await decodeObjectInSlices(readMessage(message, shape))
  await nextTurn()
  return decoded
}

function queueOf({ params }: CallOrigin): string | undefined {
  return (params as { queue?: string }).queue
}

// The operations of the German signing-device interface over REST.
import type { z } from 'zod'
import { tseInfoJson } from '../../device/tse/info-json.js'
import type { TseState } from '../../device/tse/tse.js'
import { fail } from '../../errors.js'
import { dropExport, findExport, nextPart } from '../../store/rollout/served-exports.js'
import { boxOfHeaders } from '../shared/caller.js'
import type { Handle } from './rest.js'
import { ask, type Signed, transact, type Work } from './tse-device.js'
import { beginExport, eraseExported } from './tse-export.js'
import {
  clientRequest,
  endRequest,
  exportRequest,
  noRequest,
  numberedRequest,
  partRequest,
  readTse,
  startRequest,
  stateRequest,
  transactionOf,
} from './tse-messages.js'

/** A whole export in one part, where the caller wants no other size. */
const MOST_PART_BYTES = 32 * 1024 * 1024

export const tseHandlers = {
  start: async (deps, request) => {
    const box = await boxOfHeaders(deps, request)
    const given = readTse(startRequest, request.body)
    const call = transactionOf(given)
    const { isRetry } = call
    const key = `start ${call.clientId} ${call.queueItemId}`
    const done = await transact(deps, box, {
      ...{ key, isRetry },
      work: (tse, { limit }, again) => tse.startTransaction({ ...call, isRetry: again }, limit),
    })
    return signedJson(done, given)
  },
  update: numbered('update', (tse, call, limit) => tse.updateTransaction(call, limit)),
  finish: numbered('finish', (tse, call, limit) => tse.finishTransaction(call, limit)),
  info: asked(async (tse, { limit }) => tseInfoJson(await tse.info(limit))),
  state: async (deps, request) => {
    const box = await boxOfHeaders(deps, request)
    const { CurrentState } = readTse(stateRequest, request.body)
    return ask(deps, box, async (tse, { limit }) => ({
      CurrentState: await tse.setState(CurrentState as TseState, limit),
    }))
  },
  register: clients('registerClient'),
  unregister: clients('unregisterClient'),
  time: asked(async (tse, { limit }) => {
    await tse.setTime(limit)
    return {}
  }),
  test: asked(async (tse, { limit }) => {
    await tse.selfTest(limit)
    return {}
  }),
  startExport: async (deps, request) => {
    const box = await boxOfHeaders(deps, request)
    const { Erase } = readTse(exportRequest, request.body)
    return ask(deps, box, async (tse, served) => {
      const TokenId = await beginExport(deps, served, Erase === true)
      return { TokenId, TseSerialNumberOctet: tse.identity().serialHex }
    })
  },
  exportPart: async (deps, request) => {
    const box = await boxOfHeaders(deps, request)
    const { TokenId, MaxChunkSize } = readTse(partRequest, request.body)
    const most = Math.min(MaxChunkSize || MOST_PART_BYTES, MOST_PART_BYTES)
    const { found, unit } = await sessionOf(deps, box, TokenId)
    const next = await nextPart(deps.store, { ...unit, id: found.id }, most)
    if (next === undefined) throw fail('EXPORT_SESSION_UNKNOWN', { token: TokenId })
    return {
      TokenId,
      TarFileByteChunkBase64: next.part.toString('base64'),
      TarFileEndOfFile: next.isLast,
      TotalTarFileSizeAvailable: true,
      TotalTarFileSize: found.length,
    }
  },
  endExport: async (deps, request) => {
    const box = await boxOfHeaders(deps, request)
    const { TokenId, Sha256ChecksumBase64, Erase } = readTse(endRequest, request.body)
    const { found, unit } = await sessionOf(deps, box, TokenId)
    const IsValid = found.sha256.toString('base64') === Sha256ChecksumBase64
    if (!IsValid) return { TokenId, IsValid, IsErased: false }
    const erasesNow = Erase === true && !found.erased
    const isErasedNow = erasesNow && (await ask(deps, box, (_, now) => eraseExported(now, found)))
    await dropExport(deps.store, { ...unit, id: found.id })
    return { TokenId, IsValid, IsErased: found.erased || isErasedNow }
  },
} satisfies Record<string, Handle>

type Deps = Parameters<Handle>[0]
type Box = Parameters<typeof ask>[1]
type Numbered = ReturnType<typeof transactionOf> & { transactionNumber: number }

function asked(work: Work<object>): Handle {
  return async (deps, request) => {
    const box = await boxOfHeaders(deps, request)
    if (request.method !== 'GET') readTse(noRequest, request.body)
    return ask(deps, box, work)
  }
}

function clients(name: 'registerClient' | 'unregisterClient'): Handle {
  return async (deps, request) => {
    const box = await boxOfHeaders(deps, request)
    const { ClientId } = readTse(clientRequest, request.body)
    return ask(deps, box, async (tse, { limit }) => ({
      ClientIds: await tse[name](ClientId, limit),
    }))
  }
}

function numbered(
  name: 'update' | 'finish',
  work: (
    tse: Parameters<Work<unknown>>[0],
    call: Numbered,
    limit: Parameters<Work<unknown>>[1]['limit'],
  ) => Promise<Signed['signed']>,
): Handle {
  return async (deps, request) => {
    const box = await boxOfHeaders(deps, request)
    const given = readTse(numberedRequest, request.body)
    const { TransactionNumber: transactionNumber } = given
    const call = { ...transactionOf(given), transactionNumber }
    const { isRetry, clientId, queueItemId } = call
    // a transaction may be updated several times for one item: only its end is known again
    const key = name === 'update' ? '' : `finish ${transactionNumber} ${clientId} ${queueItemId}`
    const done = await transact(deps, box, {
      ...{ key, isRetry },
      work: (tse, { limit }, again) => work(tse, { ...call, isRetry: again }, limit),
    })
    return signedJson(done, given)
  }
}

async function sessionOf(deps: Deps, box: Box, token: string) {
  const unit = await ask(deps, box, async (_, served) => served.unit)
  const found = await findExport(deps.store, unit, token)
  if (found === undefined) throw fail('EXPORT_SESSION_UNKNOWN', { token })
  return { found, unit }
}

function signedJson({ identity, signed }: Signed, given: z.infer<typeof startRequest>): object {
  const { startMoment } = signed
  return {
    TransactionNumber: signed.transactionNumber,
    ...(startMoment === undefined ? {} : { StartTransactionTimeStamp: startMoment.toISOString() }),
    TimeStamp: signed.moment.toISOString(),
    TseTimeStampFormat: identity.logTimeFormat,
    TseSerialNumberOctet: identity.serialHex,
    ClientId: given.ClientId,
    ProcessType: given.ProcessType ?? '',
    ProcessDataBase64: given.ProcessDataBase64 ?? '',
    SignatureData: {
      SignatureCounter: signed.signatureCounter,
      SignatureAlgorithm: identity.algorithm,
      SignatureBase64: signed.signature.toString('base64'),
      PublicKeyBase64: identity.publicKey.toString('base64'),
    },
  }
}

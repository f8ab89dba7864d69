// The operations of the German signing-device interface over REST.
import type { z } from 'zod'
import { readTar, wholeTar } from '../../core/unit-tars.js'
import { tseInfoJson } from '../../device/tse/info-json.js'
import type { TseState } from '../../device/tse/tse.js'
import { fail } from '../../errors.js'
import { findTar, takeBytes } from '../../store/rollout/unit-tars.js'
import { boxOfHeaders } from '../shared/caller.js'
import type { Handle } from './rest.js'
import { ask, type Signed, transact, type Work } from './tse-device.js'
import { beginExport, endExport } from './tse-export.js'
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

/** Of a part, where the caller wants none that is smaller: it is in memory, twice as text. */
const MOST_PART_BYTES = 4 * 1024 * 1024

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
    readTse(exportRequest, request.body)
    return ask(deps, box, async (tse, served) => {
      const TokenId = await beginExport(deps, served)
      return { TokenId, TseSerialNumberOctet: tse.identity().serialHex }
    })
  },
  exportPart: async (deps, request) => {
    const box = await boxOfHeaders(deps, request)
    const { TokenId, MaxChunkSize } = readTse(partRequest, request.body)
    const most = Math.min(MaxChunkSize || MOST_PART_BYTES, MOST_PART_BYTES)
    const { found, unit } = await sessionOf(deps, box, TokenId)
    const tar = { ...unit, id: found.id }
    const next = await takeBytes(deps.store, tar, most)
    if (next === undefined) throw fail('EXPORT_SESSION_UNKNOWN', { token: TokenId })
    const part = await bytesOf(readTar(deps.store, tar, next.from), next.to - next.from)
    return {
      TokenId,
      TarFileByteChunkBase64: part.toString('base64'),
      TarFileEndOfFile: next.to === found.bytes,
      TotalTarFileSizeAvailable: true,
      TotalTarFileSize: found.bytes,
    }
  },
  endExport: async (deps, request) => {
    const box = await boxOfHeaders(deps, request)
    const { TokenId, Sha256ChecksumBase64, Erase } = readTse(endRequest, request.body)
    const { found } = await sessionOf(deps, box, TokenId)
    const sha256 = Buffer.from(found.facts.sha256, 'hex').toString('base64')
    const IsValid = sha256 === Sha256ChecksumBase64
    if (!IsValid) return { TokenId, IsValid, IsErased: false }
    const delivered = { ...found, erase: Erase === true }
    const IsErased = await ask(deps, box, (_, served) => endExport(deps, served, delivered))
    return { TokenId, IsValid, IsErased }
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
  const row = await findTar(deps.store, unit, token)
  if (row === undefined) throw fail('EXPORT_SESSION_UNKNOWN', { token })
  return { found: wholeTar(deps.store, unit.accountId, row), unit }
}

/** At most so many of them. */
async function bytesOf(parts: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const taken: Buffer[] = []
  let length = 0
  if (most === 0) return Buffer.alloc(0)
  for await (const part of parts) {
    taken.push(part)
    length += part.length
    if (length >= most) break
  }
  return Buffer.concat(taken).subarray(0, most)
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

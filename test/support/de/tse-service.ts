// A service of the German signing-device interface on a real socket, the TSE emulator behind it; a
// test bends its answers.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tseInfoJson } from '../../../src/device/tse/info-json.js'
import type { FinishSignature, TseState } from '../../../src/device/tse/tse.js'
import { countersOf, members } from '../../../src/market/de/export/members.js'
import { tarPieces } from '../../../src/market/de/export/tar-writer.js'
import { bytesOf, logRow, tarSource } from '../../market/de/support/tar-source.js'
import { LIMIT, SCU_ID, TseStand } from '../../market/de/support/tse-stand.js'

export const SERVICE_CASH_BOX = 'f05f0f42-6069-4418-885c-434afc7ed2eb'
export const SERVICE_TOKEN = 'BK/token+of=the.service'

type Members = Record<string, unknown>

interface Session {
  tar: Buffer
  sent: number
  polls: number
}

/** A call as a test sees it; `work` lets the device do it and gives its answer. */
export interface BentCall {
  operation: string
  body: Members
  response: ServerResponse
  work: () => Promise<Members>
}

export class TseService {
  readonly stand: TseStand
  /** Operations of all calls so far, and their bodies. */
  readonly calls: string[] = []
  readonly bodies: Members[] = []
  readonly headers: IncomingMessage['headers'][] = []
  /** Answers instead of the service where it does not return false. */
  bend: (call: BentCall) => boolean | Promise<boolean> = () => false
  /** Bytes of a part of an export. */
  chunk = 4096
  /** Answers without data before an export is ready. */
  polls = 2
  private readonly sessions = new Map<string, Session>()
  private readonly server = createServer((request, response) => {
    void this.serve(request, response)
  })

  private constructor(stand: TseStand) {
    this.stand = stand
  }

  static async start(settings: Record<string, unknown> = {}): Promise<TseService> {
    const service = new TseService(await TseStand.make(settings))
    await new Promise<void>((done) => service.server.listen(0, '127.0.0.1', done))
    return service
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }

  /** How often an operation was called. */
  count(operation: string): number {
    return this.calls.filter((one) => one === operation).length
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const part of request) text += String(part)
    const operation = (request.url ?? '').replace('/v1/', '')
    const body = (text === '' ? {} : JSON.parse(text)) as Members
    this.calls.push(operation)
    this.bodies.push(body)
    this.headers.push(request.headers)
    const work = () => this.work(operation, body)
    try {
      if (await this.bend({ operation, body, response, work })) return
      send(response, await work())
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }

  private async work(operation: string, body: Members): Promise<Members> {
    try {
      return await this.answer(operation, body)
    } finally {
      this.stand.logged()
    }
  }

  private async answer(operation: string, body: Members): Promise<Members> {
    const { tse } = this.stand
    const client = String(body.ClientId)
    switch (operation) {
      case 'starttransaction':
        return signedJson(await tse.startTransaction(callOf(body), LIMIT), body, this.serial)
      case 'updatetransaction':
        return signedJson(await tse.updateTransaction(callOf(body), LIMIT), body, this.serial)
      case 'finishtransaction':
        return signedJson(await tse.finishTransaction(callOf(body), LIMIT), body, this.serial)
      case 'tseinfo':
        return tseInfoJson(await tse.info(LIMIT))
      case 'tsestate':
        return { CurrentState: await tse.setState(body.CurrentState as TseState, LIMIT) }
      case 'registerclientid':
        return { ClientIds: await tse.registerClient(client, LIMIT) }
      case 'unregisterclientid':
        return { ClientIds: await tse.unregisterClient(client, LIMIT) }
      case 'executesettsetime':
        await tse.setTime(LIMIT)
        return {}
      case 'executeselftest':
        await tse.selfTest(LIMIT)
        return {}
      default:
        return this.exports(operation, body)
    }
  }

  private get serial(): string {
    return this.stand.tse.identity().serialHex
  }

  private async exports(operation: string, body: Members): Promise<Members> {
    if (operation === 'startexportsession') {
      const token = `token-${this.calls.length}`
      this.sessions.set(token, { tar: await this.tar(), sent: 0, polls: this.polls })
      return { TokenId: token, TseSerialNumberOctet: this.serial }
    }
    const session = this.sessions.get(String(body.TokenId))
    if (session === undefined) throw new Error(`no session or operation ${operation}`)
    if (operation === 'exportdata') return this.part(session, body)
    const isValid = body.Sha256ChecksumBase64 === sha256(session.tar)
    const isErased = isValid && body.Erase === true
    if (isErased) await this.stand.tse.exportMemory(true, LIMIT)
    return { TokenId: body.TokenId, IsValid: isValid, IsErased: isErased }
  }

  private part(session: Session, { TokenId }: Members): Members {
    session.polls -= 1
    if (session.polls >= 0) {
      return {
        TokenId,
        TarFileByteChunkBase64: null,
        TarFileEndOfFile: false,
        TotalTarFileSizeAvailable: false,
        TotalTarFileSize: -1,
      }
    }
    const part = session.tar.subarray(session.sent, session.sent + this.chunk)
    session.sent += part.length
    return {
      TokenId,
      TarFileByteChunkBase64: part.toString('base64'),
      TarFileEndOfFile: session.sent === session.tar.length,
      TotalTarFileSizeAvailable: true,
      TotalTarFileSize: session.tar.length,
    }
  }

  /** The memory as it is now. */
  async tar(): Promise<Buffer> {
    const { tse, log, time } = this.stand
    this.stand.logged()
    const counters = countersOf([await tse.exportMemory(false, LIMIT)])
    const entry = tse.identity().certificate
    const row = logRow({ scuId: SCU_ID, fingerprint: entry.fingerprint, messages: log })
    if (counters.length === 0) return bytesOf(tarPieces(onlyInfo(), new Date(time)))
    const source = tarSource({ rows: [row], certificates: [entry] })
    return bytesOf(tarPieces(members(source, { scuId: SCU_ID, counters }), new Date(time)))
  }
}

async function* onlyInfo() {
  const content = Buffer.from('"description:","test","manufacturer:","test","version:","1"\n')
  yield { name: 'info.csv', content }
}

export function send(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64')

function callOf(body: Members) {
  return {
    clientId: String(body.ClientId),
    processType: String(body.ProcessType),
    processData: Buffer.from(String(body.ProcessDataBase64), 'base64'),
    queueItemId: String(body.QueueItemId),
    isRetry: body.IsRetry === true,
    transactionNumber: Number(body.TransactionNumber ?? 0),
  }
}

function signedJson(
  signed: Omit<FinishSignature, 'startMoment'> & { startMoment?: Date },
  { ClientId, ProcessType, ProcessDataBase64 }: Members,
  serial: string,
): Members {
  return {
    TransactionNumber: signed.transactionNumber,
    StartTransactionTimeStamp: signed.startMoment?.toISOString(),
    TimeStamp: signed.moment.toISOString(),
    TseTimeStampFormat: 'unixTime',
    TseSerialNumberOctet: serial,
    ClientId,
    ProcessType,
    ProcessDataBase64,
    SignatureData: {
      SignatureCounter: signed.signatureCounter,
      SignatureAlgorithm: 'ecdsa-plain-SHA256',
      SignatureBase64: signed.signature.toString('base64'),
      PublicKeyBase64: '',
    },
  }
}

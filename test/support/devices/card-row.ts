// The row of RKSV cards: a strict card in a reader, the helper beside it, and before the helper a
// line on which calls are lost. With CARD_SOCKET and CARD_VPCD a real pcscd has the reader.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDoor } from '../../../card/src/server.js'
import { Signer } from '../../../card/src/signer.js'
import { CARD_PACKAGE } from '../../../src/market/at/devices/card.js'
import { type CardName, plugIn, RksvCard } from '../../../src/simulator/devices/rksv/card.js'
import { Line, type LineFault, type Step } from '../../../src/simulator/devices/rksv/door.js'
import { signHash } from '../../../src/simulator/devices/rksv/sign-hash.js'
import { startPcscd } from './pcscd.js'
import type { Device, Planned } from './rows.js'

const TOKEN = 'token-of-the-helper-0001'
const PIN = '123456'
const { CARD_SOCKET, CARD_VPCD } = process.env
/** A real service looks for cards once in a while. */
const PLUGGED_MS = 2_000
const NAMES: readonly CardName[] = ['ACOS-ID', 'ACOS', 'CardOS']

/** Where a card is, and what can happen to it there. */
interface Reader {
  socket: string
  offences: readonly string[]
  /** What happens while the next signature is asked for, until `well`. */
  goesWrong(fault: LineFault): void
  well(): void
  close(): Promise<void>
}

async function simulatedReader(card: RksvCard): Promise<Reader> {
  const service = await startPcscd(card)
  return {
    ...{ socket: service.socket, offences: service.offences, close: service.close },
    goesWrong: (fault) => {
      if (fault === 'lost') service.isIn = false
      else if (fault === 'restart') card.reset()
      else service.breaks = true
    },
    well: () => {
      service.isIn = true
      service.breaks = false
    },
  }
}

/** It has a place for two cards, each on a port of its own. */
async function realReader(card: RksvCard, nth: number): Promise<Reader> {
  const [host = '', port = ''] = (CARD_VPCD ?? '').split(':')
  const unplug = await plugIn(card, { host, port: Number(port) + (nth % 2) })
  await sleep(PLUGGED_MS)
  return {
    ...{ socket: CARD_SOCKET ?? '', offences: [] },
    // another program of the same machine has used the card
    goesWrong: () => card.reset(),
    well: () => undefined,
    close: async () => {
      unplug()
      await sleep(PLUGGED_MS)
    },
  }
}

/** The helper as it is started, and started anew: what it has in memory is gone then. */
class Helper {
  private readonly options: ConstructorParameters<typeof Signer>[0]
  private signer: Signer
  private door: RequestListener

  constructor(options: ConstructorParameters<typeof Signer>[0]) {
    this.options = options
    this.signer = new Signer(options)
    this.door = doorOf(this.signer)
  }

  restart(): void {
    this.signer.close()
    this.signer = new Signer(this.options)
    this.door = doorOf(this.signer)
  }

  readonly answer: RequestListener = (request, response) => this.door(request, response)

  close(): void {
    this.signer.close()
  }
}

function doorOf(signer: Signer): RequestListener {
  const server = createDoor(signer, TOKEN)
  return (request, response) => void server.emit('request', request, response)
}

interface Before {
  helper: Helper
  reader: Reader
  line: Line
  inner: string
  refused: number
}

const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** Passes calls on to the helper, but for what is planned. */
function lineBefore(before: Before): RequestListener {
  return (request, response) => {
    const { method = '', url: path = '', headers } = request
    const { authorization = '' } = headers
    const passes = async () => {
      const body = await buffer(request)
      const step = before.line.next(path === '/sign' ? '/sign, reader' : path)
      if (step?.call === 'reader') before.reader.goesWrong(step.fault)
      else if (step?.fault === 'lost') return void response.destroy()
      if (step?.fault === 'restart') before.helper.restart()
      const call = { method, headers: { authorization } }
      const init = method === 'POST' ? { ...call, body } : call
      const told = await fetch(`${before.inner}${path}`, init)
      if (told.status === 401) before.refused += 1
      const text = await told.text()
      if (step?.call === 'reader') before.reader.well()
      await write(response, { status: told.status, text, step, body })
    }
    // whoever asks may be gone in the middle
    passes().catch(() => response.destroy())
  }
}

interface Answer {
  status: number
  text: string
  step: Required<Step> | undefined
  body: Buffer
}

async function write(response: ServerResponse, { status, text, step, body }: Answer) {
  const fault = step?.call === 'reader' ? undefined : step?.fault
  if (fault === 'slow') await sleep(step?.ms ?? 0, undefined, { ref: false })
  if (fault === 'answer-lost') return void response.destroy()
  const isForeign = fault === 'foreign' && status === 200 && body.length > 0
  const bytes = Buffer.from(isForeign ? foreignAnswer(body) : text)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
  if (fault === 'half') response.write(bytes.subarray(0, 40), () => response.destroy())
  else response.end(bytes)
}

function foreignAnswer(body: Buffer): string {
  const { hash } = JSON.parse(body.toString('utf8')) as { hash: string }
  const signature = signHash(foreign, Buffer.from(hash, 'base64'))
  return JSON.stringify({ signature: signature.toString('base64') })
}

async function listening(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { port, url: `http://127.0.0.1:${port}`, close }
}

type StepOf = (planned: Planned) => Step

/** `nth`: each has another kind of card. */
export async function makeCard(nth: number, stepOf: StepOf): Promise<Device> {
  const card = await RksvCard.make({ name: NAMES[nth % NAMES.length] ?? 'ACOS-ID', pin: PIN })
  const isReal = CARD_SOCKET !== undefined && CARD_VPCD !== undefined
  const reader = await (isReal ? realReader(card, nth) : simulatedReader(card))
  const folder = mkdtempSync(join(tmpdir(), 'card-row-'))
  const { serialHex: serial, chain } = card.leaf
  const place = { socket: reader.socket, serial, state: join(folder, 'state') }
  const helper = new Helper({ pin: PIN, ...place })
  const inner = await listening(helper.answer)
  const line = new Line()
  const before: Before = { helper, reader, line, inner: inner.url, refused: 0 }
  const { port, url, close } = await listening(lineBefore(before))
  const certificateChain = chain.map((der) => der.toString('base64'))
  const configuration = { token: TOKEN, certificateChain }
  return {
    ...{ market: 'AT', package: CARD_PACKAGE, url, port, configuration },
    wrong: { ...configuration, token: 'token-of-another-one' },
    plan: (...steps) => line.script(...steps.map(stepOf)),
    clear: () => line.clear(),
    wrongLogins: () => before.refused + card.wrongPins,
    offences: () => [...line.offences, ...card.offences, ...reader.offences],
    signatures: () => card.signatures,
    // its certificate ends with the clock of the server
    age: () => undefined,
    close: async () => {
      await close()
      await inner.close()
      helper.close()
      await reader.close()
      rmSync(folder, { recursive: true })
    },
  }
}

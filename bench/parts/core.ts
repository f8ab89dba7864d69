// The fiscal core in one thread, without network and database: the cryptography of the RKSV alone,
// and a whole sale through the market.
import {
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import type { DriverTools, ScuHead } from '../../src/device/device.js'
import type { ReceiptInput } from '../../src/market/contract.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { built } from '../stand/built.js'
import { interleaved, type Step } from '../stand/pace.js'
import { numbered, saleText, startText } from '../stand/receipt.js'

const TARGET = { atLeast: 20_000 }

export async function benchCore({ rounds, seconds }: Options): Promise<PartResult> {
  const steps: Record<string, Step> = {
    ecdsa: ecdsaStep(),
    chain: await chainStep(),
    sale: await saleStep(),
  }
  const rows = await interleaved(steps, { rounds, seconds: seconds / 2 })
  const rate = (name: string) => median(rows.map((row) => row[name] ?? Number.NaN))
  const figures: Figure[] = [
    {
      name: 'RKSV core in one thread: payload, AES, hash chain, ECDSA',
      value: rate('chain'),
      unit: 'receipts/s',
      target: TARGET,
    },
    {
      name: 'RKSV market in one thread: a whole sale',
      value: rate('sale'),
      unit: 'receipts/s',
      target: TARGET,
    },
    { name: 'ECDSA P-256 alone', value: rate('ecdsa'), unit: 'signatures/s' },
  ]
  return { figures, rounds: rows, notes: ['One thread, software key, production texts.'] }
}

function sign(key: KeyObject, data: string): Buffer {
  return createSign('sha256').update(data).sign({ key, dsaEncoding: 'ieee-p1363' })
}

function ecdsaStep(): Step {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const data = 'x'.repeat(230)
  return () => sign(privateKey, data)
}

/** What the annex of the RKSV asks for, receipt after receipt of one chain. */
async function chainStep(): Promise<Step> {
  const payload =
    await built<typeof import('../../src/market/at/payload.js')>('market/at/payload.js')
  const jws = await built<typeof import('../../src/market/kit/jws.js')>('market/kit/jws.js')
  const { encryptTurnover } =
    await built<typeof import('../../src/market/at/turnover.js')>('market/at/turnover.js')
  const { amountFields } =
    await built<typeof import('../../src/market/at/decision.js')>('market/at/decision.js')
  const { vienna } =
    await built<typeof import('../../src/market/at/local-time.js')>('market/at/local-time.js')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = randomBytes(32)
  const kassenId = 'BENCH-1'
  let chain = payload.chainValue(kassenId)
  let number = 0
  return () => {
    number += 1
    const receiptId = `ft${number.toString(16)}#${number}`
    const cents = 8025n * BigInt(number)
    const body = payload.codeBody({
      kassenId,
      receiptId,
      localTime: vienna.text(new Date()),
      amounts: amountFields([3170n, 4855n, 0n, 0n, 0n]),
      turnover: encryptTurnover({ key, kassenId, receiptId, cents, bytes: 5 }),
    })
    const code = payload.machineCode(body, { zda: 'AT100', serialHex: '47c05c3eb542ddb9', chain })
    const input = jws.signingInput(payload.JWS_HEADER, code)
    const signature = sign(privateKey, input)
    chain = payload.chainValue(jws.compactJws(input, signature))
    return payload.qrCode(code, signature)
  }
}

/** `process` of the market for a sale of six items, on a queue that was started. */
async function saleStep(): Promise<Step> {
  const { AT: austria } = (
    await built<typeof import('../../src/market/index.js')>('market/index.js')
  ).markets
  const { withWords } = await built<typeof import('../../src/case/reader.js')>('case/reader.js')
  const { decodeRequest } =
    await built<typeof import('../../src/model/receipt-json.js')>('model/receipt-json.js')
  const moment = new Date()
  const { scu, device } = await openDevice(austria)
  const [boxId, id] = [randomUUID(), randomUUID()]
  const requestOf = (text: string) => decodeRequest(text).request
  type Input = ReceiptInput<ReturnType<typeof austria.queue.initial>, typeof device>
  const input: Input = {
    receipt: {
      ...withWords(requestOf(startText(boxId, moment.toISOString()))),
      ...{ id: randomUUID(), row: 1, answersV2: false },
    },
    queue: {
      id,
      cashBoxId: boxId,
      identification: 'BENCH-1',
      configuration: austria.queue.configuration.parse({}),
      startMoment: null,
      stopMoment: null,
      lastMoment: null,
      receiptNumerator: 0,
    },
    state: austria.queue.initial(),
    secrets: '',
    moment,
    units: [{ scu, device }],
    previous: [],
    seller: undefined,
    journal: { lastReceiptId: null, lastMarketId: null, lastActionId: null },
    tools: {
      once: () => false,
      newId: randomUUID,
      randomBytes,
      elapsedMs: () => performance.now(),
      sandbox: false,
    },
  }
  const started = await austria.process(input)
  if (started.faults.length > 0) throw new Error(started.faults[0]?.message)
  const request = requestOf(numbered(saleText(boxId, moment.toISOString()), 1))
  const queue = { ...input.queue, startMoment: moment, receiptNumerator: 1 }
  let { state } = started
  const secrets = started.secrets ?? ''
  return async () => {
    const outcome = await austria.process({
      ...input,
      receipt: { ...input.receipt, ...withWords(request) },
      queue,
      secrets,
      state,
    })
    if (outcome.faults.length > 0) throw new Error(outcome.faults[0]?.message)
    if (outcome.state.cashNumerator !== state.cashNumerator + 1) throw new Error('not signed')
    state = outcome.state
  }
}

type Austria = typeof import('../../src/market/index.js')['markets']['AT']

async function openDevice(austria: Austria) {
  const { drivers, rollout } = austria
  const { demo } = rollout
  const driver = drivers[demo.scuPackage]
  if (driver === undefined) throw new Error(`there is no driver ${demo.scuPackage}`)
  const id = randomUUID()
  const made = await driver.create({ id, configuration: {}, now: new Date(), randomBytes })
  const scu: ScuHead = {
    accountId: randomUUID(),
    id,
    market: 'AT',
    package: demo.scuPackage,
    mode: 0,
    url: null,
    configuration: made.configuration,
    secrets: made.secrets,
    state: made.state,
    faultScript: null,
    version: 0n,
    changed: false,
    actions: [],
  }
  return { scu, device: driver.open(scu, NO_TOOLS) }
}

/** A software device reaches nothing. */
const NO_TOOLS: DriverTools = {
  fetch: () => Promise.reject(new Error('nothing is reached here')),
  now: () => new Date(),
  sleep: () => Promise.resolve(),
}

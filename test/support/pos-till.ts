// A till that speaks version 2 (PosSystem API) with the sign path behind it, without the door of
// the group: every call is one operation.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { PosCall } from '../../src/api/possystem/call.js'
import { commandOf } from '../../src/api/possystem/sign.js'
import { checkData } from '../../src/core/audit/check/check.js'
import type { OperationAnswer, Operations } from '../../src/core/operation/operation.js'
import { createPosSigning } from '../../src/core/sign/pos-sign.js'
import { sha256 } from '../../src/lib/hash.js'
import { JsonNumber, JsonObject, type JsonValue, parseJson } from '../../src/lib/json.js'
import { writeJson } from '../../src/lib/json-write.js'
import { marketOf } from '../../src/market/index.js'
import type { CashBoxQueue } from '../../src/store/rollout/cashboxes.js'
import { createTestDatabase } from './db.js'
import { connected } from './ledger.js'
import { createTill, openStand, type Stand, type Till, type TillOptions } from './stand.js'

export interface PosTill extends Till {
  stand: Stand
  strict: boolean
}

export async function createPosTill(
  stand: Stand,
  market: 'AT' | 'DE',
  { strict = false, ...more }: TillOptions & { strict?: boolean } = {},
): Promise<PosTill> {
  const till = await createTill(stand, { ...more, market })
  return { ...till, stand, strict }
}

/** A database with a sign path on it, and a till of each market. */
export interface PosTills {
  client: pg.Client
  stand: Stand
  at: PosTill
  de: PosTill
  close(): Promise<void>
  /** Closes as well; what the check of the whole database finds against it. */
  checkAndClose(): Promise<unknown[]>
}

export async function openPosTills(): Promise<PosTills> {
  const database = await createTestDatabase()
  const client = await connected(database.config)
  const stand = openStand(database.config)
  const close = async () => {
    await stand.close()
    await client.end()
    await database.drop()
  }
  return {
    client,
    stand,
    at: await createPosTill(stand, 'AT'),
    de: await createPosTill(stand, 'DE'),
    close,
    checkAndClose: async () => {
      const violations: unknown[] = []
      const deps = { store: stand.store, marketOf, now: () => new Date() }
      await checkData(deps, (one) => violations.push(one))
      await close()
      return violations
    },
  }
}

/** A sale of one item of the normal rate, paid in cash. */
export function sale(members: object = {}, amount = 10): object {
  return receipt({
    cbChargeItems: [{ Description: 'x', Amount: amount, VATRate: 20 }],
    cbPayItems: [{ Description: 'Bar', Amount: amount }],
    ...members,
  })
}

export interface CallParts {
  terminalId?: string
  posSystemId?: string
  queues?: CashBoxQueue[]
  operationId?: string
}

export function queueOf(till: Till, more: Partial<CashBoxQueue> = {}): CashBoxQueue {
  return { id: till.queueId, market: till.market, createdAt: new Date(0), stopped: false, ...more }
}

/** A call whose headers were checked; the body may be a text or members. */
export function posCall(till: Till, body: string | object, parts: CallParts = {}): PosCall {
  const bodyText = typeof body === 'string' ? body : writeJson(body)
  return {
    access: {
      accountId: till.accountId,
      cashBoxId: till.cashBoxId,
      tokenHash: Buffer.alloc(32),
      queues: parts.queues ?? [queueOf(till)],
    },
    operation: {
      accountId: till.accountId,
      cashBoxId: till.cashBoxId,
      id: parts.operationId ?? randomUUID(),
      method: 'POST',
      path: '/v2/sign',
      bodyHash: sha256(bodyText),
      headers: '{}',
      requestText: bodyText,
    },
    posSystemId: parts.posSystemId ?? '00000000-0000-0000-0000-000000000000',
    terminalId: parts.terminalId,
    bodyText,
    request: { headers: {}, raw: { headers: {} } } as FastifyRequest,
  }
}

const EVERY_CALL_IS_NEW: Pick<Operations, 'run'> = {
  run: async (_call, prepare) => ({ answer: await (await prepare()).run(), replayed: false }),
}

export async function posSign(
  till: PosTill,
  body: string | object,
  parts: CallParts = {},
): Promise<OperationAnswer> {
  const { signing } = till.stand
  const desk = createPosSigning({
    ...{ signing, marketOf, strict: till.strict, operations: EVERY_CALL_IS_NEW },
    credentials: { renewed: async () => undefined },
  })
  return (await desk.sign(commandOf(posCall(till, body, parts)))).answer
}

/** The answer's body, taken apart by a reader that keeps 64-bit numbers. */
export async function signed(
  till: PosTill,
  body: string | object,
  parts: CallParts = {},
): Promise<Answer> {
  return new Answer((await posSign(till, body, parts)).body)
}

export interface ShownSignature {
  format: bigint
  type: bigint
  caption: string
  data: string
}

export class Answer {
  readonly text: string
  readonly root: JsonObject

  constructor(text: string) {
    const root = parseJson(text)
    if (!(root instanceof JsonObject)) throw new Error(`no object: ${text}`)
    this.text = text
    this.root = root
  }

  get state(): bigint {
    return wordIn(this.root.get('ftState'))
  }

  /** The low half of ftState. */
  get low(): bigint {
    return this.state & 0xffff_ffffn
  }

  get signatures(): ShownSignature[] {
    return listIn(this.root.get('ftSignatures')).map((one) => ({
      format: wordIn(one.get('ftSignatureFormat')),
      type: wordIn(one.get('ftSignatureType')),
      caption: this.textOf(one, 'Caption'),
      data: this.textOf(one, 'Data'),
    }))
  }

  get captions(): string[] {
    return this.signatures.map(({ caption }) => caption)
  }

  member(name: string): JsonValue | undefined {
    return this.root.get(name)
  }

  string(name: string): string {
    return this.textOf(this.root, name)
  }

  private textOf(object: JsonObject, name: string): string {
    const value = object.get(name)
    if (typeof value !== 'string') throw new Error(`${name} is no text in ${this.text}`)
    return value
  }
}

export function listIn(value: JsonValue | undefined): JsonObject[] {
  const list = Array.isArray(value) ? value : []
  return list.filter((one) => one instanceof JsonObject)
}

export function wordIn(value: JsonValue | undefined): bigint {
  if (!(value instanceof JsonNumber)) throw new Error('expected a number')
  return BigInt(value.text)
}

/** A receipt without items, with what a test wants to say. */
export function receipt(members: object = {}): object {
  return {
    cbTerminalID: 'T1',
    cbReceiptReference: randomUUID(),
    cbReceiptMoment: '2026-01-30T09:15:00Z',
    cbChargeItems: [],
    cbPayItems: [],
    ...members,
  }
}

// Calls of an FCC: a token for each register and one for the administrator, which the connector
// gives for the same secret. The administrator's login is always the first, so that a secret that
// is wrong is tried once.
import type { z } from 'zod'
import {
  type CallLimit,
  CredentialsRefused,
  DeviceRefusal,
  type DriverTools,
  type ScuHead,
} from '../../../../device/device.js'
import { logIn } from '../../../../device/login.js'
import type { OutboundRequest, OutboundResponse } from '../../../../device/outbound.js'
import { callDevice } from '../../../../device/remote.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
import { answers, demandDone, readAnswer } from './answer.js'
import { fccAccessOf } from './settings.js'

/** Who calls: a register, the administrator with a token, or with the secret itself. */
export type Caller = { client: string } | 'admin' | 'basic'

export interface FccCall<T> {
  as: Caller
  method: 'GET' | 'POST' | 'PUT'
  /** Behind the address: `transaction/5`. */
  path: string
  body?: object | string
  schema: z.ZodType<T>
  /** Takes the body of a file as it comes. */
  sink?: NonNullable<OutboundRequest['sink']>
  maxBytes?: number
}

interface Token {
  header: string
  endsAt: number
}

const MOST_ANSWER_BYTES = 4 * 1024 * 1024
/** Of its life; a later call gets another one. */
const USED = 0.9
const ADMIN = '\0admin'
/** Built into every connector: they are no secret. */
const ADMIN_CLIENT = 'admin-auth-client-id:admin-auth-client-secret'

export class FccLink {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly tokens = new Map<string, Token>()
  private readonly asking = new Map<string, Promise<Token>>()

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
  }

  /** Throws DeviceError for everything but an answer that can be read. */
  async ask<T>(call: FccCall<T>, budget: TimeBudget): Promise<T> {
    const response = await this.send(call, await this.header(call.as, budget), budget.limit())
    if (response.status !== 401) return this.read(call, response)
    // a connector that was started anew knows no token of before
    this.forget(call.as)
    const again = await this.send(call, await this.header(call.as, budget), budget.limit())
    if (again.status === 401) this.tokens.clear()
    return this.read(call, again)
  }

  private read<T>({ path, schema }: FccCall<T>, response: OutboundResponse): T {
    const name = path.replace(/[/?].*/s, '')
    return readAnswer(name, demandDone(name, response), schema)
  }

  private send(
    { method, path, body, sink, maxBytes }: Omit<FccCall<unknown>, 'schema' | 'as'>,
    authorization: string,
    limit: CallLimit,
  ): Promise<OutboundResponse> {
    const { address, named } = fccAccessOf(this.scu)
    const isText = typeof body === 'string'
    const request = {
      ...{ url: `${address}/${path}`, method, named, credentials: { authorization } },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      ...(isText ? { contentType: 'text/plain' } : {}),
      ...(sink === undefined ? {} : { sink }),
      maxBytes: maxBytes ?? MOST_ANSWER_BYTES,
      repeatable: method === 'GET' && sink === undefined,
    }
    return callDevice(this.tools, request, limit)
  }

  // ------------------------------------------------------------------------ logins

  private forget(as: Caller): void {
    if (as === 'basic' || as === 'admin') this.tokens.delete(ADMIN)
    else this.tokens.delete(as.client)
  }

  private async header(as: Caller, budget: TimeBudget): Promise<string> {
    const admin = await this.token(ADMIN, budget)
    if (as === 'admin') return admin.header
    if (as !== 'basic') return (await this.token(as.client, budget)).header
    return basicOf(`admin:${fccAccessOf(this.scu).erscode}`)
  }

  private async token(of: string, budget: TimeBudget): Promise<Token> {
    const known = this.tokens.get(of)
    if (known !== undefined && known.endsAt > this.tools.now().getTime()) return known
    const running = this.asking.get(of) ?? this.fresh(of, budget.limit())
    this.asking.set(of, running)
    try {
      const token = await running
      this.tokens.set(of, token)
      return token
    } finally {
      this.asking.delete(of)
    }
  }

  private fresh(of: string, limit: CallLimit): Promise<Token> {
    const { address, erscode } = fccAccessOf(this.scu)
    if (of !== ADMIN) return this.ofClient(of, limit)
    const form = { grant_type: 'password', username: 'admin', password: erscode }
    const work = () => this.given(ADMIN_CLIENT, form, limit)
    return logIn(this.tools, { scu: this.scu, credentials: [address, erscode], limit, work })
  }

  /** The administrator was let in with the same secret: it is the register that is not known. */
  private async ofClient(client: string, limit: CallLimit): Promise<Token> {
    const { erscode } = fccAccessOf(this.scu)
    try {
      const form = { grant_type: 'client_credentials' }
      return await this.given(`${client}:${erscode}`, form, limit)
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error
      // or the secret is another one by now, which the administrator's next login tells, once
      this.tokens.clear()
      throw new DeviceRefusal(`the connector lets the client ${client} not in`, { cause: error })
    }
  }

  private async given(basic: string, form: Record<string, string>, limit: CallLimit) {
    const { address, named } = fccAccessOf(this.scu)
    const began = this.tools.now().getTime()
    const request = {
      ...({ url: `${address}/oauth/token`, method: 'POST', named, repeatable: false } as const),
      credentials: { authorization: basicOf(basic) },
      body: new URLSearchParams(form).toString(),
      contentType: 'application/x-www-form-urlencoded',
      maxBytes: MOST_ANSWER_BYTES,
    }
    const body = demandDone('the login', await callDevice(this.tools, request, limit))
    const told = readAnswer('the login', body, answers.token)
    const endsAt = began + told.expires_in * 1000 * USED
    return { header: `Bearer ${told.access_token}`, endsAt }
  }
}

const basicOf = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

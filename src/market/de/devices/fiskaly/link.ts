// Calls of the cloud service SIGN DE v2: a token that is renewed before its end, once again after a
// 401, and administrator's calls behind a login of their own.
import type { z } from 'zod'
import {
  type CallLimit,
  CredentialsRefused,
  type DriverTools,
  type ScuHead,
} from '../../../../device/device.js'
import type { UnitEnvironment } from '../../../../device/driver.js'
import { logIn } from '../../../../device/login.js'
import type { OutboundRequest, OutboundResponse } from '../../../../device/outbound.js'
import { callDevice } from '../../../../device/remote.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
import { answers, failureOf, readAnswer } from './answer.js'
import { fiskalyAccessOf } from './settings.js'

export interface FiskalyCall<T> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Behind the address of the unit: `/tx/5?tx_revision=2`. */
  path: string
  body?: object
  schema: z.ZodType<T>
  /** Takes the body of a file as it comes. */
  sink?: NonNullable<OutboundRequest['sink']>
  maxBytes?: number
}

const MOST_ANSWER_BYTES = 4 * 1024 * 1024
/** Renewed when it is as near as this to its end. */
const SPARE_MS = 60_000

interface Token {
  header: string
  endsAt: number
  environment: UnitEnvironment
  isAdmin: boolean
}

export class FiskalyLink {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private token: Token | undefined
  private loggingIn: Promise<Token> | undefined

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
  }

  /** Of the key; known when a call was answered. */
  get environment(): UnitEnvironment {
    return this.token?.environment ?? 'unknown'
  }

  get endsAt(): number | undefined {
    return this.token?.endsAt
  }

  forget(): void {
    this.token = undefined
  }

  async ask<T>(call: FiskalyCall<T>, budget: TimeBudget): Promise<T> {
    const response = await this.send(call, await this.current(budget), budget.limit())
    if (response.status !== 401) return this.read(call, response)
    this.token = undefined
    const again = await this.send(call, await this.current(budget), budget.limit())
    return this.read(call, again)
  }

  /** The same as administrator. Throws CredentialsRefused where no PIN is configured. */
  async askAsAdmin<T>(call: FiskalyCall<T>, budget: TimeBudget): Promise<T> {
    const token = await this.current(budget)
    if (!token.isAdmin) await this.logInAsAdmin(token, budget)
    return this.ask(call, budget)
  }

  private read<T>({ schema, path }: FiskalyCall<T>, response: OutboundResponse): T {
    if (response.status === 200) return readAnswer(response, schema)
    throw failureOf(nameOf(path), response)
  }

  private send(
    { method, path, body, sink, maxBytes }: Omit<FiskalyCall<unknown>, 'schema'>,
    token: Token,
    limit: CallLimit,
  ): Promise<OutboundResponse> {
    const { address, tssId, named } = fiskalyAccessOf(this.scu)
    return callDevice(
      this.tools,
      {
        ...{ url: `${address}/tss/${tssId}${path}`, method, named },
        credentials: { authorization: token.header },
        body: body === undefined ? undefined : JSON.stringify(body),
        ...(sink === undefined ? {} : { sink }),
        maxBytes: maxBytes ?? MOST_ANSWER_BYTES,
        // each call may be sent twice: the service answers as the first time
        repeatable: sink === undefined,
      },
      limit,
    )
  }

  // ------------------------------------------------------------------------ logins

  private async current(budget: TimeBudget): Promise<Token> {
    const now = this.tools.now().getTime()
    if (this.token !== undefined && this.token.endsAt - now > SPARE_MS) return this.token
    this.loggingIn ??= this.logIn(budget.limit()).finally(() => {
      this.loggingIn = undefined
    })
    this.token = await this.loggingIn
    return this.token
  }

  private logIn(limit: CallLimit): Promise<Token> {
    const { address, apiKey, apiSecret, named } = fiskalyAccessOf(this.scu)
    const work = async (): Promise<Token> => {
      const began = this.tools.now().getTime()
      const request = {
        ...{ url: `${address}/auth`, credentials: {}, named, repeatable: false },
        body: JSON.stringify({ api_key: apiKey, api_secret: apiSecret }),
        maxBytes: MOST_ANSWER_BYTES,
      }
      const response = await callDevice(this.tools, request, limit)
      if (response.status !== 200) throw failureOf('the login', response)
      const told = readAnswer(response, answers.login)
      return {
        header: `Bearer ${told.access_token}`,
        endsAt: began + told.access_token_expires_in * 1000,
        environment: told.access_token_claims.env === 'TEST' ? 'test' : 'live',
        isAdmin: false,
      }
    }
    const credentials = ['api', address, apiKey, apiSecret]
    return logIn(this.tools, { scu: this.scu, credentials, limit, work })
  }

  private async logInAsAdmin(token: Token, budget: TimeBudget): Promise<void> {
    const { tssId, adminPin } = fiskalyAccessOf(this.scu)
    if (adminPin === undefined) {
      throw new CredentialsRefused('this call needs the setting adminPin, or the portal of fiskaly')
    }
    const limit = budget.limit()
    const work = async () => {
      const call = { method: 'POST', path: '/admin/auth', body: { admin_pin: adminPin } } as const
      const response = await this.send(call, token, limit)
      if (response.status !== 200) throw failureOf('the login of the administrator', response)
    }
    await logIn(this.tools, { scu: this.scu, credentials: ['admin', tssId, adminPin], limit, work })
    token.isAdmin = true
  }
}

/** Without ids. */
function nameOf(path: string): string {
  return path.split(/[/?]/)[1] ?? 'the unit'
}

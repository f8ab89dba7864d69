// One row of the route table: everything that there is to know about an operation. The router, the
// page and the contract test are made from it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AccountIdentity } from '../../../core/accounts/account-credentials.js'
import type { Actor } from '../../../core/audit/audit.js'
import type { Once } from '../../../core/audit/once.js'
import type { ErrorCode } from '../../../errors.js'
import type { Culture } from '../../../lib/language.js'
import type { MarketFacts } from '../../../market/facts.js'
import type { OperatorAccess, Right } from '../../../store/account/connections.js'
import type { AccountDeps } from './deps.js'
import { uuid } from './schemas.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Capability = keyof MarketFacts['capabilities']

/**
 * dealer: an account with the role PosDealer. any: an account of any role. account: the id of a
 * dealer is enough; a token, when sent, must be right. open: nobody has to say who he is, or the
 * operation asks by itself.
 */
export type Access = 'dealer' | 'any' | 'account' | 'open'

/** How a body that is no JSON arrives: as text, as bytes, or as a stream that nobody has read. */
export type Upload = 'text' | 'bytes' | 'stream'

/** Whose table the row stands in; scopes of API keys name it. */
export type Group = 'dealer' | 'platform' | 'portal'

export interface Spelling {
  /** That of the row unless told. */
  method?: Method
  path?: string
}

type Shape = z.ZodObject

export interface Call<P, Q, B, S, D extends AccountDeps = AccountDeps> {
  deps: D
  /** Who calls; throws where nobody is asked (access `open`). */
  account: AccountIdentity
  /** False: only the id of the account was sent (access `account`). */
  authenticated: boolean
  /** The account named by `:posOperatorId`; throws where the path has none. */
  operator: OperatorAccess
  params: P
  query: Q
  body: B
  /** What `find` of the row has returned. */
  subject: S
  /** For sentences that people read. */
  culture: Culture
  /** For the audit row of what this call changes. */
  actor: Actor
  request: FastifyRequest
  reply: FastifyReply
  /** Of a call with an Idempotency-Key; part of the actor. */
  once?: Once
}

/** An answer that is no JSON, or has headers or a status of its own. */
export class Answer {
  readonly body: string | Buffer | AsyncIterable<string | Uint8Array>
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly status: number | undefined

  constructor(
    body: Answer['body'],
    contentType: string,
    more: { headers?: Readonly<Record<string, string>>; status?: number } = {},
  ) {
    this.body = body
    this.contentType = contentType
    this.headers = more.headers ?? {}
    this.status = more.status
  }
}

interface Common<D extends AccountDeps> {
  /** Unique; in the audit rows and on the page. */
  id: string
  title: string
  /** What the title does not say; Markdown. */
  text?: string
  /** Heading on the page. */
  tag: string
  method: Method
  /** Below the base of the group, with `:name` for what varies. */
  path: string
  aliases?: readonly Spelling[]
  access?: Access
  /** What the connection must grant; given exactly where the path has `:posOperatorId`. */
  right?: Right
  /** Only accounts whose market declares it may call; others get 403. */
  capability?: Capability
  /** Only accounts that have opted in to auto-invitation may call; others get 403. */
  autoInvite?: boolean
  /**
   * It hands out or ends credentials: only for the access token of the account, an API key for
   * everything, and administrators who have confirmed who they are.
   */
  credentials?: boolean
  /**
   * It cannot be undone, hands out a secret, or leads what happens elsewhere: in the portal whoever
   * calls confirms who he is.
   */
  confirmed?: boolean
  /** Tills get another configuration: in the portal of production whoever calls confirms, too. */
  publishes?: boolean
  /**
   * A register may call it with the credentials of its CashBox, for itself alone. any: it concerns
   * nobody. list: the query has a `cashBoxId`. queue: `:id` is a Queue.
   */
  till?: 'any' | 'list' | 'queue'
  upload?: Upload
  /** What an upload is, for the page: `multipart/form-data` unless told. */
  uploadType?: string
  /** Bytes; 256 KiB unless told. */
  bodyLimit?: number
  /** A body may be missing. */
  bodyOptional?: boolean
  /** Parameters of the query without a value are wrong, not left out: the call cannot be undone. */
  emptyRefused?: boolean
  /** What a path segment that has not its shape is answered with; 400 unless told. */
  badPath?: ErrorCode
  /** Every refusal in the form of problem details, as partial updates answer. */
  problemsOnly?: boolean
  /** Every refusal as error object, as the import of a file answers. */
  objectsOnly?: boolean
  /** It reads the list of the last calls, so it is none of them. */
  unkept?: boolean
  /** Besides those that access, right, capability and body bring along. */
  errors?: readonly ErrorCode[]
  /** A body that works, for the document. */
  example?: unknown
  /** Several of them, by name. */
  examples?: Readonly<Record<string, unknown>>
  /**
   * All that it does is one audited change, so it can be tried and taken back: see `rehearse`.
   */
  rehearsable?: boolean
  /** The header Idempotency-Key is read: what is answered, from the result of the audited work. */
  idempotent?(result: unknown, call: AnyCall<D>): unknown
}

export interface Row<
  P extends Shape,
  Q extends Shape,
  B extends z.ZodType,
  S,
  R extends z.ZodType,
  D extends AccountDeps,
> extends Common<D> {
  params?: P
  query?: Q
  body?: B
  success: { status: 200 | 201 | 202; schema: R; contentType?: string } | { status: 204 }
  /**
   * Looks the thing up that the path names, and throws `…_UNKNOWN`: existence is told before
   * the right, to callers who may read.
   */
  find?(call: Call<z.output<P>, z.output<Q>, z.output<B>, undefined, D>): Promise<S>
  handle(
    call: Call<z.output<P>, z.output<Q>, z.output<B>, S, D>,
  ): Promise<z.output<R> | Answer | undefined> | z.output<R> | Answer | undefined
}

/** A row with its types forgotten, as the router and the tests take it. */
export interface Operation<D extends AccountDeps = AccountDeps> extends Common<D> {
  group: Group
  access: Access
  params: Shape
  query: Shape
  body: z.ZodType | undefined
  success: { status: 200 | 201 | 202 | 204; schema?: z.ZodType; contentType?: string }
  find?(call: AnyCall<D>): Promise<unknown>
  handle(call: AnyCall<D>): unknown
}

export type AnyCall<D extends AccountDeps = AccountDeps> = Call<
  Record<string, unknown>,
  Record<string, unknown>,
  unknown,
  unknown,
  D
>

const NOTHING = z.object({})
const OPERATOR = 'posOperatorId'

/**
 * Makes rows of the table of a group that needs `D`; a row that contradicts itself throws, which a
 * test of the table sees.
 */
export function operationOf<D extends AccountDeps>(group: Group) {
  return <
    P extends Shape = typeof NOTHING,
    Q extends Shape = typeof NOTHING,
    B extends z.ZodType = z.ZodUndefined,
    S = undefined,
    R extends z.ZodType = z.ZodUndefined,
  >(
    row: Row<P, Q, B, S, R, D>,
  ): Operation<D> => {
    const concerns = row.path.includes(`:${OPERATOR}`)
    if (concerns !== (row.right !== undefined)) {
      throw new Error(`${row.id}: a right belongs to :${OPERATOR}, and to nothing else`)
    }
    const params: Shape = row.params ?? NOTHING
    const { access = 'dealer' } = row
    return {
      ...(row as unknown as Operation<D>),
      group,
      access,
      params: concerns ? params.extend({ [OPERATOR]: uuid() }) : params,
      query: row.query ?? NOTHING,
      body: row.body,
    }
  }
}

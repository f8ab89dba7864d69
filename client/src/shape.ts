// What the documents say about a call, as the types of its options and its answer.

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Addresses that have a call of this method. */
export type AddressOf<Paths, M extends Method> = {
  [A in keyof Paths]: Paths[A] extends Record<M, { responses: unknown }> ? A : never
}[keyof Paths] &
  string

export type OperationOf<Paths, A extends keyof Paths, M extends Method> =
  Paths[A] extends Record<M, infer O> ? O : never

type Part<O, K extends string> = O extends { parameters: infer P }
  ? P extends { [N in K]?: infer V }
    ? Exclude<V, undefined>
    : never
  : never

/** Left out where the call has none; may be left out where nothing in it is needed. */
type Member<K extends string, V> = [V] extends [never]
  ? unknown
  : Record<string, never> extends V
    ? { [N in K]?: V }
    : { [N in K]: V }

type BodyOf<O> = O extends { requestBody: { content: infer C } }
  ? { body: C[keyof C] }
  : O extends { requestBody?: { content: infer C } }
    ? { body?: C[keyof C] }
    : unknown

/** A key with which a repetition is answered as the first call was: the call may then be repeated. */
type OnceOf<O> =
  Part<O, 'header'> extends { 'Idempotency-Key'?: string } ? { once?: string } : unknown

interface Common {
  /** Further headers. */
  headers?: Record<string, string>
  /** Of a PosSystem call: the id under which it is executed once; a new one where it is left out. */
  operationId?: string
  signal?: AbortSignal
}

export type OptionsOf<O> = Common &
  Member<'path', Part<O, 'path'>> &
  Member<'query', Part<O, 'query'>> &
  BodyOf<O> &
  OnceOf<O>

type Done = 200 | 201 | 202 | 204
type Sent<R> = R extends { content: infer C }
  ? 'application/json' extends keyof C
    ? C['application/json']
    : string
  : undefined

export type AnswerOf<O> = O extends { responses: infer R }
  ? { [S in keyof R & Done]: Sent<R[S]> }[keyof R & Done]
  : never

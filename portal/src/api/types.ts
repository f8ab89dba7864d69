// What each operation takes and gives, from the documents of its group.
import type { operations as DealerOperations } from '../generated/dealer.js'
import type { EVENT_TYPES, OPERATIONS } from '../generated/operations.js'
import type { operations as PlatformOperations } from '../generated/platform.js'
import type { operations as SessionOperations } from '../generated/session.js'

type All = DealerOperations & PlatformOperations & SessionOperations
export type EventType = (typeof EVENT_TYPES)[number]
export type OperationId = keyof typeof OPERATIONS & keyof All

type ParametersOf<K extends OperationId> = All[K] extends { parameters: infer P } ? P : never
type Query<K extends OperationId> =
  ParametersOf<K> extends { query?: infer Q } ? NonNullable<Q> : never
type Path<K extends OperationId> = ParametersOf<K> extends { path: infer P } ? P : never
type Sent<K extends OperationId> = All[K] extends { requestBody?: infer R } ? NonNullable<R> : never
type Body<K extends OperationId> = [Sent<K>] extends [never]
  ? never
  : Sent<K> extends { content: { 'application/json': infer B } }
    ? B
    : Sent<K> extends { content: { 'text/csv': infer B } }
      ? B
      : never

export type Input<K extends OperationId> = ([Path<K>] extends [never]
  ? { path?: undefined }
  : { path: Path<K> }) &
  ([Query<K>] extends [never] ? { query?: undefined } : { query?: Query<K> }) &
  ([Body<K>] extends [never] ? { body?: undefined } : { body: Body<K> })

type Responses<K extends OperationId> = All[K] extends { responses: infer R } ? R : never
type Content<R> = R extends { content: { 'application/json': infer C } } ? C : undefined

export type Result<K extends OperationId> =
  Responses<K> extends { 200: infer R }
    ? Content<R>
    : Responses<K> extends { 201: infer R }
      ? Content<R>
      : undefined

export type ProblemKind = Result<'listDetectors'>[number]['kind']

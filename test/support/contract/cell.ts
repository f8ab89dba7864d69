// What the contract test knows of an operation: a call that works, what it answers and leaves, and
// the calls that bring each refusal about. Made by the files of cells, read by the tests.
import { expect } from 'vitest'
import type { Operation } from '../../../src/api/dealer/operation.js'
import type { ErrorCode } from '../../../src/errors.js'
import type { CallInput, Reply } from '../dealer.js'
import type { World } from './world.js'

/** A call without its address, which the row of the table and its aliases give. */
export interface Sent extends CallInput {
  params?: Record<string, string>
  query?: Record<string, string>
}

export interface Refused extends Sent {
  /** Keys of `errors`; for refusals in the form of problem details. */
  members?: string[]
  /** Goes on while the call waits for it. */
  meanwhile?: () => Promise<unknown>
  /** Undoes what was put into the database for this call. */
  undo?: () => Promise<unknown>
}

export interface Trail {
  /** Names of what was changed. */
  subjects: string[]
  /** It shows a secret and changes nothing else. */
  shows?: true
  before: boolean
  after: boolean
}

/** Places of a body or a query that take the id of a thing: ids of strangers are tried there. */
export type Places = Record<string, (id: string, world: World) => Promise<Sent>>

export interface Cell {
  /** Works each time that it is asked for. */
  works(world: World): Promise<Sent>
  /** The answer by the specification; throws what is wrong with it. */
  answers(reply: Reply, sent: Sent, world: World): unknown
  /** Left out: the operation reads only. */
  leaves?: Trail
  /** One for each refusal that is the row's own. */
  refuses?: Partial<Record<ErrorCode, (world: World) => Promise<Refused>>>
  /** Of operations whose bodies are no JSON: what must not be sent, by a name. */
  wrongBodies?: Record<string, (world: World) => Promise<Refused>>
  /** Of uploads: one byte beyond the limit. */
  tooLarge?: (world: World) => Promise<Sent>
  places?: Places
  /** The operation asks no database. */
  fromMemory?: true
}

export type Cells = Record<string, Cell>

export interface Address {
  method: string
  /** Below `/api`. */
  path: string
}

/** `PUT /api/posoperators/…?rebuild=true` */
export function lineOf({ method, path }: Address, sent: Sent, base = '/api'): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = sent.params?.[name]
    if (value === undefined) throw new Error(`${path}: the call has no ${name}`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(sent.query ?? {}).toString()
  return `${method} ${base}${filled}${query === '' ? '' : `?${query}`}`
}

/** The call of a row, in its canonical spelling unless told otherwise. */
export function callRow({ stand }: World, row: Operation | Address, sent: Sent): Promise<Reply> {
  const { body, headers, as } = sent
  return stand.call(lineOf(row, sent), {
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
    ...(as === undefined ? {} : { as }),
  })
}

/** Every member of the specification, and no other; in whatever order. */
export function expectMembers(one: unknown, names: readonly string[]): void {
  expect(Object.keys(one as object).toSorted()).toEqual(names.toSorted())
}

/** Names of the variables of a path. */
export const namesIn = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

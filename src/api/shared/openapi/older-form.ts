// What OpenAPI 3.0 says in another way, and what the generators that read it make no class of: a
// member of this form has one type, which every language has.
import { z } from 'zod'

export type Json = Record<string, unknown>

/** Changes the schema; `io`: whether it is sent or answered. */
export function inOlderForm(schema: Json, io: 'input' | 'output'): void {
  withOneForm(schema)
  withTypedNull(schema, io)
}

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean'])

/** A choice of simple values is the one of them that nobody rounds; any other is free. */
function withOneForm(schema: Json): void {
  const { anyOf: forms } = schema as { anyOf?: Json[] }
  if (!Array.isArray(forms) || forms.some(({ type }) => type === undefined)) return
  const types = new Set(forms.map(({ type }) => type))
  if (types.has('object')) return
  delete schema.anyOf
  const isNullable = forms.some(({ nullable }) => nullable === true)
  const nullable = schema.nullable === true || isNullable ? { nullable: true } : {}
  const chosen = oneOf(forms, types)
  // without a type null is a value as any other
  if (chosen === undefined) delete schema.nullable
  else
    Object.assign(schema, { description: chosen.description, ...schema }, typed(chosen), nullable)
}

function oneOf(forms: readonly Json[], types: ReadonlySet<unknown>): Json | undefined {
  if ([...types].some((type) => !SCALARS.has(type))) return undefined
  if (types.size === 1) return united(forms)
  // 64 bits as text; a decimal as number, which generators keep as it is written
  const text = forms.find(({ type }) => type === 'string')
  const number = forms.find(({ type }) => type === 'number')
  if (types.size !== 2 || text === undefined) return undefined
  return types.has('integer') && isWord(text) ? text : number
}

/** A case word or tick; other texts beside an integer are names. */
const isWord = ({ pattern }: Json): boolean => String(pattern).includes('0x')

function united([first = {}, ...rest]: readonly Json[]): Json {
  const { enum: values, ...usual } = first as { enum?: unknown[] }
  if (values === undefined) return first
  return { ...usual, enum: [...new Set([first, ...rest].flatMap((one) => one.enum ?? []))] }
}

function typed({ nullable: _, description: _d, ...form }: Json): Json {
  return form
}

/** Null belongs to a type: of a choice each typed form may be null. */
function withTypedNull(schema: Json, io: 'input' | 'output'): void {
  if (schema.nullable !== true || schema.type !== undefined) return
  delete schema.nullable
  const { anyOf, allOf } = schema
  if (Array.isArray(anyOf)) {
    for (const one of anyOf as Json[]) if (one.type !== undefined) one.nullable = true
  } else if (Array.isArray(allOf) && io === 'output') {
    // what is asked for may be left out instead
    Object.assign(schema, { type: 'object', nullable: true })
  }
}

/** A choice of forms is a class that no generator makes: the form whose members they all have. */
export function withFewest(schemas: readonly z.ZodType[]): readonly z.ZodType[] {
  const members = (schema: z.ZodType): number =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape).length : Infinity
  return schemas.toSorted((one, other) => members(one) - members(other)).slice(0, 1)
}

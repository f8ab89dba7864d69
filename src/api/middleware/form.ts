// JSON or XML: which form the body of a REST call has, and which one its answer gets.
import type { FastifyRequest } from 'fastify'
import { bytesOf } from '../shared/xml-body.js'
import type { FormatWord } from './routes.js'

export type Form = 'json' | 'xml'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const XML_TYPE = 'application/xml; charset=utf-8'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The word of the path; undefined where bodies are JSON only. */
    format?: FormatWord
  }
}

/** The word of the path; without one the body itself tells. */
export function bodyForm(request: FastifyRequest): Form {
  return wordOf(request) ?? looksLike(request) ?? 'json'
}

/** The word of the path, else what is accepted, else the form of the body, else its label. */
export function answerForm(request: FastifyRequest): Form {
  const word = request.routeOptions.config?.format
  if (word === undefined) return 'json'
  return (
    wordOf(request) ??
    typeIn(request.headers.accept) ??
    looksLike(request) ??
    typeIn(request.headers['content-type']) ??
    'json'
  )
}

function wordOf({ routeOptions }: FastifyRequest): Form | undefined {
  const word = routeOptions.config?.format ?? ''
  return word === '' ? undefined : word
}

/** The first of the two that a header names. */
function typeIn(header: string | undefined): Form | undefined {
  const found = /\b(?:application|text)\/(json|xml)\b/i.exec(header ?? '')?.[1]
  return found === undefined ? undefined : (found.toLowerCase() as Form)
}

/** XML begins with `<` in every encoding, JSON never does. Undefined for an empty body. */
export function looksLike(request: FastifyRequest): Form | undefined {
  const start = bytesOf(request).subarray(0, 64).toString('latin1')
  const first = /[^\s\0\u00ef\u00bb\u00bf\u00fe\u00ff]/.exec(start)?.[0]
  if (first === undefined) return undefined
  return first === '<' ? 'xml' : 'json'
}

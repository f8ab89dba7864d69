// What drivers of devices behind another server have in common: parts of their settings, the call,
// and how its answer is read.
import { z } from 'zod'
import { parseXml, type XmlElement } from '../lib/xml-read.js'
import {
  type CallLimit,
  CredentialsRefused,
  DeviceError,
  type DriverTools,
  type ScuHead,
} from './device.js'
import { OutboundError, type OutboundRequest, type OutboundResponse } from './outbound.js'

/** It becomes a header: printable ASCII without blank. */
export const accessToken = z.string().regex(/^[\x21-\x7e]{1,1024}$/)

/** Base address without a slash at the end. Throws DeviceError for a unit that has none. */
export function addressOf({ url }: ScuHead): string {
  if (url !== null && /^https?:\/\//i.test(url)) return url.replace(/\/+$/, '')
  throw new DeviceError('the signing unit has no http or https address')
}

/** Undefined for a text that is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Throws DeviceError with this message for what is no XML: what was asked may have been done. */
export function readXml(text: string, message: string): XmlElement {
  try {
    return parseXml(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new DeviceError(message, { cause: error })
  }
}

/** The members of an object under their names in lower case; any other value as it is. */
export function lowerNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one]))
}

/** Statuses of those who do not let a caller in: 401, 403 and 407 of a proxy. */
const CLOSED: ReadonlySet<number> = new Set([401, 403, 407])

/** Throws CredentialsRefused for a status that says so. */
export function demandLetIn(name: string, status: number): void {
  if (CLOSED.has(status)) {
    throw new CredentialsRefused(`${name} was answered with status ${status}: see the credentials`)
  }
}

export interface RemoteCall {
  url: string
  /** Headers that let the caller in. */
  credentials: Record<string, string>
  /** Left out: GET without a body, POST with one. */
  method?: OutboundRequest['method']
  /** JSON text, or bytes; left out: none. */
  body?: string | Buffer | undefined
  /** Left out: JSON. */
  contentType?: string
  /** SHA-256 of a certificate that nobody issued. */
  fingerprint?: string | undefined
  /** Headers of the answer, in lower case. */
  wanted?: readonly string[]
  /** Takes the body of an answer of status 200 as it comes. */
  sink?: NonNullable<OutboundRequest['sink']>
  maxBytes: number
  /** Done twice it changes nothing more. */
  repeatable: boolean
  named: boolean
}

/** An answer of any status. Throws DeviceError when there is none. */
export async function callDevice(
  tools: DriverTools,
  { url, credentials, body, contentType, fingerprint, method, ...call }: RemoteCall,
  limit: CallLimit,
): Promise<OutboundResponse> {
  const request: OutboundRequest = {
    ...call,
    ...(fingerprint === undefined ? {} : { fingerprint }),
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { accept: 'application/json', ...credentials },
    timeoutMs: limit.timeoutMs,
  }
  if (body !== undefined) {
    request.headers['content-type'] = contentType ?? 'application/json'
    request.body = body
  }
  try {
    return await tools.fetch(url, request)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const isUnsent = error instanceof OutboundError && error.reason === 'refused'
    const kind = isUnsent || isUnconnected(reason) ? 'unavailable' : 'unknown-outcome'
    throw new DeviceError(`the device cannot be reached: ${reason}`, { cause: error, kind })
  }
}

/** No connection, so nothing was sent. */
const UNCONNECTED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH'])
const isUnconnected = (reason: string): boolean => UNCONNECTED.has(reason)

/** What Retry-After says, where it says seconds; a date is rare and not waited for. */
export function retryAfterMs({ retryAfter }: OutboundResponse): number | undefined {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : undefined
}

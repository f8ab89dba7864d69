// What drivers of devices behind another server have in common: parts of their settings, and the
// call with JSON.
import { z } from 'zod'
import {
  type CallLimit,
  CredentialsRefused,
  DeviceError,
  type DriverTools,
  type ScuHead,
} from './device.js'
import type { OutboundRequest, OutboundResponse } from './outbound.js'

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
  /** JSON text; left out: a GET. */
  body?: string | undefined
  maxBytes: number
  /** Done twice it changes nothing more. */
  repeatable: boolean
  named: boolean
}

/** An answer of any status. Throws DeviceError when there is none. */
export async function callDevice(
  tools: DriverTools,
  { url, credentials, body, ...call }: RemoteCall,
  limit: CallLimit,
): Promise<OutboundResponse> {
  const request: OutboundRequest = {
    ...call,
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...credentials },
    timeoutMs: limit.timeoutMs,
  }
  if (body !== undefined) {
    request.headers['content-type'] = 'application/json'
    request.body = body
  }
  try {
    return await tools.fetch(url, request)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DeviceError(`the device cannot be reached: ${reason}`, { cause: error })
  }
}

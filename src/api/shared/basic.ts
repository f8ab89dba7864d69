// HTTP Basic as another spelling of the headers cashboxid and accesstoken, for SOAP clients.
import type { FastifyRequest } from 'fastify'
import { utf8Text } from '../../lib/text.js'

const BASIC = /^Basic\s+([A-Za-z0-9+/]+={0,2})\s*$/i

/** Puts user and password into the two headers, unless the caller has sent those. */
export function basicAsHeaders({ headers }: FastifyRequest): void {
  if (headers.cashboxid !== undefined || headers.accesstoken !== undefined) return
  const given = BASIC.exec(headers.authorization ?? '')?.[1]
  const text = given === undefined ? undefined : utf8Text(Buffer.from(given, 'base64'))
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon < 0) return
  headers.cashboxid = text.slice(0, colon)
  headers.accesstoken = text.slice(colon + 1)
}

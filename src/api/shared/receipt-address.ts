// The public address of a receipt, as it is given to registers and printed as QR code. Called by
// api/possystem and api/receipt.
import type { FastifyRequest } from 'fastify'
import type { Mount } from '../../config.js'
import { fail } from '../../errors.js'

export interface AddressDeps {
  /** What the outside sees in front; undefined: the address that the caller used. */
  publicUrl: string | undefined
  /** Where receipts are mounted. */
  mount: Mount
}

export interface AddressedReceipt {
  queueId: string
  queueItemId: string
}

const HOST = /^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i

/**
 * `https://r.example/c719…/f838…`: ids in lower case, no slash at the end. Throws HEADER_INVALID
 * when the address is that of the call and its host is none.
 */
export function receiptAddress(
  { publicUrl, mount }: AddressDeps,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  { queueId, queueItemId }: AddressedReceipt,
): string {
  const base = publicBase({ publicUrl }, request)
  const front = mount.host === null ? base : `${new URL(base).protocol}//${mount.host}`
  return `${front}${mount.prefix}/${queueId.toLowerCase()}/${queueItemId.toLowerCase()}`
}

/** Where the outside sees this server, without a slash at the end. Throws as above. */
export function publicBase(
  { publicUrl }: Pick<AddressDeps, 'publicUrl'>,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
): string {
  return publicUrl?.replace(/\/+$/, '') ?? baseOf(request)
}

function baseOf({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  if (HOST.test(host)) return `${protocol}://${host}`
  throw fail('HEADER_INVALID', { header: 'host', expected: 'a host name or address' })
}

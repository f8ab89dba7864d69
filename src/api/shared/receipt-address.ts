// Public addresses: of a receipt, as it is given to registers and printed as QR code, and the front
// of those in a WSDL.
import type { FastifyRequest } from 'fastify'
import type { Mount } from '../../config/values.js'
import { fail } from '../../errors.js'

export interface AddressDeps {
  /** What the outside sees in front; undefined: the address that the caller used. */
  publicUrl: string | undefined
  /** Where the group is mounted. */
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
  given: AddressDeps,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  { queueId, queueItemId }: AddressedReceipt,
): string {
  return `${receiptBase(given, request)}/${queueId.toLowerCase()}/${queueItemId.toLowerCase()}`
}

/** The address below which receipts are, without slash at the end. Throws HEADER_INVALID. */
export function receiptBase(
  { publicUrl, mount }: AddressDeps,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
): string {
  return frontOf({ publicUrl, mount }, request) + mount.prefix
}

/** The same in two parts. Throws HEADER_INVALID. */
export function receiptPlace(
  address: AddressDeps,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
): { origin: string; prefix: string } {
  const { origin, pathname } = new URL(receiptBase(address, request))
  return { origin, prefix: pathname.replace(/\/+$/, '') }
}

/**
 * What stands before the path in addresses of a group, without a slash at the end. Throws
 * HEADER_INVALID as receiptAddress.
 */
export function frontOf(
  { publicUrl, mount }: AddressDeps,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
): string {
  const base = publicBase({ publicUrl }, request)
  return mount.host === null ? base : `${new URL(base).protocol}//${mount.host}`
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

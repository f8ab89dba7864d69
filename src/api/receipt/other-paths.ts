// Paths of this server that no group has: another name of a receipt, or an address that somebody
// has mistyped or cut off.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isPathWordTaken } from '../../config/values.js'
import { receiptAt } from '../../core/receipts/receipt-path.js'
import { receiptAddress } from '../shared/receipt-address.js'
import type { ReceiptDeps } from './deps.js'
import { information, readsPages, redirect } from './reader.js'

/** What is sent instead of a refusal. Undefined: nothing, the path is none of receipts. */
export async function otherPath(
  { store, address }: ReceiptDeps,
  request: FastifyRequest,
): Promise<((reply: FastifyReply) => FastifyReply) | undefined> {
  const { host, prefix } = address.mount
  const path = request.url.split('?')[0] ?? ''
  const isHere = host === null || request.host.toLowerCase().split(':')[0] === host.split(':')[0]
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isHere || !isRead || !path.toLowerCase().startsWith(`${prefix.toLowerCase()}/`)) return
  const below = path.slice(prefix.length)
  const found = await receiptAt(store, below)
  if (found !== undefined) {
    return (reply) => redirect(reply, receiptAddress(address, request, found))
  }
  const isLost = readsPages(request) && isOfReceipts(below)
  return isLost ? (reply) => information(request, reply.code(404)) : undefined
}

/** Nothing else of this server begins like that, whatever a person has typed. */
function isOfReceipts(path: string): boolean {
  const plain = path.replace(/\/+/g, '/').replace(/^\/v[01](?=\/)/i, '')
  const first = plain.split('/')[1]?.toLowerCase() ?? ''
  return first !== '' && !isPathWordTaken(first)
}

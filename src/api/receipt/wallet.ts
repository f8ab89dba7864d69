// GET …/wallet/{maker}: the receipt for a wallet.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { published } from '../../core/receipts/read.js'
import { passOf } from '../../core/receipts/wallet/pass.js'
import { fail } from '../../errors.js'
import { walletMaker } from '../../model/wallet.js'
import { header } from '../shared/caller.js'
import { receiptAddress } from '../shared/receipt-address.js'
import type { ReceiptDeps } from './deps.js'
import { note } from './open.js'

const PRIVATE = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow' }

export async function wallet(
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { queueId, queueItemId, maker: named = '' } = request.params as Record<string, string>
  const receipt = await published(deps.store, {
    ...{ queueId: queueId ?? '', queueItemId: queueItemId ?? '' },
  })
  const maker = walletMaker(named)
  if (maker === undefined) throw fail('DOCUMENT_UNKNOWN', { document: named.slice(0, 40) })
  const address = receiptAddress(deps.address, request, receipt)
  const languages = header(request, 'accept-language')
  const made = await passOf(deps, { receipt, maker, address, languages })
  await note(deps, { receipt, campaign: undefined }, request)
  void reply.headers(PRIVATE)
  if ('address' in made) return reply.redirect(made.address, 302)
  return reply
    .header('content-disposition', 'attachment; filename="receipt.pkpass"')
    .type(made.mediaType)
    .send(made.file)
}

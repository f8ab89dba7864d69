// What a register may read of a receipt that it has issued: the receipt in a format, the code of
// its link, and who took it. Nothing changes. Mounted by index.ts.
import type { FastifyRequest } from 'fastify'
import { deliveriesOf, deliveryStatus } from '../../core/receipts/delivery.js'
import { issuedBy } from '../../core/receipts/read.js'
import { REGISTER_FORMATS, type ShowDeps, showReceipt } from '../../core/receipts/show.js'
import { fail } from '../../errors.js'
import { writeJson } from '../../lib/json-write.js'
import { chooseFormat } from '../../render/accept.js'
import { qrMatrix, qrPng } from '../../render/qr.js'
import type { Store } from '../../store/client.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { header } from '../shared/caller.js'
import { type AddressDeps, receiptAddress } from '../shared/receipt-address.js'
import { JSON_TYPE } from './call.js'

export interface IssuedDeps extends ShowDeps {
  store: Store
  address: AddressDeps
}

/** A call after the check of its cash box headers; path parts `queueId` and `itemId`. */
export interface IssuedRead {
  access: CashBoxAccess
  params: Readonly<Record<string, string>>
  /** Names in lower case. */
  query: ReadonlyMap<string, string>
  request: FastifyRequest
}

export interface IssuedAnswer {
  status: number
  headers: Record<string, string>
  contentType?: string
  /** '' for an answer without body. */
  body: string | Buffer
}

type Respond = (read: IssuedRead) => Promise<IssuedAnswer>

/** Throws RECEIPT_UNKNOWN. */
export function receiptOf(
  { store }: Pick<IssuedDeps, 'store'>,
  { access, params }: Pick<IssuedRead, 'access' | 'params'>,
): Promise<IssuedReceipt> {
  const { queueId = '', itemId = '' } = params
  return issuedBy(store, access, { queueId, queueItemId: itemId })
}

/** Of one caller, and of this moment. */
const PRIVATE = { 'cache-control': 'private, no-store' }

/** GET /issue/{QueueId}/{QueueItemId}. Throws RECEIPT_UNKNOWN, FORMAT_UNSUPPORTED. */
export function readIssued(deps: IssuedDeps): Respond {
  return async (read) => {
    const receipt = await receiptOf(deps, read)
    const { request, query } = read
    const accept = header(request, 'accept')
    const format = query.get('format') || undefined
    const printWidth = header(request, 'x-print-width')
    const choice = chooseFormat(REGISTER_FORMATS, { accept, format, printWidth })
    if (choice === undefined) throw unsupported(format ?? accept ?? '')
    const languages = header(request, 'accept-language')
    const copy = query.get('copy') === 'true'
    const shown = await showReceipt(deps, receipt, { ...choice, languages, copy })
    const { contentType, headers, body } = shown
    const vary = { vary: 'Accept, x-print-width, Accept-Language' }
    return { status: 200, headers: { ...PRIVATE, ...vary, ...headers }, contentType, body }
  }
}

/** Enough of what was asked for to recognise it. */
const LONGEST_ASKED = 200

function unsupported(asked: string): Error {
  const formats = REGISTER_FORMATS.map(({ mediaType }) => mediaType).join(', ')
  return fail('FORMAT_UNSUPPORTED', { accept: asked.slice(0, LONGEST_ASKED), formats })
}

const USUAL_PIXELS = '8'

/** GET …/link/qrcode: `?size=1..32` pixels per module. Throws RECEIPT_UNKNOWN, FIELD_INVALID. */
export function codeOfIssued(deps: IssuedDeps): Respond {
  return async (read) => {
    const { queueId, queueItemId } = await receiptOf(deps, read)
    const size = read.query.get('size') || USUAL_PIXELS
    if (!/^([1-9]|[12]\d|3[0-2])$/.test(size)) {
      throw fail('FIELD_INVALID', { field: 'size', expected: 'a whole number from 1 to 32' })
    }
    const address = receiptAddress(deps.address, read.request, { queueId, queueItemId })
    const matrix = qrMatrix(address)
    if (matrix === undefined) throw fail('INTERNAL')
    const body = qrPng(matrix, Number(size))
    return { status: 200, headers: PRIVATE, contentType: 'image/png', body }
  }
}

/** GET …/delivered: 204 while nobody took it. Throws RECEIPT_UNKNOWN. */
export function deliveredOfIssued(deps: IssuedDeps): Respond {
  return async (read) => {
    const receipt = await receiptOf(deps, read)
    const status = await deliveryStatus(deps.store.pool, receipt)
    if (status === undefined) {
      const headers = { ...PRIVATE, 'x-delivery-state': 'Submitted' }
      return { status: 204, headers, body: '' }
    }
    return { status: 200, headers: PRIVATE, contentType: JSON_TYPE, body: writeJson(status) }
  }
}

/** GET …/deliveries, newest first. Throws RECEIPT_UNKNOWN. */
export function deliveriesOfIssued(deps: IssuedDeps): Respond {
  return async (read) => {
    const receipt = await receiptOf(deps, read)
    const { count, items } = await deliveriesOf(deps.store, receipt)
    const body = writeJson({
      Count: count,
      Items: items.map(({ moment, method, kind, appId, userAgent, address, reason }) => ({
        Moment: moment,
        Method: method,
        Kind: kind,
        AppId: appId,
        UserAgent: userAgent,
        ...(address === undefined ? {} : { Address: address, Reason: reason }),
      })),
    })
    return { status: 200, headers: PRIVATE, contentType: JSON_TYPE, body }
  }
}

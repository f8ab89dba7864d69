// Further things that a register may read of a receipt that it has issued: its short link, and the
// files that were put to it. Mounted by index.ts.
import {
  documentHeaders,
  documentOf,
  documentsOf,
  toldDocuments,
} from '../../core/receipts/documents.js'
import { codeOf, signLink } from '../../core/receipts/link.js'
import { fail } from '../../errors.js'
import { receiptAddress, receiptBase } from '../shared/receipt-address.js'
import { type IssuedDeps, receiptOf } from './issued.js'
import { jsonAnswer, type Respond } from './read.js'

const LONGEST_CAMPAIGN = 64

/** GET …/link?f=&mcc=: short link with both signatures. Throws RECEIPT_UNKNOWN, FIELD_INVALID. */
export function linkOfIssued(deps: IssuedDeps): Respond {
  return async (read) => {
    const { queueId, queueItemId, cashBoxId } = await receiptOf(deps, read)
    const f = read.query.get('f') ?? ''
    const mcc = read.query.get('mcc') ?? ''
    if (!/^\d{0,9}$/.test(f)) throw fail('FIELD_INVALID', { field: 'f', expected: 'a number' })
    if (mcc.length > LONGEST_CAMPAIGN) {
      const expected = `at most ${LONGEST_CAMPAIGN} characters`
      throw fail('FIELD_INVALID', { field: 'mcc', expected })
    }
    const c = codeOf({ queueId, queueItemId })
    const signatures = await signLink(deps.store, cashBoxId, { c, f, mcc })
    const given = Object.entries({ c, ...signatures, f, mcc }).filter(([, value]) => value !== '')
    const address = receiptBase(deps.address, read.request)
    return jsonAnswer({
      DocumentURL: receiptAddress(deps.address, read.request, { queueId, queueItemId }),
      ShortURL: `${address}/?${new URLSearchParams(given)}`,
    })
  }
}

/** GET …/documents, oldest first. Throws RECEIPT_UNKNOWN. */
export function documentsOfIssued(deps: IssuedDeps): Respond {
  return async (read) => {
    const receipt = await receiptOf(deps, read)
    return jsonAnswer(toldDocuments(await documentsOf(deps.store, receipt)))
  }
}

/** GET …/documents/{id}. Throws RECEIPT_UNKNOWN, DOCUMENT_UNKNOWN. */
export function documentOfIssued(deps: IssuedDeps): Respond {
  return async (read) => {
    const receipt = await receiptOf(deps, read)
    const found = await documentOf(deps.store, receipt, read.params.documentId ?? '')
    const { mediaType, content } = found
    const headers = documentHeaders(found)
    return { status: 200, headers, contentType: mediaType, body: content }
  }
}

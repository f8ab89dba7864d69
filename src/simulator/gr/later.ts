// What can happen to a document that myDATA has: its payment arrives, or it is cancelled.
import { NS } from '../../device/gr/mydata.js'
import type { GrCall, GrReply } from '../../device/gr/unit.js'
import { parseXml, type XmlElement } from '../../lib/xml-read.js'
import type { XmlTree } from '../../lib/xml-write.js'
import { shapeFault } from '../shape.js'
import { issuerFault, type Known, type Register, type Settings } from './register.js'
import { faultTree, NOT_FOUND, refusedBy, reply, syntax, textOf } from './replies.js'
import { all, amount, own } from './rules.js'
import { shapes } from './schema.js'

/** The document, or the code of why it is not to be had. */
function documentWith(book: Register, { mark, vat }: { mark: string; vat: string }) {
  if (mark === '') return '103'
  const found = book.recent.find((one) => String(one.mark) === mark)
  if (found === undefined) return '104'
  return vat !== '' && found.vat !== vat ? '248' : found
}

// ---------------------------------------------------------------------------------- payments

const inPayments = new Set(['laterMessage', 'later'])

/** Card payments: at terminals, and by IRIS at them. */
const POS = '7'

export function paid(book: Register, call: GrCall, settings: Settings): GrReply {
  let root: XmlElement
  try {
    root = parseXml(call.body ?? '')
  } catch {
    return syntax('the message is no XML')
  }
  const isDoc = root.name === 'PaymentMethodsDoc' && root.uri === NS.payment
  const uriOf = (type: string) => (inPayments.has(type) ? NS.payment : NS.invoice)
  const wrong = isDoc ? shapeFault(root, 'laterMessage', { shapes, uriOf }) : 'no PaymentMethodsDoc'
  if (wrong !== undefined) return syntax(wrong)
  const response = root.children.map((one, at) => payOne(book, one, { ...settings, at }))
  return reply('ResponseDoc', { response })
}

function payOne(book: Register, one: XmlElement, by: Settings & { at: number }): XmlTree {
  const index = String(by.at + 1)
  const fault = (code: string) => faultTree(index, [[code, textOf(code)]])
  const vat = own(one, 'entityVatNumber')
  const found = documentWith(book, { mark: own(one, 'invoiceMark'), vat })
  if (typeof found === 'string') return fault(found)
  const issuer = issuerFault(found.vat, by)
  if (issuer !== undefined) return fault(issuer)
  if (found.cancelledBy !== 0) return fault('251')
  const details = all(one, 'paymentMethodDetails')
  if (!details.some((detail) => own(detail, 'type') === POS)) return fault('402')
  const sum = details.reduce((total, detail) => total + amount(detail, 'amount'), 0n)
  if (String(sum) !== found.gross) return fault('407')
  book.mark += 1
  found.paymentMark = book.mark
  return { index, paymentMethodMark: String(book.mark), statusCode: 'Success' }
}

// ------------------------------------------------------------------------------ cancellations

const DELIVERY = '9.3'

export function cancelled(book: Register, call: GrCall, settings: Settings): GrReply {
  const isDelivery = call.name === 'CancelDeliveryNote'
  // providers credit what they have sent
  if (!isDelivery && settings.channel !== 'erp') return NOT_FOUND
  const { mark = '', entityVatNumber: vat = '' } = call.query ?? {}
  const found = documentWith(book, { mark, vat })
  if (typeof found === 'string') return refusedBy(found)
  const wrong = issuerFault(found.vat, settings) ?? cancelFault(found, isDelivery)
  if (wrong !== undefined) return refusedBy(wrong)
  book.mark += 1
  found.cancelledBy = book.mark
  return reply('ResponseDoc', {
    response: { index: '1', cancellationMark: String(book.mark), statusCode: 'Success' },
  })
}

function cancelFault(found: Known, isDelivery: boolean): string | undefined {
  if (found.cancelledBy !== 0) return '251'
  if (isDelivery !== (found.type === DELIVERY)) return '252'
  if (!isDelivery && found.byProvider) return '249'
  return found.isClosed || found.credited !== '0' ? '255' : undefined
}

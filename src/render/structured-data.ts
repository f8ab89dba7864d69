// A receipt for programs that read pages: an Invoice of schema.org.

import { SALES } from '../case/traits.js'
import { Decimal } from '../lib/decimal.js'
import type { ReceiptView } from './view.js'

/** A browser takes it as data and runs nothing of it; no text can end its element. */
export function structuredData(view: ReceiptView): string {
  const json = JSON.stringify(invoiceOf(view))
  // < ends the element, the others are line ends of older readers
  return json.replace(/[<>&\u2028\u2029]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** What is no sale is no invoice: its amounts must not enter anybody's books. */
function invoiceOf(view: ReceiptView): Record<string, unknown> {
  const { merchant, number, data, title, document } = view
  const [name = '', ...address] = merchant
  const provider = { '@type': 'Organization', name, address: address.join(', ') }
  const common = { '@context': 'https://schema.org', name: title, identifier: number, provider }
  if (!SALES.has(document) || view.marks.length > 0) {
    return { ...common, '@type': 'CreativeWork', dateCreated: data.moment }
  }
  const price = { '@type': 'Offer', price: data.total, priceCurrency: data.currency }
  const moment = data.moment === '' ? {} : { orderDate: data.moment }
  const order = { '@type': 'Order', orderNumber: number, ...moment, acceptedOffer: price }
  return { ...common, '@type': 'Invoice', ...paymentOf(view), referencesOrder: order }
}

/** A receipt that is paid asks for no money; nothing is said where nothing is known. */
function paymentOf({ data: { due, currency } }: ReceiptView): Record<string, unknown> {
  if (due === '') return {}
  const paid = Decimal.parse(due)?.isPositive !== true
  return {
    paymentStatus: `https://schema.org/${paid ? 'PaymentComplete' : 'PaymentDue'}`,
    totalPaymentDue: { '@type': 'MonetaryAmount', currency, value: paid ? '0.00' : due },
  }
}

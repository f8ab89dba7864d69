// A receipt for programs that read pages: an Invoice of schema.org. Called by html.ts.
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
  const price = { '@type': 'MonetaryAmount', currency: data.currency, value: data.total }
  const order = { '@type': 'Order', orderNumber: number, orderDate: data.moment }
  return {
    ...common,
    '@type': 'Invoice',
    totalPaymentDue: price,
    ...(data.moment === '' ? {} : { referencesOrder: order }),
  }
}

const SALES: ReadonlySet<string> = new Set(['receipt', 'invoice', 'online', 'exempt'])

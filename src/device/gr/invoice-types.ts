// Types of documents of myDATA (invoiceType), and what the authority wants of each.
import lists from './invoice-types.json' with { type: 'json' }

/** Those that an issuer can send. */
export const { invoiceTypes } = lists

export const isRetail = (type: string): boolean => type.startsWith('11.')
/** Documents that are no sales: tax and classification are not asked of them. */
export const isTaxless = (type: string): boolean => /^(8\.|9\.|6\.)/.test(type)

export const needsCustomer: ReadonlySet<string> = new Set(lists.needsCustomer)
export const namesForeigner: ReadonlySet<string> = new Set(lists.namesForeigner)
/** References without a refund are of the correlated kind there. */
export const correlates: ReadonlySet<string> = new Set(lists.correlates)

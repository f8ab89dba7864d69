// What the emulated myDATA answers: documents of the shapes ResponseDoc and RequestedDoc.
import type { GrReply } from '../../device/gr/unit.js'
import { element, type XmlTree } from '../../lib/xml-write.js'

const TEXTS: Readonly<Record<string, string>> = {
  ...{ 102: 'VAT number is not active', 103: 'mark is missing', 104: 'mark is not found' },
  ...{ 202: 'Invalid Greek VAT number', 203: 'Total gross value differs from the formula' },
  ...{ 204: 'A field is mandatory for this invoice type', 207: 'Sum of net values differs' },
  ...{ 209: 'Sum of VAT differs', 217: 'vatExemptionCategory is mandatory for category 7' },
  ...{ 224: 'Taxes stand per line or per invoice', 238: 'issueDate must be today' },
  ...{ 245: 'The provider is not authorised by the issuer', 248: 'mark is of another VAT number' },
  ...{ 249: 'The invoice was posted by a provider', 251: 'mark is already cancelled' },
  ...{ 252: 'mark is of another kind of document', 255: 'mark is connected with another document' },
  ...{ 260: 'issueDate must not be later than today', 402: 'A POS payment is needed' },
  407: 'Sum of payments differs from the gross total',
}

export const textOf = (code: string, uid = ''): string =>
  code === '233'
    ? `The UID: ${uid} has already been sent for another invoice`
    : (TEXTS[code] ?? `Error ${code}`)

type Errors = readonly (readonly [code: string, message: string])[]

export const faultTree = (
  index: string,
  errors: Errors,
  statusCode = 'ValidationError',
): XmlTree => ({
  index,
  errors: { error: errors.map(([code, message]) => ({ message, code })) },
  statusCode,
})

export function reply(name: string, content: XmlTree): GrReply {
  return { status: 200, text: `<?xml version="1.0" encoding="utf-8"?>${element(name, content)}` }
}

export const refused = (errors: Errors, statusCode?: string): GrReply =>
  reply('ResponseDoc', { response: faultTree('1', errors, statusCode) })

export const refusedBy = (code: string): GrReply => refused([[code, textOf(code)]])

export const syntax = (text: string): GrReply => refused([['101', text]], 'XMLSyntaxError')

export const NOT_FOUND: GrReply = { status: 404, text: 'Resource not found' }

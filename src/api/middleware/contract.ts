// The SOAP contract of group B: names, order and types of the published interface (version 0), made
// from the field table.
import type { XmlTree } from '../../lib/xml-write.js'
import {
  chargeItemFields,
  type Field,
  payItemFields,
  requestFields,
  responseFields,
  signatureFields,
} from '../../model/receipt-fields.js'
import { ARRAY_NAMESPACE, DATA_NAMESPACE, ITEM_FORMS } from '../../model/receipt-xml.js'
import { OPERATIONS_NAMESPACE, type SoapService } from '../shared/soap.js'
import { type WsdlService, wrapped, type XsdSchema } from '../shared/wsdl.js'

const SERIALIZATION_NAMESPACE = 'http://schemas.microsoft.com/2003/10/Serialization/'
const STREAM_NAMESPACE = 'http://schemas.microsoft.com/Message'

type Kind = Field<never>['kind']

const TYPES: Record<Kind, string> = {
  guid: 'xs:string',
  text: 'xs:string',
  decimal: 'xs:decimal',
  int64: 'xs:long',
  moment: 'xs:dateTime',
  texts: 'q:ArrayOfstring',
  chargeItems: 'tns:ArrayOfChargeItem',
  payItems: 'tns:ArrayOfPayItem',
  signatures: 'tns:ArrayOfSignaturItem',
}
/** Kinds that can be null in the generated types of every language. */
const VALUES: ReadonlySet<Kind> = new Set<Kind>(['decimal', 'int64', 'moment'])
/** Sent always, but declared as if it could be missing. */
const DECLARED_OPTIONAL = 'Caption'

/** Tells the generator of .NET to leave a member out instead of sending that it is null. */
const NOT_EMITTED: XmlTree = {
  'xs:appinfo': {
    DefaultValue: { '@EmitDefaultValue': 'false', '@xmlns': SERIALIZATION_NAMESPACE },
  },
}

function memberOf({ name, kind, optional, missing }: Field<never>): XmlTree {
  const isOptional = optional === true || name === DECLARED_OPTIONAL
  const isNillable = !VALUES.has(kind) || (missing === 'null' && kind !== 'int64')
  return {
    ...(isOptional ? { '@minOccurs': '0' } : {}),
    '@name': name,
    ...(isNillable ? { '@nillable': 'true' } : {}),
    '@type': TYPES[kind],
    ...(kind === 'texts' ? { '@xmlns:q': ARRAY_NAMESPACE } : {}),
    ...(isOptional ? { 'xs:annotation': NOT_EMITTED } : {}),
  }
}

function typeOf(name: string, fields: readonly unknown[]): XmlTree {
  const known = fields as readonly Field<never>[]
  return { '@name': name, 'xs:sequence': { 'xs:element': known.map(memberOf) } }
}

function arrayOf(name: string, type: string): XmlTree {
  return {
    '@name': `ArrayOf${name}`,
    'xs:sequence': {
      'xs:element': {
        '@minOccurs': '0',
        '@maxOccurs': 'unbounded',
        '@name': name,
        '@nillable': 'true',
        '@type': type,
      },
    },
  }
}

const elementOf = (name: string): XmlTree => ({
  '@name': name,
  '@nillable': 'true',
  '@type': `tns:${name}`,
})

const TYPES_OF_DATA: readonly (readonly [name: string, fields: readonly unknown[]])[] = [
  ['ReceiptRequest', requestFields],
  ['ChargeItem', chargeItemFields],
  ['PayItem', payItemFields],
  ['ReceiptResponse', responseFields],
  ['SignaturItem', signatureFields],
]
const ITEMS = Object.values(ITEM_FORMS).map((form) => form.element)

const data: XsdSchema = {
  namespace: DATA_NAMESPACE,
  imports: [ARRAY_NAMESPACE],
  content: {
    'xs:complexType': [
      ...TYPES_OF_DATA.map(([name, fields]) => typeOf(name, fields)),
      ...ITEMS.map((name) => arrayOf(name, `tns:${name}`)),
    ],
    'xs:element': [
      ...TYPES_OF_DATA.map(([name]) => elementOf(name)),
      ...ITEMS.map((name) => elementOf(`ArrayOf${name}`)),
    ],
  },
}

const foreign = (type: string, uri: string) => ({ '@type': `q:${type}`, '@xmlns:q': uri })
const optional = (name: string, rest: XmlTree): XmlTree => ({
  '@minOccurs': '0',
  '@name': name,
  ...rest,
})
const nillable = { '@nillable': 'true' }
const long = { '@type': 'xs:long' }
const string = { ...nillable, '@type': 'xs:string' }

const operations: XsdSchema = {
  namespace: OPERATIONS_NAMESPACE,
  imports: [DATA_NAMESPACE, STREAM_NAMESPACE],
  content: {
    'xs:element': [
      wrapped('Sign', [
        optional('data', { ...nillable, ...foreign('ReceiptRequest', DATA_NAMESPACE) }),
      ]),
      wrapped('SignResponse', [
        optional('SignResult', { ...nillable, ...foreign('ReceiptResponse', DATA_NAMESPACE) }),
      ]),
      wrapped(
        'Journal',
        ['ftJournalType', 'from', 'to'].map((name) => optional(name, long)),
      ),
      wrapped('JournalResponse', [
        { '@name': 'JournalResult', ...foreign('StreamBody', STREAM_NAMESPACE) },
      ]),
      wrapped('Echo', [optional('message', string)]),
      wrapped('EchoResponse', [optional('EchoResult', string)]),
    ],
  },
}

const restriction = (name: string, base: string, pattern?: string): XmlTree => ({
  '@name': name,
  'xs:restriction': {
    '@base': base,
    ...(pattern === undefined ? {} : { 'xs:pattern': { '@value': pattern } }),
  },
})

const serialization: XsdSchema = {
  namespace: SERIALIZATION_NAMESPACE,
  imports: [],
  content: {
    'xs:simpleType': [
      restriction('char', 'xs:int'),
      restriction('duration', 'xs:duration'),
      restriction(
        'guid',
        'xs:string',
        '[\\da-fA-F]{8}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{12}',
      ),
    ],
    'xs:element': [{ '@name': 'string', ...string }],
  },
}

const arrays: XsdSchema = {
  namespace: ARRAY_NAMESPACE,
  imports: [],
  content: {
    'xs:complexType': arrayOf('string', 'xs:string'),
    'xs:element': elementOf('ArrayOfstring'),
  },
}

const stream: XsdSchema = {
  namespace: STREAM_NAMESPACE,
  imports: [],
  content: { 'xs:simpleType': restriction('StreamBody', 'xs:base64Binary') },
}

export const middlewareService: SoapService & WsdlService = {
  name: 'worker',
  portType: 'IPOS',
  port: 'BasicHttpBinding_IPOS',
  versions: ['1.1', '1.2'],
  operations: ['Sign', 'Journal', 'Echo'],
  addressing: { prefix: 'wsam', uri: 'http://www.w3.org/2007/05/addressing/metadata' },
  schemas: [operations, serialization, data, arrays, stream],
}

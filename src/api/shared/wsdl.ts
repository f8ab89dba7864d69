// Descriptions of SOAP services (WSDL 1.1, document/literal) and the question for them behind the
// address of a service: `?wsdl`, `?singleWsdl`, `?xsd=xsd0`.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { type AddressDeps, frontOf } from './receipt-address.js'
import { OPERATIONS_NAMESPACE, type SoapService } from './soap.js'

export interface WsdlService extends Pick<SoapService, 'portType' | 'operations'> {
  name: string
  /** Of the port and of the binding. */
  port: string
  /** Namespace of the Action attributes; generators differ in what they make of it. */
  addressing: { prefix: string; uri: string }
  /** The one of the operations first. */
  schemas: readonly XsdSchema[]
}

export interface XsdSchema {
  namespace: string
  /** Namespaces whose types it names. */
  imports: readonly string[]
  /** Members of `xs:schema`; own types have the prefix `tns`. */
  content: XmlTree
}

const XSD = 'http://www.w3.org/2001/XMLSchema'
const QUESTION = /[?&](?:wsdl|singlewsdl|xsd)(?:[=&]|$)/i
/** Name of the constraint, and its only value. */
const NAME = 'question'
const ASKED = 'wsdl'

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0]

/** Addresses of services are those of other pages as well, unless somebody asks for the WSDL. */
export function addWsdlQuestion(app: FastifyInstance): void {
  const strategy: Strategy = {
    name: NAME,
    storage: () => new Map(),
    deriveConstraint: ({ url = '' }) =>
      url.includes('?') && QUESTION.test(url) ? ASKED : undefined,
    validate: () => undefined,
    mustMatchWhenDerived: false,
  }
  app.addConstraintStrategy(strategy)
}

export interface WsdlRoute {
  url: string
  service: WsdlService
  address: AddressDeps
  /** Refuses addresses that are none of the service. */
  check?(request: FastifyRequest): void
}

export function wsdlRoute(app: FastifyInstance, route: WsdlRoute): void {
  app.route({
    method: 'GET',
    url: route.url,
    constraints: { [NAME]: ASKED },
    handler: (request, reply) => {
      route.check?.(request)
      return sendXml(reply, answerOf(route, request))
    },
  })
}

function sendXml(reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('content-type', 'text/xml; charset=utf-8')
    .serializer((value: string) => value)
    .send(`<?xml version="1.0" encoding="utf-8"?>${text}`)
}

function answerOf({ service, address }: WsdlRoute, request: FastifyRequest): string {
  const path = (request.url.split('?')[0] ?? '').replace(/\/+/g, '/').replace(/\/$/, '')
  const location = `${frontOf(address, request)}${path}`
  const part = /[?&]xsd=([^&]*)/i.exec(request.url)?.[1]
  if (part === undefined) return wsdlText(service, location)
  const number = /^xsd(\d)$/i.exec(part)?.[1]
  const schema = number === undefined ? undefined : service.schemas[Number(number)]
  if (schema === undefined) throw fail('ROUTE_UNKNOWN', { method: 'GET', path: request.url })
  return element('xs:schema', schemaTree(schema, service, location))
}

/** With a location, imports say where their part is. */
function schemaTree(
  { namespace, imports, content }: XsdSchema,
  { schemas }: WsdlService,
  location?: string,
): XmlTree {
  const placeOf = (uri: string): Record<string, string> => {
    const at = schemas.findIndex((schema) => schema.namespace === uri)
    return location === undefined ? {} : { '@schemaLocation': `${location}?xsd=xsd${at}` }
  }
  return {
    '@xmlns:xs': XSD,
    '@xmlns:tns': namespace,
    '@elementFormDefault': 'qualified',
    '@targetNamespace': namespace,
    'xs:import': imports.map((uri) => ({ ...placeOf(uri), '@namespace': uri })),
    ...content,
  }
}

function wsdlText(service: WsdlService, location: string): string {
  const { name, port, portType, operations, addressing, schemas } = service
  return element('wsdl:definitions', {
    '@name': name,
    '@targetNamespace': OPERATIONS_NAMESPACE,
    '@xmlns:wsdl': 'http://schemas.xmlsoap.org/wsdl/',
    '@xmlns:soap': 'http://schemas.xmlsoap.org/wsdl/soap/',
    [`@xmlns:${addressing.prefix}`]: addressing.uri,
    '@xmlns:tns': OPERATIONS_NAMESPACE,
    'wsdl:types': { 'xs:schema': schemas.map((schema) => schemaTree(schema, service)) },
    'wsdl:message': operations.flatMap((operation) => [
      message(`${portType}_${operation}_InputMessage`, operation),
      message(`${portType}_${operation}_OutputMessage`, `${operation}Response`),
    ]),
    'wsdl:portType': {
      '@name': portType,
      'wsdl:operation': operations.map((operation) => portOperation(service, operation)),
    },
    'wsdl:binding': {
      '@name': port,
      '@type': `tns:${portType}`,
      'soap:binding': { '@transport': 'http://schemas.xmlsoap.org/soap/http' },
      'wsdl:operation': operations.map((operation) => boundOperation(service, operation)),
    },
    'wsdl:service': {
      '@name': name,
      'wsdl:port': {
        '@name': port,
        '@binding': `tns:${port}`,
        'soap:address': { '@location': location },
      },
    },
  })
}

function message(name: string, of: string): XmlTree {
  return { '@name': name, 'wsdl:part': { '@name': 'parameters', '@element': `tns:${of}` } }
}

function actionOf({ portType }: WsdlService, operation: string): string {
  return `${OPERATIONS_NAMESPACE}${portType}/${operation}`
}

function portOperation(service: WsdlService, operation: string): XmlTree {
  const { addressing, portType } = service
  const side = (direction: string, action: string) => ({
    [`@${addressing.prefix}:Action`]: actionOf(service, action),
    '@message': `tns:${portType}_${operation}_${direction}Message`,
  })
  return {
    '@name': operation,
    'wsdl:input': side('Input', operation),
    'wsdl:output': side('Output', `${operation}Response`),
  }
}

function boundOperation(service: WsdlService, operation: string): XmlTree {
  const body = { 'soap:body': { '@use': 'literal' } }
  return {
    '@name': operation,
    'soap:operation': { '@soapAction': actionOf(service, operation), '@style': 'document' },
    'wsdl:input': body,
    'wsdl:output': body,
  }
}

/** The element of an operation: its members in their order. */
export function wrapped(name: string, members: readonly XmlTree[]): XmlTree {
  return {
    '@name': name,
    'xs:complexType': { 'xs:sequence': members.length === 0 ? '' : { 'xs:element': members } },
  }
}

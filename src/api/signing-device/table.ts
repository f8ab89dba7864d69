// The route table of group C: what each operation takes and answers, and what answers it.
import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import type { ErrorCode } from '../../errors.js'
import { json, uuid } from '../shared/openapi/parts.js'
import type { ApiRoute, ApiTable, RefusalForms } from '../shared/openapi/route.js'
import { sampleOf, TRACE_ID } from '../shared/openapi/samples.js'
import { soapTableOf } from '../shared/openapi/soap.js'
import { statusOf } from '../shared/trace.js'
import {
  certificateResponse,
  DATA_LIMIT,
  echoRequest,
  echoResponse,
  signRequest,
  signResponse,
  zdaResponse,
} from './messages.js'
import { BODY, CALLER, SECURITY, type SigningRow } from './parts.js'
import { type Handle, handlers } from './rest.js'
import { TSE_TAG, tseRows } from './tse-table.js'

const TAG = 'Signing device'
const SOAP_TAG = 'Signing device over SOAP'
export const SOAP_PATH = '/rksv'
/** The path of the interface first; clients of its first years call the shorter one. */
export const BASES = ['/api/v0/iatsscd', '/api'] as const

export const tags = {
  [TAG]:
    'Signs with the Austrian signing unit of a CashBox, or a French one that no Queue signs ' +
    'with; bodies in JSON.',
  [SOAP_TAG]: 'The same operations over SOAP, and the WSDL.',
  [TSE_TAG]:
    'A German security device (TSE) that no Queue of this server signs with, for the Queues of ' +
    'other servers.',
}

const DEVICE: readonly ErrorCode[] = [...CALLER, 'DEVICE_FAILED', 'SOFTWARE_DEVICE']
type Rest = Pick<ApiRoute, 'id' | 'title' | 'text' | 'method' | 'refusals'> & {
  takes?: Pick<ApiRoute, 'body'>['body']
  gives: z.ZodType
}

function rowOf({ takes, gives, ...rest }: Rest, handle: Handle): SigningRow {
  const route: ApiRoute = {
    ...rest,
    tag: TAG,
    path: `${BASES[0]}/${rest.id}`,
    security: SECURITY,
    ...(takes === undefined ? {} : { body: takes }),
    success: { 200: { text: 'Done.', content: json(gives) } },
  }
  return { route, name: rest.id, handle }
}

export const signingRows: readonly SigningRow[] = [
  rowOf(
    {
      ...{ id: 'echo', title: 'Echo', method: 'POST', refusals: [...CALLER, ...BODY] },
      text: 'Returns the message. Shows that headers and signing unit are in order.',
      takes: json(echoRequest, { hello: { message: 'hello' } }),
      gives: echoResponse,
    },
    handlers.echo,
  ),
  {
    ...rowOf(
      {
        ...{ id: 'sign', title: 'Sign bytes', method: 'POST' },
        text:
          'Signs the bytes as they are (ES256); nothing is read into them. Under a fault script ' +
          'of the sandbox a device may be silent (500) or answer nonsense (200 with a signature ' +
          'that does not verify): check it with the certificate.',
        refusals: [...DEVICE, ...BODY, 'FIELD_MISSING'],
        takes: json(signRequest, { bytes: { dataBase64: 'AQIDBAU=' } }),
        gives: signResponse,
      },
      handlers.sign,
    ),
    dataLimit: DATA_LIMIT,
  },
  rowOf(
    {
      ...{ id: 'certificate', title: 'Certificate', method: 'GET', refusals: DEVICE },
      text: 'The certificate that signatures verify with.',
      gives: certificateResponse,
    },
    handlers.certificate,
  ),
  rowOf(
    {
      ...{ id: 'zda', title: 'Trust service provider', method: 'GET', refusals: DEVICE },
      text: 'The short name of the certificate service operator (ZDA) of an Austrian unit.',
      gives: zdaResponse,
    },
    handlers.zda,
  ),
]

const OPERATION = 'xmlns="http://tempuri.org/"'
const soap = soapTableOf({
  tag: SOAP_TAG,
  path: SOAP_PATH,
  text:
    'Echo, Sign, Certificate and ZDA over SOAP 1.1. The element in the body decides; ' +
    '`SOAPAction` may be missing. Credentials by HTTP Basic (id and token of the cash box) or ' +
    'by the two headers.',
  security: SECURITY,
  examples: {
    Sign: `<Sign ${OPERATION}><data>AQIDBAU=</data></Sign>`,
    Echo: `<Echo ${OPERATION}><message>hello</message></Echo>`,
    Certificate: `<Certificate ${OPERATION}/>`,
    ZDA: `<ZDA ${OPERATION}/>`,
  },
  refusals: [
    ...DEVICE,
    ...(['BODY_COMPRESSED', 'BODY_BROKEN', 'BODY_TOO_LARGE'] as const),
    ...(['XML_MALFORMED', 'SOAP_MALFORMED', 'SOAP_VERSION', 'SOAP_HEADER', 'SOAP_ACTION'] as const),
    ...(['FIELD_MISSING', 'FIELD_INVALID'] as const),
  ],
})

const problem = z
  .object({
    type: z.string().describe('about:blank'),
    title: z.string().describe('Of the status.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().describe('What is wrong with this call.'),
    code: z.string().describe('Stable code, see docs/errors.md.'),
    field: z.string().optional().describe('The member at fault.'),
    traceId: uuid('Finds the call in the log.'),
  })
  .meta({ id: 'signing.Problem' })

const refusalOf: RefusalForms = (code) => {
  const { kind, message: detail, field } = sampleOf(code)
  const status = statusOf[kind]
  const head = { type: 'about:blank', title: STATUS_CODES[status], status, detail, code }
  return {
    ...{ status, type: 'application/problem+json', schema: problem },
    example: { ...head, ...(field === undefined ? {} : { field }), traceId: TRACE_ID },
  }
}

export const signingDeviceTable: ApiTable = {
  routes: [...[...signingRows, ...tseRows].map(({ route }) => route), ...soap.routes],
  refusalOf: (code, route) =>
    route.tag === SOAP_TAG ? soap.refusalOf(code, route) : refusalOf(code, route),
}

// The API page of group C, made from the messages that the operations read and write.
import { z } from 'zod'
import { ENVELOPES } from '../shared/soap.js'
import { soapSchemas } from '../shared/soap-page.js'
import {
  certificateResponse,
  echoRequest,
  echoResponse,
  signRequest,
  signResponse,
  zdaResponse,
} from './messages.js'
import type { OperationName } from './rest.js'

type Schema = Record<string, unknown>

function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' })
}

const problem = schemaOf(
  z.object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().describe('Stable code, see docs/errors.md.'),
    field: z.string().optional().describe('The member at fault.'),
    traceId: z.string(),
  }),
)

interface Page {
  summary: string
  description: string
  body?: z.ZodType
  answer: z.ZodType
  refusals: number[]
}

const pages: Record<OperationName, Page> = {
  echo: {
    summary: 'Echo',
    description: 'Returns the message. Shows that headers and signing unit are in order.',
    body: echoRequest,
    answer: echoResponse,
    refusals: [400, 401],
  },
  sign: {
    summary: 'Sign bytes',
    description:
      'Signs the bytes as they are (ES256); nothing is read into them. Under a fault script of ' +
      'the sandbox a device may be silent (500) or answer nonsense (200 with a signature that ' +
      'does not verify): check it with the certificate.',
    body: signRequest,
    answer: signResponse,
    refusals: [400, 401, 500],
  },
  certificate: {
    summary: 'Certificate',
    description: 'The certificate that signatures verify with.',
    answer: certificateResponse,
    refusals: [401, 500],
  },
  zda: {
    summary: 'Trust service provider',
    description: 'The short name of the certificate service operator (ZDA).',
    answer: zdaResponse,
    refusals: [401, 500],
  },
}

/** OpenAPI members of a route; the older spelling of the paths is left out of the page. */
export function routeSchema(name: OperationName, isShown: boolean): Schema {
  if (!isShown) return { hide: true }
  const { summary, description, body, answer, refusals } = pages[name]
  return {
    summary,
    description,
    operationId: name,
    tags: ['Signing device'],
    security: [{ cashboxid: [], accesstoken: [] }],
    ...(body === undefined ? {} : { body: schemaOf(body) }),
    response: {
      200: { description: 'Done.', ...schemaOf(answer) },
      ...Object.fromEntries(
        refusals.map((status) => [
          status,
          { description: 'Refused.', content: { 'application/problem+json': { schema: problem } } },
        ]),
      ),
    },
  }
}

const EXAMPLE = `<s:Envelope xmlns:s="${ENVELOPES['1.1']}"><s:Body>
  <Sign xmlns="http://tempuri.org/"><data>AQIDBAU=</data></Sign>
</s:Body></s:Envelope>`

export function soapRouteSchemas(): { call: object; wsdl: object } {
  return soapSchemas({
    tag: 'Signing device over SOAP',
    description:
      'Echo, Sign, Certificate and ZDA over SOAP 1.1. The element in the body decides; ' +
      '`SOAPAction` may be missing. Credentials by HTTP Basic (id and token of the cash box) or ' +
      'by the two headers.',
    example: EXAMPLE,
    security: [{ cashboxid: [], accesstoken: [] }],
  })
}

// The two rows of a SOAP service: the call with envelopes to try, and the WSDL.
import { z } from 'zod'
import type { ErrorCode } from '../../../errors.js'
import { envelopeAround, faultStatus, faultText } from '../soap.js'
import { content } from './parts.js'
import type { ApiRoute, ApiTable } from './route.js'
import { sampleOf, TRACE_ID } from './samples.js'

export interface SoapPage {
  tag: string
  path: string
  params?: z.ZodObject
  /** Markdown. */
  text: string
  security: readonly (readonly string[])[]
  /** By name: what stands in the body of the envelope. */
  examples: Readonly<Record<string, string>>
  refusals: readonly ErrorCode[]
}

const XML = 'text/xml'

export function soapTableOf(page: SoapPage): ApiTable {
  const { tag, path, params, text, security, examples, refusals } = page
  const place = { tag, path, ...(params === undefined ? {} : { params }) }
  const call: ApiRoute = {
    ...place,
    ...{ id: 'soap', title: 'SOAP', text, method: 'POST', security, refusals },
    body: {
      [XML]: {
        schema: content(),
        examples: Object.fromEntries(
          Object.entries(examples).map(([name, body]) => [name, envelope(body)]),
        ),
      },
    },
    success: { 200: { text: 'The answer of the operation.', content: xml } },
  }
  const wsdl: ApiRoute = {
    ...place,
    ...{ id: 'wsdl', title: 'WSDL', method: 'GET', refusals: [] },
    text: 'The description of the service, types inline. `?singleWsdl` gives the same.',
    query: z.object({ wsdl: z.string().meta({ description: 'Needs no value.', examples: [''] }) }),
    success: { 200: { text: 'WSDL 1.1.', content: xml } },
  }
  return {
    routes: [call, wsdl],
    refusalOf: (code) => {
      const refusal = sampleOf(code)
      const example = envelope(faultText(refusal, '1.1', TRACE_ID))
      return { status: faultStatus(refusal), type: XML, schema: content(), example }
    },
  }
}

const xml = { [XML]: { schema: content() } }

const envelope = (body: string): string => envelopeAround('1.1').join(body)

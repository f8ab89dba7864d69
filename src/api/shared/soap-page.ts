// What the interactive pages say about a SOAP door: the call with an envelope to try, and the WSDL.

type Schema = Record<string, unknown>

export interface SoapPage {
  tag: string
  /** Markdown. */
  description: string
  /** An envelope that can be sent as it stands. */
  example: string
  security: readonly Record<string, string[]>[]
  params?: Schema
}

const envelope = (description: string, example?: string): Schema => ({
  description,
  content: {
    'text/xml': { schema: { type: 'string', ...(example === undefined ? {} : { example }) } },
  },
})

/** OpenAPI members of the two routes. */
export function soapSchemas(page: SoapPage): { call: Schema; wsdl: Schema } {
  const { tag, description, example, security, params } = page
  const common = { tags: [tag], ...(params === undefined ? {} : { params }) }
  return {
    call: {
      ...common,
      summary: 'SOAP',
      description,
      operationId: 'soap',
      security,
      body: { content: { 'text/xml': { schema: { type: 'string', example } } } },
      response: {
        200: envelope('The answer of the operation.'),
        401: envelope('A fault: who is calling is not shown. With `WWW-Authenticate: Basic`.'),
        413: envelope('A fault: the envelope is too large.'),
        500: envelope('A fault; its text says what is wrong, its detail has code and traceId.'),
      },
    },
    wsdl: {
      ...common,
      summary: 'WSDL',
      description: 'The description of the service, types inline. `?singleWsdl` gives the same.',
      operationId: 'wsdl',
      querystring: {
        type: 'object',
        properties: {
          wsdl: { type: 'string', description: 'Needs no value.' },
        },
        required: ['wsdl'],
      },
      response: { 200: envelope('WSDL 1.1.') },
    },
  }
}

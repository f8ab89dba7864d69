// The API page of the SOAP door of group B.
import { ENVELOPES } from '../shared/soap.js'
import { soapSchemas as schemasOf } from '../shared/soap-page.js'

const EXAMPLE = `<s:Envelope xmlns:s="${ENVELOPES['1.1']}"><s:Body>
  <Echo xmlns="http://tempuri.org/"><message>hello</message></Echo>
</s:Body></s:Envelope>`

/** The address without a queue is left out of the page. */
export function soapSchemas(isShown: boolean): { call: object; wsdl: object } {
  if (!isShown) return { call: { hide: true }, wsdl: { hide: true } }
  return schemasOf({
    tag: 'Middleware over SOAP',
    description:
      'Echo, Sign and Journal over SOAP 1.1 or 1.2, at the address of the queue. The element in ' +
      'the body decides; `SOAPAction` may be missing. Credentials by HTTP Basic (id and token of ' +
      'the cash box) or by the two headers. The result of Journal is Base64.',
    example: EXAMPLE,
    security: [{ cashboxid: [], accesstoken: [] }],
    params: {
      type: 'object',
      properties: { queue: { type: 'string', description: 'Id of the queue, or an alias.' } },
    },
  })
}

// Group C over SOAP 1.1 at /rksv: the operations of rest.ts under their published names, and the
// WSDL.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'
import { isNil } from '../../lib/xml-read.js'
import type { XmlTree } from '../../lib/xml-write.js'
import { XSI_NAMESPACE } from '../../model/receipt-xml.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { basicAsHeaders } from '../shared/basic.js'
import { boxOfHeaders } from '../shared/caller.js'
import { faultSender, memberOf, operationAnswer, readSoap, sendSoap } from '../shared/soap.js'
import { wsdlRoute } from '../shared/wsdl.js'
import { bytesOf } from '../shared/xml-body.js'
import { signingService } from './contract.js'
import type { SigningDeviceDeps } from './deps.js'
import { certificateOf, checkUnit, signBytes, zdaOf } from './device.js'
import { dataOf } from './messages.js'
import { SOAP_PATH } from './table.js'

const BODY_LIMIT = 256 * 1024

export function soapRoutes(app: FastifyInstance, deps: SigningDeviceDeps): void {
  app.route({
    method: 'POST',
    url: SOAP_PATH,
    bodyLimit: BODY_LIMIT,
    errorHandler: faultSender(signingService),
    onRequest: (request, _reply, done) => {
      basicAsHeaders(request)
      done()
    },
    handler: async (request, reply) => {
      const box = await boxOfHeaders(deps, request)
      return sendSoap(reply, '1.1', await answer(deps, request, box))
    },
  })
  wsdlRoute(app, {
    url: SOAP_PATH,
    service: signingService,
    address: deps.address,
  })
}

async function answer(
  deps: SigningDeviceDeps,
  request: FastifyRequest,
  box: CashBoxAccess,
): Promise<string> {
  const soap = readSoap(request, bytesOf(request), signingService)
  const given = (name: string) => {
    const found = memberOf(soap, name) ?? soap.element.children[0]
    if (found === undefined || isNil(found)) return null
    if (found.children.length === 0) return found.text
    throw fail('FIELD_INVALID', { field: name, expected: 'a text' })
  }
  switch (soap.operation) {
    case 'Echo':
      await checkUnit(deps, box)
      return result('Echo', given('message'))
    case 'Sign': {
      const text = given('data')?.replace(/\s+/g, '') ?? ''
      if (text === '') throw fail('FIELD_MISSING', { field: 'data', expected: 'Base64' })
      return result('Sign', (await signBytes(deps, box, dataOf(text, 'data'))).toString('base64'))
    }
    case 'Certificate': {
      const certificate = await certificateOf(deps, box)
      return result('Certificate', certificate.der.toString('base64'))
    }
    default:
      return result('ZDA', await zdaOf(deps, box))
  }
}

function result(operation: string, text: string | null): string {
  const nil: XmlTree = { '@xmlns:i': XSI_NAMESPACE, '@i:nil': 'true' }
  return operationAnswer(`${operation}Response`, { [`${operation}Result`]: text ?? nil })
}

// The SOAP contract of group C: names of the published signing service.
import type { XmlTree } from '../../lib/xml-write.js'
import { OPERATIONS_NAMESPACE, type SoapService } from '../shared/soap.js'
import { type WsdlService, wrapped } from '../shared/wsdl.js'

const member = (name: string, type: string): XmlTree => ({
  '@minOccurs': '0',
  '@name': name,
  '@nillable': 'true',
  '@type': type,
})
const bytes = 'xs:base64Binary'
const text = 'xs:string'

export const signingService: SoapService & WsdlService = {
  name: 'rksv',
  portType: 'IATSSCD',
  port: 'CustomBinding_IATSSCD',
  versions: ['1.1'],
  operations: ['Certificate', 'Echo', 'Sign', 'ZDA'],
  addressing: { prefix: 'wsaw', uri: 'http://www.w3.org/2006/05/addressing/wsdl' },
  schemas: [
    {
      namespace: OPERATIONS_NAMESPACE,
      imports: [],
      content: {
        'xs:element': [
          wrapped('Certificate', []),
          wrapped('CertificateResponse', [member('CertificateResult', bytes)]),
          wrapped('Echo', [member('message', text)]),
          wrapped('EchoResponse', [member('EchoResult', text)]),
          wrapped('Sign', [member('data', bytes)]),
          wrapped('SignResponse', [member('SignResult', bytes)]),
          wrapped('ZDA', []),
          wrapped('ZDAResponse', [member('ZDAResult', text)]),
        ],
      },
    },
  ],
}

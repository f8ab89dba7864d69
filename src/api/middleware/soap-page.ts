// The rows of the SOAP service of group B.
import { z } from 'zod'
import { textOf } from '../shared/openapi/parts.js'
import { soapTableOf } from '../shared/openapi/soap.js'
import { refusals } from './refusals.js'

const OPERATION = 'xmlns="http://tempuri.org/"'

export const soapTable = soapTableOf({
  tag: 'Middleware over SOAP',
  path: '/:queue',
  params: z.object({ queue: textOf('Id of the queue, or an alias.') }),
  text:
    'Echo, Sign and Journal over SOAP 1.1 or 1.2, at the address of the queue. The element in ' +
    'the body decides; `SOAPAction` may be missing. Credentials by HTTP Basic (id and token of ' +
    'the cash box) or by the two headers. The result of Journal is Base64.',
  security: [['cashboxid', 'accesstoken']],
  examples: {
    Echo: `<Echo ${OPERATION}><message>hello</message></Echo>`,
    Journal: `<Journal ${OPERATION}><ftJournalType>3</ftJournalType></Journal>`,
  },
  refusals: [
    ...refusals.sign.filter((code) => !code.startsWith('BODY_M')),
    ...(['XML_MALFORMED', 'SOAP_MALFORMED', 'SOAP_VERSION', 'SOAP_HEADER', 'SOAP_ACTION'] as const),
    ...(['JOURNAL_TYPE_UNKNOWN', 'SPOOL_FULL', 'EXPORTS_BUSY', 'EXPORT_LOST'] as const),
  ],
})

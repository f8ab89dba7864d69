// Enveloped signatures XAdES-EPES as the Spanish authorities want them: over the document, the key
// and the signed properties, with the policy of the authority.
import { createHash, type KeyObject, type X509Certificate } from 'node:crypto'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { policies } from './policies.js'
import type { ToSign } from './unit.js'
import { newSignature } from './xml-signature.js'

const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1'
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const PROPERTIES = 'http://uri.etsi.org/01903#SignedProperties'

export interface Signer {
  key: KeyObject
  certificate: X509Certificate
}

/** The document with its signature as the last child of `parent`, or of the root. */
export function signXml({ xml, policy, at }: ToSign, { key, certificate }: Signer): string {
  // the same document at the same moment is signed under the same names
  const name = createHash('sha256').update(xml, 'utf8').update(at.toISOString()).digest('hex')
  const ids = [`s-${name.slice(0, 16)}`, `k-${name.slice(0, 16)}`, `p-${name.slice(0, 16)}`, 'r-0']
  const [signature = '', keyInfo = '', properties = '', document = ''] = ids
  const signed = newSignature({
    privateKey: key,
    signatureAlgorithm: RSA_SHA256,
    canonicalizationAlgorithm: C14N,
    keyInfoAttributes: { Id: keyInfo },
    getKeyInfoContent: () => keyContent(certificate),
    objects: [
      {
        content: element('xades:QualifyingProperties', {
          ...{ '@xmlns:xades': XADES, '@Target': `#${signature}` },
          'xades:SignedProperties': {
            '@Id': properties,
            'xades:SignedSignatureProperties': signatureProperties({ policy, at }, certificate),
            'xades:SignedDataObjectProperties': {
              'xades:DataObjectFormat': dataFormat(policy, document),
            },
          },
        }),
        attributes: {},
      },
    ],
  })
  const digest = { digestAlgorithm: SHA256 }
  signed.addReference({
    ...digest,
    ...{ xpath: '/*', id: document, uri: '', isEmptyUri: true, transforms: [ENVELOPED, C14N] },
  })
  const inside = (id: string) =>
    `//*[local-name(.)='KeyInfo' or local-name(.)='SignedProperties'][@Id='${id}']`
  signed.addReference({
    ...{ ...digest, xpath: inside(properties), uri: `#${properties}`, transforms: [C14N] },
    type: PROPERTIES,
  })
  signed.addReference({
    ...{ ...digest, xpath: inside(keyInfo), uri: `#${keyInfo}`, transforms: [C14N] },
  })
  const where = { reference: parentOf(xml), action: 'append' } as const
  signed.computeSignature(xml, { prefix: 'ds', attrs: { Id: signature }, location: where })
  return signed.getSignedXml()
}

/** Events carry their signature one level deeper. */
const parentOf = (xml: string): string =>
  xml.startsWith('<ev:RegistroEvento') ? "/*/*[local-name(.)='Evento']" : '/*'

const INTEGER = 10
function keyContent(certificate: X509Certificate): string {
  const { n = '', e = '' } = certificate.publicKey.export({ format: 'jwk' })
  const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64')
  return (
    element('ds:X509Data', { 'ds:X509Certificate': certificate.raw.toString('base64') }) +
    element('ds:KeyValue', {
      'ds:RSAKeyValue': { 'ds:Modulus': base64(n), 'ds:Exponent': base64(e) },
    })
  )
}

function signatureProperties(
  { policy, at }: Omit<ToSign, 'xml'>,
  certificate: X509Certificate,
): XmlTree {
  const { id, digests, algorithm, address } = policies[policy]
  return {
    'xades:SigningTime': `${at.toISOString().slice(0, 19)}Z`,
    'xades:SigningCertificate': {
      'xades:Cert': {
        'xades:CertDigest': digestTree(
          SHA256,
          createHash('sha256').update(certificate.raw).digest('base64'),
        ),
        'xades:IssuerSerial': {
          'ds:X509IssuerName': certificate.issuer.split('\n').toReversed().join(', '),
          'ds:X509SerialNumber': BigInt(`0x${certificate.serialNumber}`).toString(INTEGER),
        },
      },
    },
    'xades:SignaturePolicyIdentifier': {
      'xades:SignaturePolicyId': {
        'xades:SigPolicyId': { 'xades:Identifier': id },
        'xades:SigPolicyHash': digestTree(algorithm === 'SHA-1' ? SHA1 : SHA256, digests[0] ?? ''),
        'xades:SigPolicyQualifiers': {
          'xades:SigPolicyQualifier': { 'xades:SPURI': address },
        },
      },
    },
  }
}

const digestTree = (algorithm: string, value: string): XmlTree => ({
  'ds:DigestMethod': { '@Algorithm': algorithm },
  'ds:DigestValue': value,
})

function dataFormat(policy: ToSign['policy'], document: string): XmlTree {
  const format: XmlTree = { '@ObjectReference': `#${document}` }
  if (policy === 'VeriFactu') {
    format['xades:ObjectIdentifier'] = {
      'xades:Identifier': {
        ...{ '@Qualifier': 'OIDAsURN', '#text': 'urn:oid:1.2.840.10003.5.109.10' },
      },
    }
  }
  return { ...format, 'xades:MimeType': 'text/xml', 'xades:Encoding': 'UTF-8' }
}

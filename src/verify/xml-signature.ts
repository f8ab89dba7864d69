// Enveloped signatures of XML documents: every digest, and the signature by the certificate in it.
import { createHash, createVerify, X509Certificate } from 'node:crypto'
import { at, canonical, childrenOf, find, findWith, localName, type Node, textAt } from './xml.js'

const DIGESTS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

const attribute = (node: Node | undefined, name: string): string =>
  node?.attributes.find(([key]) => key === name)?.[1] ?? ''

/** What is wrong with it, or undefined. */
export function signatureFault(root: Node): string | undefined {
  const path = findWith(root, 'Signature')
  const signature = path?.at(-1)
  if (path === undefined || signature === undefined) return 'a signature'
  const info = at(signature, 'SignedInfo')
  if (info === undefined) return 'SignedInfo'
  const references = childrenOf(info).filter((one) => localName(one) === 'Reference')
  if (!references.some((one) => attribute(one, 'URI') === '')) return 'a reference to the document'
  for (const reference of references) {
    const uri = attribute(reference, 'URI')
    const bytes = uri === '' ? canonical(root, [], signature) : byId(root, uri.slice(1))
    const kind = DIGESTS[attribute(at(reference, 'DigestMethod'), 'Algorithm')]
    if (bytes === undefined || kind === undefined) return `what ${uri} refers to`
    const digest = createHash(kind).update(bytes, 'utf8').digest('base64')
    if (digest !== textAt(reference, 'DigestValue').trim()) return `the digest of "${uri}"`
  }
  if (attribute(at(info, 'SignatureMethod'), 'Algorithm') !== RSA_SHA256) return 'RSA with SHA-256'
  const value = Buffer.from(textAt(signature, 'SignatureValue'), 'base64')
  const certificate = find(signature, 'X509Certificate')
  try {
    const der = Buffer.from(certificate === undefined ? '' : canonicalText(certificate), 'base64')
    const { publicKey } = new X509Certificate(der)
    const signed = canonical(info, path)
    const isRight = createVerify('sha256').update(signed, 'utf8').verify(publicKey, value)
    return isRight ? undefined : 'a signature by the certificate'
  } catch {
    return 'a certificate'
  }
}

const canonicalText = (node: Node): string => node.children.join('').replace(/\s/g, '')

/** Canonical form of the element with this Id. */
function byId(root: Node, id: string): string | undefined {
  const search = (node: Node, around: readonly Node[]): string | undefined => {
    if (attribute(node, 'Id') === id) return canonical(node, around)
    for (const child of childrenOf(node)) {
      const found = search(child, [...around, node])
      if (found !== undefined) return found
    }
    return undefined
  }
  return search(root, [])
}

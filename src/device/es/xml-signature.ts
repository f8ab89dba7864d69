// XML signatures by the package xml-crypto. Its types bring those of browsers into the whole
// program, so that what is used of it is said here.

import type { KeyObject } from 'node:crypto'
import { late } from '../../lib/late.js'

export interface ReferenceOptions {
  xpath: string
  uri: string
  id?: string
  isEmptyUri?: boolean
  type?: string
  transforms: readonly string[]
  digestAlgorithm: string
}

interface SignatureOptions {
  privateKey?: KeyObject
  publicCert?: string
  signatureAlgorithm?: string
  canonicalizationAlgorithm?: string
  keyInfoAttributes?: Readonly<Record<string, string>>
  getKeyInfoContent?(): string
  objects?: readonly { content: string; attributes: Readonly<Record<string, string>> }[]
}

interface Signature {
  addReference(reference: ReferenceOptions): void
  computeSignature(
    xml: string,
    options: {
      prefix: string
      attrs: Readonly<Record<string, string>>
      location: { reference: string; action: 'append' }
    },
  ): void
  getSignedXml(): string
  loadSignature(xml: string): void
  getReferences(): readonly { uri?: string }[]
  checkSignature(xml: string): boolean
}

interface Package {
  SignedXml: new (options: SignatureOptions) => Signature
}
const library = late<Package>('xml-crypto')

export const newSignature = (options: SignatureOptions): Signature => {
  const { SignedXml } = library()
  return new SignedXml(options)
}

// What makes a PDF one to keep and one for everybody: PDF/A-3a (ISO 19005-3) and PDF/UA-1
// (ISO 14289-1) declared in its metadata, the data of the receipt attached.
import { escapeHtml } from '../lib/html.js'

export interface Described {
  title: string
  author: string
  language: string
  moment: Date
  /** Name of the electronic invoice in it; left out: there is none. */
  invoice?: string | undefined
}

/** A file inside of the PDF (ISO 19005-3, 6.8). */
export interface AttachedFile {
  name: string
  type: string
  description: string
  bytes: Buffer
  /** What it is to the document; left out: its data. */
  relationship?: 'Alternative'
}

const NAME = 'fiskalwerk'

/** What pdfkit is told when it begins a document. */
export function archiveOptions({ title, author, language, moment }: Described) {
  return {
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    displayTitle: true,
    lang: language,
    info: {
      ...{ Title: title, Author: author, Producer: NAME, Creator: NAME },
      ...{ CreationDate: moment, ModDate: moment },
    },
  } as const
}

/**
 * Its own description of the document: that of pdfkit neither writes texts as XML wants them nor
 * knows a second standard.
 */
export function describe(document: PDFKit.PDFDocument, described: Described): void {
  const append: unknown = Reflect.get(document, 'appendXML')
  if (typeof append !== 'function') throw new Error('the library writes no metadata')
  // the library adds its own parts to the document in the same way
  Object.assign(document, {
    _addInfo: () => void Reflect.apply(append, document, [descriptionOf(described)]),
  })
}

export function attach(document: PDFKit.PDFDocument, file: AttachedFile, moment: Date): void {
  const { name, type, description, bytes, relationship = 'Data' } = file
  document.file(bytes, {
    ...{ name, type, description, relationship },
    ...{ creationDate: moment, modifiedDate: moment },
  })
}

function descriptionOf({ title, author, language, moment, invoice }: Described): string {
  const when = `${moment.toISOString().slice(0, 19)}Z`
  return [
    about('xmp="http://ns.adobe.com/xap/1.0/"', [
      `<xmp:CreateDate>${when}</xmp:CreateDate><xmp:ModifyDate>${when}</xmp:ModifyDate>`,
      `<xmp:CreatorTool>${NAME}</xmp:CreatorTool>`,
    ]),
    about('dc="http://purl.org/dc/elements/1.1/"', [
      '<dc:title><rdf:Alt>',
      `<rdf:li xml:lang="x-default">${text(title)}</rdf:li></rdf:Alt></dc:title>`,
      author === ''
        ? ''
        : `<dc:creator><rdf:Seq><rdf:li>${text(author)}</rdf:li></rdf:Seq></dc:creator>`,
      `<dc:language><rdf:Bag><rdf:li>${text(language)}</rdf:li></rdf:Bag></dc:language>`,
    ]),
    about('pdf="http://ns.adobe.com/pdf/1.3/"', [`<pdf:Producer>${NAME}</pdf:Producer>`]),
    about('pdfuaid="http://www.aiim.org/pdfua/ns/id/"', ['<pdfuaid:part>1</pdfuaid:part>']),
    ...(invoice === undefined ? [] : invoiceParts(invoice)),
    about(EXTENSIONS, [
      '<pdfaExtension:schemas><rdf:Bag>',
      schemaOf(UNIVERSAL),
      invoice === undefined ? '' : schemaOf(FACTUR_X),
      '</rdf:Bag></pdfaExtension:schemas>',
    ]),
  ].join('\n')
}

function about(namespace: string, parts: readonly string[]): string {
  return `<rdf:Description rdf:about="" xmlns:${namespace}>${parts.join('')}</rdf:Description>`
}

function text(value: string): string {
  return escapeHtml(value)
}

const FX = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

/** Factur-X 1.0, 6.2.2 */
function invoiceParts(file: string): string[] {
  const parts = {
    ...{ DocumentType: 'INVOICE', DocumentFileName: file, Version: '1.0' },
    ConformanceLevel: 'EN 16931',
  }
  const told = Object.entries(parts).map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`)
  return [about(`fx="${FX}"`, told)]
}

const EXTENSIONS =
  'pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"' +
  ' xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"' +
  ' xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"'

interface Schema {
  title: string
  namespace: string
  prefix: string
  properties: readonly (readonly [name: string, type: string, about: string, kind: string])[]
}

const UNIVERSAL: Schema = {
  title: 'PDF/UA Universal Accessibility Schema',
  ...{ namespace: 'http://www.aiim.org/pdfua/ns/id/', prefix: 'pdfuaid' },
  properties: [['part', 'Integer', 'Part of ISO 14289 the file follows', 'internal']],
}

const FACTUR_X: Schema = {
  title: 'Factur-X PDFA Extension Schema',
  ...{ namespace: FX, prefix: 'fx' },
  properties: [
    ['DocumentFileName', 'Text', 'Name of the embedded XML invoice file', 'external'],
    ['DocumentType', 'Text', 'INVOICE', 'external'],
    ['Version', 'Text', 'Version of the Factur-X XML schema', 'external'],
    ['ConformanceLevel', 'Text', 'Conformance level of the embedded XML', 'external'],
  ],
}

/** PDF/A wants to be told of each property that it does not know (ISO 19005-3, 6.6.2.3). */
function schemaOf({ title, namespace, prefix, properties }: Schema): string {
  const list = properties.map(
    ([name, type, told, kind]) =>
      '<rdf:li rdf:parseType="Resource">' +
      `<pdfaProperty:name>${name}</pdfaProperty:name>` +
      `<pdfaProperty:valueType>${type}</pdfaProperty:valueType>` +
      `<pdfaProperty:category>${kind}</pdfaProperty:category>` +
      `<pdfaProperty:description>${told}</pdfaProperty:description></rdf:li>`,
  )
  return (
    '<rdf:li rdf:parseType="Resource">' +
    `<pdfaSchema:schema>${title}</pdfaSchema:schema>` +
    `<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>` +
    `<pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>` +
    `<pdfaSchema:property><rdf:Seq>${list.join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`
  )
}

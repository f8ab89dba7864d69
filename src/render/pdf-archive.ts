// What makes a PDF one to keep and one for everybody: PDF/A-3a (ISO 19005-3) and PDF/UA-1
// (ISO 14289-1) declared in its metadata, the data of the receipt attached.
import { escapeHtml } from '../lib/html.js'

export interface Described {
  title: string
  author: string
  language: string
  moment: Date
}

/** A file inside of the PDF (ISO 19005-3, 6.8). */
export interface AttachedFile {
  name: string
  type: string
  description: string
  bytes: Buffer
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
  const { name, type, description, bytes } = file
  document.file(bytes, {
    ...{ name, type, description, relationship: 'Data' },
    ...{ creationDate: moment, modifiedDate: moment },
  })
}

function descriptionOf({ title, author, language, moment }: Described): string {
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
    EXTENSION,
  ].join('\n')
}

function about(namespace: string, parts: readonly string[]): string {
  return `<rdf:Description rdf:about="" xmlns:${namespace}>${parts.join('')}</rdf:Description>`
}

function text(value: string): string {
  return escapeHtml(value)
}

/** PDF/A wants to be told of each property that it does not know (ISO 19005-3, 6.6.2.3). */
const EXTENSION = [
  '<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"',
  ' xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"',
  ' xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">',
  '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">',
  '<pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema>',
  '<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>',
  '<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>',
  '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">',
  '<pdfaProperty:name>part</pdfaProperty:name>',
  '<pdfaProperty:valueType>Integer</pdfaProperty:valueType>',
  '<pdfaProperty:category>internal</pdfaProperty:category>',
  '<pdfaProperty:description>Part of ISO 14289 the file follows</pdfaProperty:description>',
  '</rdf:li></rdf:Seq></pdfaSchema:property>',
  '</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>',
].join('')

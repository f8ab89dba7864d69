// The library that reads index.xml: a start does without it, and the first index reads it.
import { createRequire } from 'node:module'
import type { XMLParser, XMLValidator } from 'fast-xml-parser'

interface Library {
  XMLParser: typeof XMLParser
  XMLValidator: typeof XMLValidator
}

const require = createRequire(import.meta.url)

export const xmlLibrary = (): Library => require('fast-xml-parser') as Library

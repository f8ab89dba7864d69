// index.xml against the grammar of the GDPdU description standard (gdpdu-01-09-2004.dtd): every
// element with what it may hold, in its order. No element has attributes.
import type { Reporter } from '../reporter.js'
import { quote } from '../text.js'
import { xmlLibrary } from './xml-parser.js'

type Node = Readonly<Record<string, unknown>>

const COLUMN = 'Name, Description?, (Numeric | (AlphaNumeric, MaxLength?) | Date), Map*'
const FIXED = 'Name, Description?, (Numeric | AlphaNumeric | Date), Map*, FixedRange'

/** Content models as the DTD has them. */
const MODELS: Readonly<Record<string, string>> = {
  DataSet: 'Extension*, Version, DataSupplier?, Command*, Media+, Command*',
  Extension: 'Name, URL',
  DataSupplier: 'Name, Location, Comment',
  Media: 'Name, Command*, (Table+, Command*)?, AcceptNoTables?',
  Table: `URL, Name?, Description?, Validity?, (ANSI | Macintosh | OEM | UTF16 | UTF7 | UTF8)?,
    (DecimalSymbol, DigitGroupingSymbol)?, SkipNumBytes?, Range?, Epoch?,
    (VariableLength | FixedLength)`,
  Validity: 'Range, Format?',
  Range: 'From, (To | Length)?',
  FixedRange: 'From, (To | Length)?',
  VariableLength: `ColumnDelimiter?, RecordDelimiter?, TextEncapsulator?,
    ((VariablePrimaryKey+, VariableColumn*) | VariableColumn+), ForeignKey*`,
  VariablePrimaryKey: COLUMN,
  VariableColumn: COLUMN,
  FixedLength: `(Length | RecordDelimiter)?, ((FixedPrimaryKey+, FixedColumn*) | FixedColumn+),
    ForeignKey*`,
  FixedPrimaryKey: FIXED,
  FixedColumn: FIXED,
  Numeric: '(ImpliedAccuracy | Accuracy)?',
  Date: 'Format?',
  ForeignKey: 'Name+, References, Alias*',
  Alias: 'From, To',
  Map: 'Description?, From, To',
}

/** Elements of text; all that are named neither here nor above are empty ones. */
const TEXTS = new Set(
  `Version Location Comment Length References From To AcceptNoTables MaxLength TextEncapsulator
  Accuracy ImpliedAccuracy Format DecimalSymbol DigitGroupingSymbol Command URL Description Name
  Epoch ColumnDelimiter RecordDelimiter SkipNumBytes`.split(/\s+/),
)
const EMPTY = new Set('AlphaNumeric ANSI Macintosh OEM UTF16 UTF7 UTF8'.split(' '))

/** A model as an expression over the names of the children, each with a blank behind it. */
const SHAPES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(MODELS).map(([name, model]) => {
    const source = model.replace(/\s+/g, '').replace(/\w+/g, '(?:$& )').replaceAll(',', '')
    return [name, new RegExp(`^(?:${source})$`)]
  }),
)

const DOCTYPE = /<!DOCTYPE\s+([^\s[>]+)([^[>]*)(\[)?/

/** The text is well-formed. */
export function judgeGrammar(xml: string, report: Reporter<'INDEX_DTD'>): void {
  const add = (text: string) => report.add('INDEX_DTD', 'index.xml', text)
  const [, root = '', , subset] = DOCTYPE.exec(xml) ?? []
  if (root !== 'DataSet') {
    add(`expected <!DOCTYPE DataSet SYSTEM "gdpdu-01-09-2004.dtd">, found ${quote(root)}`)
  }
  if (subset !== undefined) add('expected no declarations in index.xml itself, found some')
  const parser = new (xmlLibrary().XMLParser)({
    preserveOrder: true,
    ignoreDeclaration: true,
    ignoreAttributes: false,
    processEntities: false,
    trimValues: false,
    parseTagValue: false,
  })
  for (const node of parser.parse(xml) as Node[]) visit(node, add)
}

/** Parsers refuse deeper nesting before; a hostile document is not followed for ever. */
function visit(top: Node, add: (text: string) => void): void {
  const waiting = [top]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const name = nameOf(node)
    if (name === '#text' || name === '') continue
    if (node[':@'] !== undefined) add(`expected no attributes in ${quote(name)}, found some`)
    const children = node[name] as readonly Node[]
    judge(name, children, add)
    waiting.push(...children.slice().reverse())
  }
}

function judge(name: string, children: readonly Node[], add: (text: string) => void): void {
  const names = children.map(nameOf)
  const elements = names.filter((one) => one !== '#text')
  const text = children.map((child) => String(child['#text'] ?? '')).join('')
  const shape = SHAPES.get(name)
  if (shape === undefined) {
    const isKnown = TEXTS.has(name) || (EMPTY.has(name) && text === '')
    if (isKnown && elements.length === 0) return
    add(`expected an element of the standard with its content, found ${quote(name)}`)
    return
  }
  if (text.trim() !== '') add(`expected elements only in ${name}, found ${quote(text.trim())}`)
  if (shape.test(elements.map((one) => `${one} `).join(''))) return
  const expected = (MODELS[name] ?? '').replace(/\s+/g, ' ')
  add(`expected in ${name}: ${expected}; found ${quote(elements.join(', '))}`)
}

function nameOf(node: Node): string {
  return Object.keys(node).find((name) => name !== ':@') ?? ''
}

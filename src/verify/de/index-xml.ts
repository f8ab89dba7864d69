// index.xml of a DSFinV-K export: the tables and columns that it promises (GDPdU description
// standard).
import { quote } from '../text.js'
import { judgeGrammar } from './index-dtd.js'
import type { Report } from './table-reader.js'
import { type Column, columnsFor, TABLES, type Table } from './tables.js'
import { xmlLibrary } from './xml-parser.js'

const FILE = 'index.xml'
const MANY = new Set(['Table', 'VariableColumn', 'VariablePrimaryKey', 'Media'])

type Node = Readonly<Record<string, unknown>>

export function judgeIndex(text: string, report: Report): void {
  const root = parsed(text)
  if (typeof root === 'string') {
    report.add('INDEX_FORM', FILE, `expected well-formed XML, found: ${root}`)
    return
  }
  judgeGrammar(text, report)
  const media = list(child(root, 'DataSet'), 'Media')
  const tables = media.flatMap((part) => list(part, 'Table'))
  const found = new Map<string, Node>()
  for (const node of tables) {
    const url = content(node, 'URL')
    if (found.has(url)) {
      report.add('INDEX_TABLE', FILE, `expected one description of ${quote(url)}, found two`)
    }
    found.set(url, node)
    if (TABLES.has(url)) continue
    report.add('INDEX_TABLE', FILE, `expected tables of DSFinV-K, found ${quote(url)}`)
  }
  for (const table of TABLES.values()) {
    const node = found.get(table.file)
    if (node !== undefined) judgeTable(table, node, report)
    else report.add('INDEX_TABLE', FILE, `expected a description of ${table.file}, found none`)
  }
}

function parsed(text: string): Node | string {
  const { XMLParser, XMLValidator } = xmlLibrary()
  const valid = XMLValidator.validate(text)
  if (valid !== true) return `${JSON.stringify(valid.err.msg)} in line ${valid.err.line}`
  const parser = new XMLParser({
    ignoreAttributes: true,
    parseTagValue: false,
    trimValues: false,
    processEntities: false,
    isArray: (name) => MANY.has(name),
  })
  try {
    return Object(parser.parse(text)) as Node
  } catch (error) {
    return JSON.stringify(error instanceof Error ? error.message : String(error))
  }
}

function judgeTable(table: Table, node: Node, report: Report): void {
  const format = child(node, 'VariableLength')
  const settings: [string, string, string][] = [
    ['DecimalSymbol', content(node, 'DecimalSymbol'), ','],
    ['DigitGroupingSymbol', content(node, 'DigitGroupingSymbol'), '.'],
    ['Range From', content(child(node, 'Range'), 'From'), '2'],
    ['ColumnDelimiter', content(format, 'ColumnDelimiter'), ';'],
    ['RecordDelimiter', endOfRow(content(format, 'RecordDelimiter')), 'CRLF'],
    ['TextEncapsulator', content(format, 'TextEncapsulator').replaceAll('&quot;', '"'), '"'],
    ['encoding', 'UTF8' in node ? 'UTF8' : 'another', 'UTF8'],
  ]
  for (const [name, found, expected] of settings) {
    if (found === expected) continue
    const text = `${table.file}, ${name}: expected ${expected}, found ${quote(found)}`
    report.add('INDEX_TABLE', FILE, text)
  }
  judgeColumns(table, format, report)
}

/** As character references or as such. */
function endOfRow(text: string): string {
  const plain = text.replace(/&#(?:x0*d|0*13);/gi, '\r').replace(/&#(?:x0*a|0*10);/gi, '\n')
  return plain === '\r\n' ? 'CRLF' : plain
}

function judgeColumns(table: Table, format: Node, report: Report): void {
  const nodes = [...list(format, 'VariablePrimaryKey'), ...list(format, 'VariableColumn')]
  const names = nodes.map((node) => content(node, 'Name'))
  const columns = columnsFor(table, names)
  if (columns === undefined) {
    const expected = table.columns.map(({ name }) => name).join(' ')
    const text = `${table.file}: expected the columns ${expected}, found ${quote(names.join(' '))}`
    report.add('INDEX_COLUMNS', FILE, text)
    return
  }
  for (const [at, column] of columns.entries()) {
    const [expected, found] = [typeOf(column), typeOfNode(nodes[at] ?? {})]
    if (expected === found) continue
    const text = `${table.file}, ${column.name}: expected ${expected}, found ${quote(found)}`
    report.add('INDEX_COLUMNS', FILE, text)
  }
}

function typeOf({ kind, size }: Column): string {
  return kind === 'text' ? `AlphaNumeric ${size}` : `Numeric ${size}`
}

function typeOfNode(node: Node): string {
  if ('AlphaNumeric' in node) return `AlphaNumeric ${content(node, 'MaxLength')}`
  if ('Numeric' in node) return `Numeric ${content(child(node, 'Numeric'), 'Accuracy') || '0'}`
  return 'another type'
}

function child(node: Node, name: string): Node {
  return Object(node[name] === '' ? {} : node[name]) as Node
}

function list(node: Node, name: string): Node[] {
  const value = node[name]
  return Array.isArray(value) ? value.map((part) => Object(part) as Node) : []
}

function content(node: Node, name: string): string {
  const value = node[name]
  return typeof value === 'string' ? value : ''
}

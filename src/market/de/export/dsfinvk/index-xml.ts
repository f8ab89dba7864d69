// index.xml: tells the auditor's program how to read the files (GDPdU description standard 1.5).
// The grammar that it follows is in dtd.ts.
import { allColumns } from './cells.js'
import type { Column, Table } from './tables.js'

/** Name of the grammar file beside index.xml. */
export const DTD_NAME = 'gdpdu-01-09-2004.dtd'

export interface Supplier {
  name: string
  location: string
  comment: string
}

export function indexXml(tables: readonly Table[], supplier: Supplier): string {
  const { name, location, comment } = supplier
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!DOCTYPE DataSet SYSTEM "${DTD_NAME}">`,
    '<DataSet>',
    '<Version>1.0</Version>',
    `<DataSupplier>${element('Name', name)}${element('Location', location)}` +
      `${element('Comment', comment)}</DataSupplier>`,
    '<Media><Name>CD Nummer 1</Name>',
    ...tables.flatMap(tableLines),
    '</Media></DataSet>',
  ]
  return `${lines.join('\n')}\n`
}

function tableLines(table: Table): string[] {
  const head =
    element('URL', table.file) + element('Name', table.name) + element('Description', table.name)
  return [
    `<Table>${head}<UTF8/><DecimalSymbol>,</DecimalSymbol>` +
      '<DigitGroupingSymbol>.</DigitGroupingSymbol><Range><From>2</From></Range><VariableLength>' +
      '<ColumnDelimiter>;</ColumnDelimiter><RecordDelimiter>&#xD;&#xA;</RecordDelimiter>' +
      '<TextEncapsulator>"</TextEncapsulator>',
    ...allColumns(table).map(columnLine),
    '</VariableLength></Table>',
  ]
}

function columnLine(column: Column): string {
  return `<VariableColumn>${element('Name', column.name)}${typeOf(column)}</VariableColumn>`
}

function typeOf(column: Column): string {
  if (column.kind === 'text') return `<AlphaNumeric/><MaxLength>${column.max}</MaxLength>`
  if (column.decimals === 0) return '<Numeric/>'
  return `<Numeric><Accuracy>${column.decimals}</Accuracy></Numeric>`
}

function element(name: string, text: string): string {
  return `<${name}>${xmlText(text)}</${name}>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
// characters that XML 1.0 has no way to write, and line ends
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNWRITABLE = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]+/g

function xmlText(text: string): string {
  const clean = text.toWellFormed().replace(UNWRITABLE, ' ').trim()
  return clean.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign)
}

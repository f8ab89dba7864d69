// The grammar of index.xml (GDPdU description standard, version 1.5), written beside it into every
// export.

/** Elements that hold nothing but text. */
const TEXTS = [
  ...['Version', 'Location', 'Comment', 'Length', 'References', 'From', 'To', 'AcceptNoTables'],
  ...['MaxLength', 'TextEncapsulator', 'Accuracy', 'ImpliedAccuracy', 'Format', 'DecimalSymbol'],
  ...['DigitGroupingSymbol', 'Command', 'URL', 'Description', 'Name', 'Epoch', 'ColumnDelimiter'],
  ...['RecordDelimiter', 'SkipNumBytes'],
]

/** Elements that say everything by being there. */
const EMPTY = ['AlphaNumeric', 'ANSI', 'Macintosh', 'OEM', 'UTF16', 'UTF7', 'UTF8']

const ENCODINGS = 'ANSI | Macintosh | OEM | UTF16 | UTF7 | UTF8'

/** What stands in an element, in this order, with a word about it. */
const MODELS: readonly (readonly [name: string, model: string, about: string])[] = [
  [
    'DataSet',
    'Extension*, Version, DataSupplier?, Command*, Media+, Command*',
    'A delivery of data.',
  ],
  ['Extension', 'Name, URL', 'An addition to this standard.'],
  ['DataSupplier', 'Name, Location, Comment', 'Who delivers: the taxpayer.'],
  // one model for "commands, tables, commands" in which each element has one place only, so that
  // parsers that insist on that (XML 1.0, appendix E) take it
  ['Media', 'Name, Command*, (Table+, Command*)?, AcceptNoTables?', 'A data carrier.'],
  [
    'Table',
    `URL, Name?, Description?, Validity?, (${ENCODINGS})?,\n` +
      '  (DecimalSymbol, DigitGroupingSymbol)?, SkipNumBytes?, Range?, Epoch?,\n' +
      '  (VariableLength | FixedLength)',
    'A file and how to read it.',
  ],
  ['Validity', 'Range, Format?', 'The period that a table is about.'],
  ['Range', 'From, (To | Length)?', 'Lines of the file; 2 and more: without the header.'],
  ['FixedRange', 'From, (To | Length)?', 'Places of a column of fixed width.'],
  [
    'VariableLength',
    'ColumnDelimiter?, RecordDelimiter?, TextEncapsulator?,\n' +
      '  ((VariablePrimaryKey+, VariableColumn*) | VariableColumn+), ForeignKey*',
    'Columns with a separator between them.',
  ],
  ['VariablePrimaryKey', variable(), 'A column of the key.'],
  ['VariableColumn', variable(), 'A column.'],
  [
    'FixedLength',
    '(Length | RecordDelimiter)?,\n' +
      '  ((FixedPrimaryKey+, FixedColumn*) | FixedColumn+), ForeignKey*',
    'Columns of fixed width.',
  ],
  ['FixedPrimaryKey', fixed(), 'A column of the key.'],
  ['FixedColumn', fixed(), 'A column.'],
  ['Numeric', '(ImpliedAccuracy | Accuracy)?', 'A number, and its decimals.'],
  ['Date', 'Format?', 'A date.'],
  ['ForeignKey', 'Name+, References, Alias*', 'Columns that point into another table.'],
  ['Alias', 'From, To', 'Another name of a column.'],
  ['Map', 'Description?, From, To', 'A value that stands for another one.'],
]

function variable(): string {
  return 'Name, Description?, (Numeric | (AlphaNumeric, MaxLength?) | Date), Map*'
}

function fixed(): string {
  return 'Name, Description?, (Numeric | AlphaNumeric | Date), Map*, FixedRange'
}

/** The text of gdpdu-01-09-2004.dtd. */
export function dtdText(): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!-- Description standard for data that a taxpayer hands over (GDPdU, GoBD), version 1.5.',
    '     The elements of index.xml and their order; no element has attributes. -->',
    ...MODELS.flatMap(([name, model, about]) => [
      `<!-- ${about} -->`,
      `<!ELEMENT ${name} (${model})>`,
    ]),
    '<!-- Texts. -->',
    ...TEXTS.map((name) => `<!ELEMENT ${name} (#PCDATA)>`),
    '<!-- Marks. -->',
    ...EMPTY.map((name) => `<!ELEMENT ${name} EMPTY>`),
  ]
  return `${lines.join('\n')}\n`
}

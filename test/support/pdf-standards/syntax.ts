// What PDF/A-3a (ISO 19005-3:2012) asks of the bytes of a file, outside of what its streams hold.
import { isUtf8 } from 'node:buffer'
import { contentsOf, operatorsIn, type PdfFile, type Rule, rewrite } from './file.js'

const clause = (number: string): string => `ISO 19005-3 ${number}`

/** A letter is a byte; without what streams and texts hold. */
function bodyOf({ bytes }: PdfFile): string {
  return bytes
    .toString('latin1')
    .replace(/((?<!end)stream\r?\n)[\s\S]*?([\s\S]endstream)/g, '$1$2')
    .replace(/\((?:\\[\s\S]|[^\\()])*\)/g, '()')
}

/** Other bytes of the same length in the place of the first match. */
function overwrite({ bytes }: PdfFile, find: RegExp, put: (found: string) => string): void {
  const found = find.exec(bytes.toString('latin1'))
  if (found !== null) bytes.write(put(found[0]), found.index, 'latin1')
}

const TABLE = /[\r\n]xref\r?\n(?:\d+ \d+\r?\n(?:\d{10} \d{5} [nf](?: \r| \n|\r\n))*)+trailer/

/** A name as its bytes: `#20` is a blank. */
function nameBytes(name: string): Buffer {
  const plain = name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(plain, 'latin1')
}

/** How often it is written, and how often in its right form. */
function unlike(body: string, all: RegExp, right: RegExp): string[] {
  const [found, good] = [all, right].map((one) => body.match(one)?.length ?? 0)
  return found === good && found !== 0 ? [] : [`${good} of ${found}`]
}

export const SYNTAX_RULES: readonly Rule[] = [
  {
    clause: clause('6.1.4'),
    holds: 'has a table of its objects whose lines are 20 bytes long',
    faults: ({ bytes }) => (TABLE.test(bytes.toString('latin1')) ? [] : ['xref']),
    spoil: (file) => overwrite(file, /\d{10} \d{5} n/, (line) => line.replace(' ', 'x')),
  },
  {
    clause: clause('6.1.6'),
    holds: 'writes hexadecimal texts with an even number of digits',
    faults: (file) =>
      [...bodyOf(file).matchAll(/(?<!<)<([^<>]*)>(?!>)/g)]
        .map(([, text = '']) => text.replace(/\s/g, ''))
        .filter((text) => text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)),
    spoil: (file) => overwrite(file, /<[0-9a-f]{32}>/i, (text) => text.replace(/.>$/, ' >')),
  },
  {
    clause: clause('6.1.7.1'),
    holds: 'begins and ends its streams with lines',
    faults: (file) => [
      ...unlike(bodyOf(file), /(?<!end)stream\b/g, /(?<!end)stream\r?\n/g),
      ...unlike(bodyOf(file), /endstream\b/g, /[\r\n]endstream\r?\n/g),
    ],
    spoil: (file) => overwrite(file, /\nendstream\n/, () => ' endstream\n'),
  },
  {
    clause: clause('6.1.8'),
    holds: 'has names in UTF-8',
    faults: (file) =>
      (bodyOf(file).match(/\/[^\s<>[\](){}/%]+/g) ?? []).filter((name) => !isUtf8(nameBytes(name))),
    spoil: (file) => overwrite(file, /\/Type\b/, () => '/T\xffpe'),
  },
  {
    clause: clause('6.1.9'),
    holds: 'has each object between lines of its own',
    faults: (file) => [
      ...unlike(bodyOf(file), /\d\s+\d+\s+obj\b/g, /[\r\n]\d+ \d+ obj\r?\n/g),
      ...unlike(bodyOf(file), /endobj\b/g, /[\r\n]endobj\r?\n/g),
    ],
    spoil: (file) => overwrite(file, /\nendobj\n/, () => ' endobj\n'),
  },
  {
    clause: clause('6.1.10'),
    holds: 'has no pictures within its contents',
    faults: (file) =>
      contentsOf(file)
        .flatMap(operatorsIn)
        .filter((one) => ['BI', 'ID', 'EI'].includes(one)),
    spoil: (file) => rewrite(file, (content) => `${content}\nBI\n`),
  },
]

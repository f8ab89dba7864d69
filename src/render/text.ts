// A receipt as plain text of a fixed number of columns. Called by the groups that show receipts.
import type { SignaturePlace, SignatureView } from './signatures.js'
import type { ItemView, ReceiptView } from './view.js'

/** UTF-8 text with line feeds; no line is longer than `columns`, no character is a command. */
export function textReceipt(view: ReceiptView, columns: number): string {
  const at = (place: SignaturePlace): string[] =>
    view.signatures
      .filter((one) => one.place === place && one.only !== 'screen')
      .flatMap((one) => signatureLines(one, columns))
  const wrap = (lines: readonly string[]): string[] =>
    lines.flatMap((line) => wrapped(line, columns))
  const block = (lines: readonly string[]): string[] => (lines.length > 0 ? [...lines, ''] : [])
  const rule = '-'.repeat(columns)
  const lines = [
    ...block(at('before-header')),
    ...block(wrap(view.merchant).map((line) => centred(line, columns))),
    ...block(wrap(view.marks.map((mark) => `*** ${mark} ***`))),
    ...block(wrap(view.header)),
    ...block(view.facts.flatMap(({ label, value }) => pair(`${label}:`, value, columns))),
    ...block(wrap(view.customer)),
    ...block(at('after-header')),
    ...view.items.flatMap((item) => itemLines(item, columns)),
    ...wrap(view.chargeLines),
    ...at('after-items'),
    rule,
    ...pair(view.words.total, view.total, columns),
    rule,
    ...vatLines(view, columns),
    ...at('after-total'),
    ...view.payments.flatMap((one) => pair(one.description, one.amount, columns)),
    ...block(wrap([...view.payLines, ...view.receiptLines])),
    ...block(at('usual')),
    ...cardLines(view, columns),
    ...wrap(view.footer),
    ...at('after-footer'),
  ]
  const kept = lines.filter((line, index) => line !== '' || lines[index - 1] !== '')
  return `${kept.join('\n').trimEnd()}\n`
}

function itemLines(item: ItemView, columns: number): string[] {
  const indent = item.belongs ? '  ' : ''
  const right = `${item.amount} ${item.rate.padStart(5)}`
  const inside = columns - 2
  return [
    ...pair(`${indent}${item.description}`, right, columns),
    ...(item.detail === '' ? [] : wrapped(item.detail, inside).map((line) => `  ${line}`)),
    ...item.lines.flatMap((line) => wrapped(line, inside)).map((line) => `  ${line}`),
  ]
}

function vatLines({ vat, words }: ReceiptView, columns: number): string[] {
  if (vat.length === 0) return []
  const width = Math.floor(columns / 4)
  const row = (cells: readonly string[]): string[] => {
    const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(width) : cell.padStart(width)))
    return wrapped(padded.join('').trimEnd(), columns)
  }
  return [
    ...row([words.rate, words.net, words.tax, words.gross]),
    ...vat.flatMap(({ rate, net, tax, gross }) => row([rate, net, tax, gross])),
    '',
  ]
}

function cardLines({ payments }: ReceiptView, columns: number): string[] {
  return payments
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ description, amount, lines }) => [
      ...pair(description, amount, columns),
      ...lines.flatMap((line) => wrapped(line, columns)),
      '',
    ])
}

/** A code cannot be drawn with letters: its text stands there. */
function signatureLines({ caption, data }: SignatureView, columns: number): string[] {
  return [...(caption === '' ? [] : wrapped(caption, columns)), ...wrapped(data, columns)]
}

/** Left and right in one line, or the right below when both do not fit. */
function pair(left: string, right: string, columns: number): string[] {
  const room = columns - right.length - 1
  const lines = wrapped(left, Math.max(room, Math.floor(columns / 2)))
  const last = lines.pop() ?? ''
  if (last.length <= room) return [...lines, last.padEnd(room + 1) + right]
  return [...lines, last, ...wrapped(right, columns).map((line) => line.padStart(columns))]
}

function centred(line: string, columns: number): string {
  return ' '.repeat(Math.floor((columns - line.length) / 2)) + line
}

/** What fits stays as it is; else breaks at blanks, and cuts words that are too long. */
function wrapped(text: string, columns: number): string[] {
  if (text.length <= columns) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (joined.length <= columns) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    let start = 0
    while (word.length - start > columns) {
      const end = start + columns - (isFirstHalf(word, start + columns - 1) ? 1 : 0)
      lines.push(word.slice(start, end))
      start = end
    }
    line = word.slice(start)
  }
  lines.push(line)
  return lines
}

/** True when the sign at this place goes on in the next one. */
function isFirstHalf(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800
}

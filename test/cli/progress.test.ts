// Bars of long commands: on a terminal alone, with the time that is left.
import { expect, it } from 'vitest'
import { barOf, type Terminal } from '../../src/cli/progress.js'

function screen(isTTY: boolean, columns = 80) {
  const written: string[] = []
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0
  return { written, stream: { isTTY, columns, write } as Terminal }
}

it('a bar says how far it is, how long it takes, and is gone at the end', () => {
  const { written, stream } = screen(true)
  let ms = 0
  const bar = barOf(stream, () => ms)
  bar.at(0, 200, 'receipts')
  ms = 50
  bar.at(10, 200, 'receipts')
  ms = 65_000
  bar.at(100, 200, 'receipts')
  ms = 7_265_000
  bar.at(1, undefined, '12 MB')
  bar.end()
  expect(written.map((one) => one.replace('\r\u001b[K', ''))).toEqual([
    `[${'-'.repeat(24)}]   0 %  receipts`,
    `[${'#'.repeat(12)}${'-'.repeat(12)}]  50 %  1:05 left  receipts`,
    '12 MB  2:01:05',
    '',
  ])
})

it('it never breaks the line, and beyond its end it is full', () => {
  const { written, stream } = screen(true, 20)
  barOf(stream).at(3, 2, 'x'.repeat(100))
  expect(written).toEqual([`\r\u001b[K[${'#'.repeat(18)}`])
})

it('where no terminal is nothing is written', () => {
  const { written, stream } = screen(false)
  const bar = barOf(stream)
  bar.at(1, 2)
  bar.end()
  expect(written).toEqual([])
})

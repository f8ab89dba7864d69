// Wrong lines of a file are left out, or saved alone, as the server counts lines.
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Lines {
  split(file: File, lines: ReadonlySet<number>): Promise<{ rest: File; wrong: File }>
}

// the pages are a program of their own, of another library of types
const PAGE = join(import.meta.dirname, '../../../portal/src/pages/import-lines.ts')
const { split } = (await import(PAGE)) as Lines

const TEXT = 'A;B\r\n\r\n;;\n"one\nof ""two""";ä\rtwo;2\n"three"; 3\n'
const UTF_16 = Buffer.from(`\ufeff${TEXT}`, 'utf16le')

it.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16', UTF_16],
  ['UTF-16, the other way round', Buffer.from(UTF_16).swap16()],
  ['windows-1252', Buffer.from(TEXT, 'latin1')],
])('records are kept whole, empty ones are none: %s', async (_, bytes) => {
  const { rest, wrong } = await split(new File([bytes], 'shops.csv'), new Set([3]))
  expect(await rest.text()).toBe('A;B\r\n"one\nof ""two""";ä\r\n"three"; 3\r\n')
  expect([wrong.name, await wrong.text()]).toEqual(['wrong-shops.csv', 'A;B\r\ntwo;2\r\n'])
  expect(Buffer.from(await rest.arrayBuffer()).subarray(0, 3)).toEqual(Buffer.from('\ufeff'))
})

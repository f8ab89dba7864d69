import fc from 'fast-check'
import { expect, it } from 'vitest'
import { attachment } from '../../src/lib/attachment.js'

it.each([
  ['K-1_0x4154.json', 'attachment; filename="K-1_0x4154.json"'],
  ['a b+c.csv', 'attachment; filename="a b+c.csv"'],
  ['Café.json', `attachment; filename="Caf_.json"; filename*=UTF-8''Caf%C3%A9.json`],
  ["l'é(1)!.tar", `attachment; filename="l'_(1)!.tar"; filename*=UTF-8''l%27%C3%A9%281%29%21.tar`],
  ['a"b\\c.xml', 'attachment; filename="a-b-c.xml"'],
  ['a\r\nSet-Cookie: x=1.zip', 'attachment; filename="a-Set-Cookie- x=1.zip"'],
  ['../../etc/passwd', 'attachment; filename="-..-etc-passwd"'],
  ['', 'attachment; filename="file"'],
  ['...', 'attachment; filename="file"'],
])('%j is told as %s', (name, told) => {
  expect(attachment(name)).toBe(told)
})

it('every name gives a header of printable ASCII with one quoted name and no path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const told = attachment(name)
      const [, plain, , star] =
        /^attachment; filename="([\x20-\x7e]+)"(; filename\*=UTF-8''([A-Za-z0-9.%_~ -]+))?$/.exec(
          told,
        ) ?? []
      expect(plain, JSON.stringify(name)).toBeDefined()
      expect(plain).not.toMatch(/["\\/:*?<>|%;]/)
      if (star !== undefined) expect(decodeURIComponent(star)).not.toMatch(/[\p{Cc}"\\/]/u)
    }),
    { numRuns: 500 },
  )
})

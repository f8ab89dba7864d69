// Files that are no collection protocol, or are made to hurt: one clear finding, no crash, no
// growing memory.
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/model/verdict.js'
import { verifyDep7 } from '../../../src/verify/at/dep7.js'
import { depOf, examples, groupOf, pieces } from '../../support/dep7-maker.js'
import { brief, findingsOf } from '../../support/dep7-scene.js'

const right = depOf({ receipts: examples.receipts })
const group = groupOf({ receipts: examples.receipts })
const options = { key: examples.key }

function without(name: string): string {
  const { [name]: _, ...rest } = group
  return JSON.stringify({ 'Belege-Gruppe': [rest] })
}

describe('structure', () => {
  it.each([
    ['Signaturzertifikat', ['SERIAL_UNKNOWN', 'STRUCTURE_MISSING']],
    ['Zertifizierungsstellen', ['STRUCTURE_MISSING']],
    ['Belege-kompakt', ['STRUCTURE_MISSING', 'NO_RECEIPTS']],
  ])('a group without %s is told', async (name, expected) => {
    const codes = (await findingsOf(without(name), options)).map(({ code }) => code)
    expect([...new Set(codes)].sort()).toEqual(expected.sort())
  })

  it.each([
    ['Belege-kompakt in other letters', right.replace('"Belege-kompakt"', '"Belege-Kompakt"')],
    ['Belege-Gruppe in other letters', right.replace('"Belege-Gruppe"', '"belege-gruppe"')],
  ])('%s is no such member', async (_, text) => {
    expect(brief(await findingsOf(text, options))).toContain('STRUCTURE_MISSING')
  })

  it.each([
    ['a number', '5'],
    ['a list', '[]'],
    ['null', 'null'],
    ['groups that are an object', '{"Belege-Gruppe":{}}'],
    ['groups that are a text', '{"Belege-Gruppe":"x"}'],
    ['a group that is a list', '{"Belege-Gruppe":[[]]}'],
    ['a group that is a text', '{"Belege-Gruppe":["x"]}'],
    [
      'receipts that are a text',
      JSON.stringify({ 'Belege-Gruppe': [{ ...group, 'Belege-kompakt': 'x' }] }),
    ],
    [
      'receipts that are null',
      JSON.stringify({ 'Belege-Gruppe': [{ ...group, 'Belege-kompakt': null }] }),
    ],
    ['a certificate that is a list', depOf({ certificate: [], receipts: [] })],
    ['authorities that are null', depOf({ authorities: 'x', receipts: [] })],
    ['an authority that is a number', depOf({ authorities: [5], receipts: [] })],
  ])('%s is told', async (_, text) => {
    const codes = (await findingsOf(text, options)).map(({ code }) => code)
    expect(codes).toContain('STRUCTURE_TYPE')
    expect(codes).toContain('NO_RECEIPTS')
  })

  it.each([5, null, true, {}, [], 'x', ''])(
    'a receipt that is %j is told by its position',
    async (entry) => {
      const text = depOf({ receipts: [...examples.receipts, entry] })
      expect(brief(await findingsOf(text, options))).toEqual(['JWS_FORM position 9'])
    },
  )

  it('a member that comes twice is told', async () => {
    const twice = right.replace('{"Sig', '{"Signaturzertifikat":"","Sig')
    expect(brief(await findingsOf(twice, options))).toEqual(['STRUCTURE_DOUBLED'])
    const root = `${right.slice(0, -1)},"Belege-Gruppe":[]}`
    expect(brief(await findingsOf(root, options))).toEqual(['STRUCTURE_DOUBLED'])
  })

  it('a file without receipts is told', async () => {
    expect(brief(await findingsOf('{"Belege-Gruppe":[]}', options))).toEqual(['NO_RECEIPTS'])
    expect(brief(await findingsOf(depOf({ receipts: [] }), options))).toEqual(['NO_RECEIPTS'])
  })

  it.each(['AAAA', 'no base64', `${examples.certificate}=`, examples.certificate.slice(0, 200)])(
    'a certificate %j that is none is told',
    async (certificate) => {
      const text = depOf({ certificate, receipts: examples.receipts })
      expect(brief(await findingsOf(text, options))).toEqual(['CERTIFICATE_FORM'])
      const authority = depOf({ authorities: [certificate], receipts: examples.receipts })
      expect(brief(await findingsOf(authority, options))).toEqual(['AUTHORITY_FORM'])
    },
  )

  it('a certificate behind its receipts is told, and found in the summary', async () => {
    const { Signaturzertifikat, ...rest } = group
    const text = JSON.stringify({ 'Belege-Gruppe': [{ ...rest, Signaturzertifikat }] })
    const findings: Finding[] = []
    const summary = await verifyDep7(pieces(text), options, (finding) => findings.push(finding))
    expect(brief(findings)).toContain('CERTIFICATE_LATE')
    expect(summary.lateCertificates).toEqual([examples.certificate])
    const certificates = summary.lateCertificates
    expect(await findingsOf(text, { ...options, certificates })).toEqual([])
  })
})

describe('text that is no JSON', () => {
  it.each([
    ['nothing', ''],
    ['blanks', '  \n'],
    ['cut in a receipt', right.slice(0, -300)],
    ['cut at the end', right.slice(0, -1)],
    ['text behind the end', `${right} x`],
    ['a second document', `${right}{}`],
    ['a comma too many', right.replace(']}]}', ',]}]}')],
    ['a missing comma', right.replace('","ey', '""ey')],
    ['a missing colon', right.replace('":[{', '"[{')],
    ['brackets that do not fit', right.replace(/\]\}\]\}$/, '}]]}')],
    ['single quotes', right.replaceAll('"', "'")],
    ['an open string', '{"Belege-Gruppe":["'],
    ['a name without value', '{"a"}'],
    ['a raw control character', '{"a":"\u0001"}'],
    ['UTF-16', Buffer.from(right, 'utf16le')],
    ['a null byte', '\0'],
  ])('%s is told with what was read before', async (_, text) => {
    const findings = await findingsOf(text, options)
    expect(findings.at(-1)?.code).toBe('JSON_BROKEN')
    expect(findings.at(-1)?.text).toMatch(/\d+ receipts were read before$/)
  })

  it('what stands before the break is checked', async () => {
    const found = brief(
      await findingsOf(right.slice(0, -1).replace('U2ljaGVy', 'U2ljaGVx'), options),
    )
    expect(found).toEqual(['SIGNATURE_FORM ft5#6', 'JSON_BROKEN'])
  })

  it.each([
    [Buffer.from([0x22, 0xff, 0xfe, 0x41, 0x41, 0x41, 0x22])],
    [Buffer.from([0x22, 0xc0, 0x80, 0x41, 0x41, 0x41, 0x22])],
    [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x41, 0x41, 0x22])],
    [Buffer.from([0x22, 0xe2, 0x82])],
  ])('broken UTF-8 is told: %j', async (bytes) => {
    expect(brief(await findingsOf(bytes, options)).at(-1)).toBe('JSON_BROKEN')
  })

  it('a mark of byte order is tolerated, as the other verifiers do', async () => {
    expect(await findingsOf(`\ufeff${right}`, options)).toEqual([])
  })

  it('blanks and escapes are JSON', async () => {
    const text = JSON.stringify(JSON.parse(right), null, 4).replaceAll('B', '\\u0042')
    expect(await findingsOf(text, options)).toEqual([])
  })
})

describe('files made to hurt', () => {
  it('an endless text is refused after a few pieces', async () => {
    let given = 0
    async function* endless(start: string): AsyncIterable<Uint8Array> {
      yield Buffer.from(start)
      for (;;) {
        given += 65_536
        yield Buffer.alloc(65_536, 0x41)
      }
    }
    for (const start of ['{"', '{"a":"', '{"Belege-Gruppe":[{"Belege-kompakt":["', '{"a":1']) {
      given = 0
      const findings: Finding[] = []
      await verifyDep7(endless(start), options, (finding) => findings.push(finding))
      expect(findings.at(-1)?.code).toBe('JSON_BROKEN')
      expect(given).toBeLessThan(400_000)
    }
  })

  it('one piece of many megabytes is read in small ones', async () => {
    const text = `{"Belege-Gruppe":["${'A'.repeat(20_000_000)}"]}`
    const findings: Finding[] = []
    async function* once(): AsyncIterable<Uint8Array> {
      yield Buffer.from(text)
    }
    await verifyDep7(once(), options, (finding) => findings.push(finding))
    expect(findings.map(({ code }) => code)).toEqual(['JSON_BROKEN'])
  })

  it('deep nesting is refused', async () => {
    const text = `{"a":${'['.repeat(100_000)}`
    const findings = await findingsOf(text, options)
    expect(findings.at(-1)?.text).toContain('nested deeper than 64 levels')
  })

  it('a receipt of 60,000 characters is told without being read', async () => {
    const long = `${examples.receipts[0]}${'A'.repeat(60_000)}`
    const found = brief(await findingsOf(depOf({ receipts: [long] }), options))
    expect(found).toEqual(['JWS_FORM position 1'])
  })

  it('what is printed of the file has no control characters and an end', async () => {
    const [number, amount] = [`\u001b[31m${'x'.repeat(500)}\n`, '9'.repeat(900)]
    const payload = `_R1-AT100_K_${number}_5_${amount}_0,00_0,00_0,00_0,00_A_\u0007_B`
    const receipt = `eyJhbGciOiJFUzI1NiJ9.${Buffer.from(payload).toString('base64url')}.AAAA`
    const findings = await findingsOf(depOf({ receipts: [receipt] }), options)
    expect(findings.length).toBeGreaterThan(5)
    for (const { receipt: label, text } of findings) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
      expect(label + text).not.toMatch(/[\u0000-\u001f\u007f]/)
      expect(text.length).toBeLessThan(400)
      expect(label.length).toBeLessThan(100)
    }
  })

  it('any change of a single byte is found when the certificate is known', async () => {
    const bytes = Buffer.from(right)
    const certificates = [examples.certificate]
    const step = 7
    for (let at = 0; at < bytes.length; at += step) {
      const changed = Buffer.from(bytes)
      changed[at] = (bytes[at] ?? 0) === 0x42 ? 0x43 : 0x42
      const findings = await findingsOf(changed, { ...options, certificates })
      expect(findings.length, `byte ${at}`).toBeGreaterThan(0)
    }
  })
})

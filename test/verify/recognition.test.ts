// A verifier knows its file by what is in it, wherever in an archive it lies.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { verifyFile } from '../../src/core/audit/verify/file.js'
import { verifiers } from '../../src/verify/index.js'
import { unzipped, zipped } from '../support/dsfinvk-zip.js'
import { tarOf, unpacked } from '../support/tse-device.js'
import { isRecognised } from '../support/verdicts.js'

const folder = mkdtempSync(join(tmpdir(), 'recognition-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function verdictOf(bytes: Uint8Array, language: 'de' | 'en' = 'en') {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const { kind, findings } = await verifyFile(path, { language })
  return { kind, first: findings[0]?.text ?? '' }
}

const sample = (name: string) =>
  readFileSync(new URL(`../market/de/samples/${name}`, import.meta.url))
const readme = { name: 'read "me".txt', content: Buffer.from('hello') }
const others = ['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((name) => ({ ...readme, name }))

it('no two verifiers have the same name', () => {
  expect(new Set(verifiers.map(({ name }) => name)).size).toBe(verifiers.length)
})

it.each(verifiers)('$name: not just any file', async (verifier) => {
  for (const head of ['', '[]', '{"a":1}', '<a/>', '%PDF-1.7', 'PK\u0003\u0004', 'hello']) {
    expect(await isRecognised(verifier, Buffer.from(head)), head).toBe(false)
  }
})

describe('an export with a foreign member in front', () => {
  it('a DSFinV-K is one all the same', async () => {
    const members = await unzipped(sample('dsfinvk.zip'))
    const bytes = await zipped(new Map([[readme.name, readme.content], ...members]))
    expect((await verdictOf(bytes)).kind).toBe('DSFinV-K')
  })

  it('the log of a TSE is one all the same', async () => {
    const bytes = await tarOf([readme, ...(await unpacked(sample('tse-p256.tar')))])
    expect((await verdictOf(bytes)).kind).toBe('TSE TAR')
  })
})

describe('an archive of other things', () => {
  const zipOf = (list: typeof others) =>
    zipped(new Map(list.map(({ name, content }) => [name, content])))
  const kinds =
    'DEP7, TSE TAR, DSFinV-K, French archive, French journal of a chain, French journal, ' +
    'documents of RT (IT), SAF-T (PT), GovernmentAPI (ES), myDATA (GR)'
  const known = `expected one of ${kinds}`

  it.each([
    ['ZIP', () => zipOf(others)],
    ['TAR', () => tarOf(others)],
  ])('a %s is refused with what it holds and what is known', async (format, make) => {
    const told = `found a ${format} of other members: "a.txt", "b.txt", "c.txt"`
    expect(await verdictOf(await make())).toEqual({
      kind: null,
      first: `no known export: ${known}, ${told}`,
    })
  })

  it('says so in German, names of members as they are', async () => {
    expect((await verdictOf(await zipOf([readme]), 'de')).first).toBe(
      `kein bekannter Export: erwartet ${kinds}, ` +
        'gefunden ein ZIP mit anderen Dateien: "read \\"me\\".txt"',
    )
  })

  it('a ZIP without members has none to name', async () => {
    expect((await verdictOf(await zipOf([]))).first).toBe(
      `no known export: ${known}, found a ZIP without members`,
    )
  })

  it('what follows one thousand foreign members is not looked for', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ ...readme, name: `${at}.txt` }))
    const bytes = await tarOf([...many, { ...readme, name: 'info.csv' }])
    expect((await verdictOf(bytes)).kind).toBeNull()
  })
})

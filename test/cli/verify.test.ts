// `verify`: its exit codes and what stands on which stream, as a process of its own; and each
// option, in the process of the test.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { command, type Said, start } from '../support/command.js'
import { containerOf, depOf, exampleSigner, examples, newSigner } from '../support/dep7-maker.js'
import { scene } from '../support/dep7-scene.js'
import { type BonPlan, ExportMaker } from '../support/dsfinvk-maker.js'
import { type Export, edited, rowsOf, unzipped, zipped } from '../support/dsfinvk-zip.js'
import { tarOf } from '../support/tse-device.js'

/** Of several processes one after the other. */
const PATIENCE_MS = 120_000
const folder = mkdtempSync(join(tmpdir(), 'verify-command-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sample = (name: string) =>
  fileURLToPath(new URL(`../market/de/samples/${name}`, import.meta.url))
const example = (await unzipped(readFileSync(sample('dsfinvk.zip')))).set(
  'gdpdu-01-09-2004.dtd',
  Buffer.from('x'),
)

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const verify = (...words: string[]): Promise<Said> => command(['verify', ...words])

/** Everything that it says has left when a process of its own has ended. */
const alone = (...words: string[]): Promise<Said> =>
  start(['verify', ...words], { HOME: folder }).ended

async function document(...words: string[]) {
  const { code, stdout, stderr } = await verify(...words, '--json')
  expect(stderr).toBe('')
  return { code, verdict: JSON.parse(stdout) as Record<string, unknown> }
}

async function exportOf(plans: BonPlan[], change: [string, string, string][] = []) {
  const maker = new ExportMaker(example)
  maker.closing(plans)
  const files: Export = change.length === 0 ? maker.files() : edited(maker.files(), change)
  return zipped(files)
}

const dep = (from = 0, to?: number) => depOf({ receipts: examples.receipts.slice(from, to) })

describe('the exit code of verify', { timeout: PATIENCE_MS }, () => {
  it.each(['tse-p256.tar', 'dsfinvk.zip'])('is 0 for a sound %s', async (name) => {
    const { code, stdout, stderr } = await alone(sample(name))
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/accepted\n$/)
  })

  it('is 1 when the log is broken', async () => {
    const bytes = readFileSync(sample('tse-p256.tar'))
    const { code, stdout } = await alone(written('cut.tar', bytes.subarray(0, 6000)))
    expect(code).toBe(1)
    expect(stdout).toContain('refused: the log of the device or the chain is not sound')
  })

  it('is 3 when only the content is irregular', async () => {
    const zip = await exportOf([{}], [['cashpointclosing.csv', 'DEU', '']])
    const { code, stdout } = await alone(written('irregular.zip', zip))
    expect([code, stdout.includes('irregular: the log is sound')]).toEqual([3, true])
  })

  it.each([
    ['text', 'hello'],
    ['a foreign archive', gzipSync('hello')],
    ['foreign JSON', '{"receipts":[]}'],
  ])('is 1 for a file that is no known export: %s', async (_name, content) => {
    const { code, verdict } = await document(written('foreign', content))
    expect(code).toBe(1)
    expect(verdict).toMatchObject({ ok: false, kind: null, findings: [{ code: 'FILE_UNKNOWN' }] })
    expect(JSON.stringify(verdict)).toContain('no known export')
  })

  it.each([
    [['FILE', '--language', 'it'], '--language must be one of: de, en, fr'],
    [['FILE', '--tar'], '--tar needs a value'],
  ])('is 2 for wrong usage: %j', async (words, says) => {
    const { code, stdout, stderr } = await alone(...words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(says)
  })
})

describe('an option of verify', { timeout: PATIENCE_MS }, () => {
  it('--json gives one document with both parts and every finding', async () => {
    const zip = await exportOf([{}], [['cashpointclosing.csv', 'DEU', '']])
    const { code, verdict } = await document(written('shape.zip', zip))
    expect(code).toBe(3)
    expect(verdict).toMatchObject({ ok: false, device: { ok: true }, content: { ok: false } })
    const findings = verdict.findings as Record<string, unknown>[]
    expect(findings.length).toBeGreaterThan(0)
    for (const finding of findings) {
      expect(Object.keys(finding)).toEqual(['code', 'receipt', 'text', 'notice'])
      expect(typeof finding.notice).toBe('boolean')
    }
    expect(findings.some(({ notice }) => notice === false)).toBe(true)
  })

  it.each(['tse-p256.tar', 'dsfinvk.zip'])('takes %s packed as .gz', async (name) => {
    const packed = written(`${name}.gz`, gzipSync(readFileSync(sample(name))))
    const { code, verdict } = await document(packed)
    expect([code, verdict.ok]).toEqual([0, true])
    const cut = written(`cut-${name}.gz`, readFileSync(packed).subarray(0, -200))
    expect((await verify(cut)).code).toBe(1)
  })

  it('--language de speaks German, and its codes stay', async () => {
    const path = written('german.tar', readFileSync(sample('tse-p256.tar')).subarray(0, 6000))
    const [english, german] = [await document(path), await document(path, '--language', 'de')]
    const codes = ({ verdict }: typeof english) =>
      (verdict.findings as { code: string; text: string }[]).map(({ code }) => code)
    expect(codes(german)).toEqual(codes(english))
    expect(german.verdict.findings).not.toEqual(english.verdict.findings)
    const { code, stdout } = await verify(path, '--language', 'de')
    expect([code, stdout.includes('abgelehnt: das Protokoll des Geräts')]).toEqual([1, true])
    expect(stdout).toMatch(/Archive 1, Meldungen \d+, bewiesen \d+, Transaktionen \d+\n/)
    for (const name of ['tse-p256.tar', 'dsfinvk.zip']) {
      const sound = (await verify(sample(name), '--language', 'de')).stdout
      expect(sound).not.toMatch(/\b(archives|messages|receipts|closings|proven|transactions)\b/)
    }
    const counts = (await verify(written('counts.json', dep()), '--language', 'de')).stdout
    expect(counts).toMatch(/Gruppen 1, Belege \d+, signiert \d+, ohne Gerät \d+/)
  })

  it('--language fr speaks French about French files', async () => {
    const rows = [{ ftJournalFRId: '1', JWT: 'x.y', JsonData: '{}', ReceiptType: 'T' }]
    const path = written('journal.json', JSON.stringify(rows))
    const { code, stdout } = await verify(path, '--language', 'fr')
    expect([code, stdout]).toEqual([1, expect.stringContaining('un JWS compact au contenu plat')])
    expect(stdout).toMatch(/refusé : le journal de l'appareil .*, \d+ constat\(s\)/)
    expect(stdout).not.toMatch(/\b(expected|found|refused|note)\b/)
  })

  it('--after continues a DEP behind the export before it, or its chaining value', async () => {
    const key = ['--key', examples.key]
    const [first, second] = [written('first.json', dep(0, 4)), written('second.json', dep(4))]
    expect((await verify(second, ...key)).code).toBe(1)
    expect(await verify(second, ...key, '--after', first)).toMatchObject({ code: 0, stderr: '' })
    expect((await verify(second, ...key, '--after', written('all.json', dep()))).code).toBe(1)
    const wrong = await verify(second, ...key, '--after', 'no-file')
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toContain('--after is neither an existing file nor valid')
  })

  it('--partial allows a TAR that was filtered, and is for logs of devices', async () => {
    const members = tarMembersOf(readFileSync(sample('tse-p256.tar')))
    const kept = members.filter(({ name }) => !/_Sig-6_|_Sig-7_/.test(name))
    expect(kept.length).toBeLessThan(members.length)
    const path = written('filtered.tar', await tarOf(kept))
    expect((await verify(path)).code).toBe(1)
    expect(await verify(path, '--partial')).toMatchObject({ code: 0, stderr: '' })
    const wrong = await verify(written('dep.json', dep()), '--partial')
    expect(wrong.stderr).toContain('--partial does not fit')
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
  })

  it('--tar compares a DSFinV-K with the log of its TSE', async () => {
    const maker = new ExportMaker(example)
    maker.closing([{}, {}])
    const files = maker.files()
    const log = written('own.tar', await tarOf(maker.device.archive()))
    const zip = written('both.zip', await zipped(files))
    expect(await document(zip, '--tar', log)).toMatchObject({ code: 0, verdict: { ok: true } })
    const [, sold = ''] = rowsOf(files, 'transactions_tse.csv')
    const cases: [string, string, string][] = [
      ['TAR_DIFFERS', sold, sold.replace(/(;\d+;\d+;"2026-01-01T)\d\d/, '$101')],
      ['TAR_ONLY', sold, sold.replace(/;1;(\d+);.*/, ';1;;"";"";"";;"";"TSE ausgefallen";""')],
    ]
    for (const [code, from, to] of cases) {
      const changed = await zipped(edited(files, [['transactions_tse.csv', from, to]]))
      const { verdict } = await document(written(`${code}.zip`, changed), '--tar', log)
      expect(codesOf(verdict)).toContain(code)
    }
    const less = written(
      'less.tar',
      await tarOf(maker.device.archive(maker.device.members.slice(0, -2))),
    )
    const lacking = await document(zip, '--tar', less)
    expect([lacking.code, codesOf(lacking.verdict)]).toEqual([3, ['TAR_LACKS']])
    const wrong = await verify(log, '--tar', zip)
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toContain('--tar does not fit')
  })

  it('--certificate takes DER as devices export it, and says so of a folder', async () => {
    const dep7 = written('der.json', dep())
    const der = written('der.cer', Buffer.from(examples.certificate, 'base64'))
    const sound = await document(dep7, '--certificate', der)
    expect([sound.code, sound.verdict.findings]).toEqual([0, []])
    const root = tarMembersOf(readFileSync(sample('tse-p256.tar'))).find(({ name }) =>
      name.startsWith('C35424'),
    )
    const issuer = written('issuer.cer', root?.content ?? '')
    const tar = await document(sample('tse-p256.tar'), '--certificate', issuer)
    expect([tar.code, codesOf(tar.verdict)]).toEqual([0, []])
    const wrong = await verify(dep7, '--certificate', folder)
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toContain(`--certificate ${folder} cannot be read: it is a folder.`)
  })

  it('--certificate with a container of keys refuses a DEP7 that somebody forged', async () => {
    const { register, receipts } = scene({}, await newSigner())
    const container = written('container.json', containerOf(register, [exampleSigner]))
    const own = scene()
    const forged = written('forged.json', depOf({ receipts }))
    const { code, verdict } = await document(forged, '--certificate', container)
    expect([code, new Set(codesOf(verdict)).has('SERIAL_UNKNOWN')]).toEqual([1, true])
    const right = written('own.json', containerOf(own.register, [exampleSigner]))
    const genuine = written('genuine.json', depOf({ receipts: own.receipts }))
    expect((await document(genuine, '--certificate', right)).code).toBe(0)
  })
})

const codesOf = ({ findings }: Record<string, unknown>) =>
  (findings as { code: string; notice: boolean }[])
    .filter(({ notice }) => !notice)
    .map(({ code }) => code)

/** By tar itself, in the order of the archive. */
function tarMembersOf(tar: Buffer): { name: string; content: Buffer }[] {
  const names = execFileSync('tar', ['-t'], { input: tar }).toString().trim().split('\n')
  return names.map((name) => ({
    name,
    content: execFileSync('tar', ['-xO', '--', name], { input: tar }),
  }))
}

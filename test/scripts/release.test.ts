// A release: the version stands everywhere, the changelog is closed, and what is handed out can be
// checked.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { handOut } from '../../scripts/release/parcel.js'
import { closedChangelog, notesOf, versionedFiles } from '../../scripts/release/texts.js'

const read = (path: string): string => readFileSync(path, 'utf8')
const now = String(JSON.parse(read('package.json')).version)

describe('the version', () => {
  it('is put into every file that has it', () => {
    const files = versionedFiles(read, { from: now, to: '99.1.0' })
    if (typeof files === 'string') throw new Error(files)
    expect(JSON.parse(files.get('package.json') ?? '').version).toBe('99.1.0')
    const lock = JSON.parse(files.get('package-lock.json') ?? '')
    expect([lock.version, lock.packages[''].version]).toEqual(['99.1.0', '99.1.0'])
    expect(JSON.parse(files.get('client/package.json') ?? '').version).toBe('99.1.0')
    expect(files.get('docs/operations/kubernetes/fiskalwerk.yaml')).toContain('fiskalwerk:99.1.0')
    // nothing else of a file is touched: a package of the same version stays
    const changed = (files.get('package-lock.json') ?? '').split('\n')
    const before = read('package-lock.json').split('\n')
    expect(changed.filter((line, at) => line !== before[at])).toHaveLength(2)
  })

  it.each([
    ['', 'no version'],
    ['1.2', 'no version'],
    ['v1.2.3', 'no version'],
    ['0.0.9', 'does not come after'],
    [now, 'does not come after'],
    [`${now}-rc.1`, 'does not come after'],
  ])('%j is refused', (to, why) => {
    expect(versionedFiles(read, { from: now, to })).toContain(why)
  })

  it('comes after its own candidates', () => {
    const given = (path: string) => read(path).replaceAll(now, '5.0.0-rc.1')
    for (const to of ['5.0.0-rc.2', '5.0.0', '5.0.1']) {
      expect(versionedFiles(given, { from: '5.0.0-rc.1', to }), to).toBeInstanceOf(Map)
    }
  })
})

describe('the changelog', () => {
  const text =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- a thing\n\n## [0.1.0] - 2026-01-01\n\n- old\n'

  it('gets the open part under the version, and an empty open part', () => {
    const closed = closedChangelog(text, { version: '0.2.0', day: '2026-07-01' }) ?? ''
    expect(notesOf(closed)).toBe('')
    expect(notesOf(closed, '0.2.0')).toBe('### Added\n\n- a thing')
    expect(notesOf(closed, '0.1.0')).toBe('- old')
    expect(closedChangelog(closed, { version: '0.3.0', day: '2026-07-02' })).toBeUndefined()
  })

  it('of this tree has an open part', () => {
    expect(notesOf(read('CHANGELOG.md'))).not.toBe('')
  })
})

describe('what is handed out', () => {
  const root = mkdtempSync(join(tmpdir(), 'release-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('is sources, client, collections, notes and tag, with hashes that hold', async () => {
    for (const file of ['LICENSE', 'SECURITY.md', 'docs/third-party.md'])
      cpSync(file, join(root, file))
    mkdirSync(join(root, 'dist/client'), { recursive: true })
    mkdirSync(join(root, 'dist/collections'), { recursive: true })
    cpSync('client/package.json', join(root, 'dist/client/package.json'))
    writeFileSync(join(root, '.gitignore'), 'dist\n')
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: root,
      })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
    const notes = '### Added\n\n- a thing'
    await handOut(root, { version: '0.2.0', day: '2026-07-01', notes })
    const folder = join(root, 'dist/release')
    expect(readdirSync(folder).toSorted()).toEqual([
      ...['LICENSE', 'NOTES.md', 'SECURITY.md', 'SHA256SUMS', 'TAG', 'collections.tar.gz'],
      ...[`fiskalwerk-0.2.0.tar.gz`, `fiskalwerk-client-${now}.tgz`, 'third-party.md'],
    ])
    execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder })
    expect(read(join(folder, 'TAG'))).toBe('fiskalwerk 0.2.0, 2026-07-01\n\nAdded\n\n- a thing\n')
    const list = execFileSync('tar', ['-tzf', join(folder, 'fiskalwerk-0.2.0.tar.gz')]).toString()
    expect(list).toContain('fiskalwerk-0.2.0/LICENSE')
  })
})

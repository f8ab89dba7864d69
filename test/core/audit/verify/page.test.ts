// docs/verify.md tells every code that a verifier can find, and the part of the verdict it belongs
// to; every finding can be told in German, and is expected by a test that corrupts a file.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commonWording } from '../../../../src/core/audit/verify/wording.js'
import { dep7File } from '../../../../src/verify/at/dep7.js'
import { contentCodes, notices, rules } from '../../../../src/verify/at/rules.js'
import type { FileVerifier } from '../../../../src/verify/contract.js'
import {
  dsfinvkContentCodes,
  dsfinvkNotices,
  dsfinvkRules,
} from '../../../../src/verify/de/dsfinvk-rules.js'
import { tarContentCodes, tarNotices, tarRules } from '../../../../src/verify/de/tar-rules.js'
import { tarFile } from '../../../../src/verify/de/verifiers.js'
import * as spanish from '../../../../src/verify/es/rules.js'
import * as french from '../../../../src/verify/fr/rules.js'
import * as greek from '../../../../src/verify/gr/rules.js'
import * as italian from '../../../../src/verify/it/rules.js'
import * as portuguese from '../../../../src/verify/pt/rules.js'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
const page = read('docs/verify.md')

const sections = [
  ['DEP7', rules, contentCodes, notices],
  ['Log of a TSE', tarRules, tarContentCodes, tarNotices],
  ['DSFinV-K', dsfinvkRules, dsfinvkContentCodes, dsfinvkNotices],
  ...[
    ['French archives and journals', french] as const,
    ...[['Italy', italian] as const, ['SAF-T (PT)', portuguese] as const],
    ...[['Spain', spanish] as const, ['Greece', greek] as const],
  ].map(([title, of]) => [title, of.rules, of.contentCodes, of.notices] as const),
] as const

describe.each(sections)('the page on verifying: %s', (title, all, content, noted) => {
  const section = page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))

  it('has each code once, with its part, its meaning and what to do', () => {
    const told = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
    expect(told.map(([code]) => code)).toEqual(Object.keys(all).map((code) => `\`${code}\``))
    for (const [code = '', part, meaning, todo = ''] of told) {
      const name = code.replaceAll('`', '')
      const expected = noted.has(name) ? 'notice' : content.has(name) ? 'content' : 'log'
      expect([name, part]).toEqual([name, expected])
      expect([name, meaning]).toEqual([name, (all as Record<string, string>)[name]])
      expect(todo.length, name).toBeGreaterThan(10)
    }
  })
})

it.each([
  'expected counters without a gap, found 1 to 9 missing',
  'expected a time from 2026-01-01T00:00:00.000Z to 2027-01-01T00:00:00.000Z, found 2028-01-01',
])('a range is told in German as well: %s', (text) => {
  expect(tarFile.wording?.de?.(text)).toMatch(/[\dZ] bis \d/)
})

/** Texts of the tests that judge files of a kind. */
function testsOf(folder: string, kind: RegExp): string {
  return readdirSync(new URL(`../../../${folder}`, import.meta.url))
    .filter((name) => kind.test(name))
    .map((name) => read(`test/${folder}/${name}`))
    .join('\n')
}

const corrupted = [
  ['DEP7', rules, testsOf('verify/at', /\.ts$/)],
  ['log of a TSE', tarRules, testsOf('verify/de', /^tar/)],
  ['DSFinV-K', dsfinvkRules, testsOf('verify/de', /^dsfinvk/)],
  ['French archive or journal', french.rules, testsOf('verify/fr', /\.ts$/)],
] as const

it.each(corrupted)('every code of a %s is expected by a test of such files', (_, all, tests) => {
  const codes = Object.keys(all)
  expect(codes.length).toBeGreaterThan(30)
  expect(codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(tests))).toEqual([])
})

it('the page has the codes that are of every file', () => {
  const source = read('src/core/audit/verify/file.ts') + read('src/core/audit/verify/kept.ts')
  const codes = [...source.matchAll(/code: '([A-Z_]+)'/g)].map(([, code]) => code)
  expect(codes.length).toBe(3)
  for (const code of codes) expect(page).toContain(`| \`${code}\` |`)
})

/** Texts as the sources write them: literals that begin a finding, with a value for what varies. */
function textsOf(folder: string, files: string[]): string[] {
  const texts: string[] = []
  for (const file of files) {
    const source = read(`${folder}/${file}`)
    for (const [, , text = ''] of source.matchAll(/(['`])(expected (?:(?!\1)[^\\])+)\1/g)) {
      const filled = text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '7')
      if (/\bfound\b/.test(filled)) texts.push(filled)
    }
  }
  return texts
}

const ENGLISH = /\b(expected|found|the|none|of|with|and|another|other|before|after|its)\b/

const languages: [string, FileVerifier, string, string[]][] = [
  [
    'DEP7',
    dep7File,
    'src/verify/at',
    ['keyring.ts', 'reading.ts', 'row-checks.ts', 'sequence.ts', 'turnover.ts', 'dep-reader.ts'],
  ],
  [
    'TSE TAR and DSFinV-K',
    tarFile,
    'src/verify/de',
    [
      ...['tar-file.ts', 'tar-certificates.ts', 'archive-log.ts', 'device-log.ts', 'system-log.ts'],
      ...['start-numbers.ts', 'dsfinvk-file.ts', 'bons.ts', 'bon-judge.ts', 'bon-lines.ts'],
      ...['bon-tse.ts', 'closings.ts', 'index-xml.ts', 'index-dtd.ts', 'table-reader.ts'],
      ...['tse-units.ts', 'tar-comparison.ts', 'fields.ts', 'process-data.ts'],
    ],
  ],
]

describe.each(languages)('findings in German: %s', (_, verifier, folder, files) => {
  const texts = textsOf(folder, files)

  it('are whole: no English word is left', () => {
    expect(texts.length).toBeGreaterThan(20)
    const left = texts
      .map((text) => [text, commonWording.de(text) ?? verifier.wording?.de?.(text) ?? text])
      .filter(([, german = '']) => ENGLISH.test(german.replace(/"[^"]*"/g, '')))
    expect(left).toEqual([])
  })
})

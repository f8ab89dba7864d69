// The fenced blocks of the documentation, as a reader meets them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Block {
  /** From the root of the repository. */
  page: string
  /** Of its first line. */
  line: number
  /** What stands behind the fence: `sh`, `json`; '' for a drawing. */
  kind: string
  text: string
}

const FENCE = /^```(\w*)[^\n]*\n(.*?)^```$/gms

export function blocksOf(page: string): Block[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(FENCE)].map(({ index, 1: kind = '', 2: block = '' }) => ({
    page,
    line: text.slice(0, index).split('\n').length + 1,
    kind,
    text: block,
  }))
}

const FOLDERS = ['bench', 'card', 'client'].map((folder) => join(folder, 'README.md'))
const FIRST = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...FOLDERS]

/** Every page that a reader is led to. */
export function pages(): string[] {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
  return [...FIRST, ...docs.sort()]
}

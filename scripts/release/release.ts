// Makes a release: `npx tsx scripts/release/release.ts 0.2.0` writes the version where it stands,
// closes the changelog's open part, and puts what is handed out into dist/release.
//   --check    changes nothing, tells what it would do
//   --notes    writes the notes of the open part alone, to the standard output
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { handOut } from './parcel.js'
import { closedChangelog, notesOf, versionedFiles } from './texts.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const words = process.argv.slice(2)
const version = words.find((word) => !word.startsWith('-')) ?? ''
const day = new Date().toISOString().slice(0, 10)
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

function refuse(text: string): never {
  console.error(`release: ${text}`)
  process.exit(1)
}

if (words.includes('--notes')) {
  console.log(notesOf(read('CHANGELOG.md')))
  process.exit(0)
}
const now = String(JSON.parse(read('package.json')).version)
const files = versionedFiles(read, { from: now, to: version })
if (typeof files === 'string') refuse(files)
const changelog = closedChangelog(read('CHANGELOG.md'), { version, day })
if (changelog === undefined) refuse('the open part of CHANGELOG.md is empty')
if (words.includes('--check')) {
  console.log([...files.keys(), 'CHANGELOG.md'].map((path) => `${path}: ${version}`).join('\n'))
  process.exit(0)
}
if (git('status', '--porcelain') !== '') refuse('the working tree has changes')
if (git('tag', '--list', `v${version}`) !== '') refuse(`there is a tag v${version}`)
for (const [path, text] of files) writeFileSync(`${root}${path}`, text)
writeFileSync(`${root}CHANGELOG.md`, changelog)
execFileSync('npm', ['run', '-s', 'client'], { cwd: root, stdio: 'inherit' })
execFileSync('npm', ['run', '-s', 'collections'], { cwd: root, stdio: 'inherit' })
const made = await handOut(root, { version, day, notes: notesOf(read('CHANGELOG.md'), version) })
console.log(made.map((path) => `dist/release/${path}`).join('\n'))
console.log(`git commit -am 'Release ${version}' && git tag -a v${version} -F dist/release/TAG`)

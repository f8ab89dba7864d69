// What a release hands out, in dist/release: sources, client, collections, notes, the text of its
// tag, and the hashes of all of them.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Release {
  version: string
  day: string
  /** Markdown. */
  notes: string
}

/** Names of the files that were made. */
export async function handOut(root: string, release: Release): Promise<string[]> {
  const { version, day, notes } = release
  const folder = join(root, 'dist/release')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  // a commit of what is there, on no branch: the tree as it will be tagged
  const commit = execFileSync('git', ['stash', 'create'], { cwd: root, encoding: 'utf8' }).trim()
  const name = `fiskalwerk-${version}`
  const archive = ['archive', '--format=tar.gz', `--prefix=${name}/`, '-o']
  run('git', ...archive, join(folder, `${name}.tar.gz`), commit === '' ? 'HEAD' : commit)
  run('npm', 'pack', '--silent', '--pack-destination', folder, './dist/client')
  run('tar', '-czf', join(folder, 'collections.tar.gz'), '-C', 'dist', 'collections')
  writeFileSync(join(folder, 'NOTES.md'), `# fiskalwerk ${version}\n\n${notes}\n`)
  writeFileSync(join(folder, 'TAG'), `fiskalwerk ${version}, ${day}\n\n${plain(notes)}\n`)
  for (const file of ['LICENSE', 'SECURITY.md', 'docs/third-party.md']) {
    writeFileSync(join(folder, file.split('/').at(-1) ?? ''), readFileSync(join(root, file)))
  }
  const files = readdirSync(folder).toSorted()
  writeFileSync(join(folder, 'SHA256SUMS'), files.map((file) => sumOf(folder, file)).join(''))
  return [...files, 'SHA256SUMS']
}

/** In a tag a line with # in front would be a comment. */
const plain = (notes: string): string => notes.replace(/^#+ /gm, '')

/** As `sha256sum -c` reads it. */
function sumOf(folder: string, file: string): string {
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex')
  return `${hash}  ${file}\n`
}

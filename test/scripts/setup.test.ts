import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const repository = path.resolve(import.meta.dirname, '..', '..')
const SEEN = new URL('../../scripts/setup-seen.mjs', import.meta.url).href
const { isSeen }: { isSeen(root: string): boolean } = await import(SEEN)

let folder: string
let checkout: string

/** A checkout with the least that there is to prepare, in a path with blanks. */
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fiskalwerk-setup-'))
  checkout = path.join(folder, 'a check out')
  for (const name of ['setup.mjs', 'setup-lock.mjs', 'setup-seen.mjs']) {
    fs.cpSync(path.join(repository, 'scripts', name), path.join(checkout, 'scripts', name))
  }
  const lock = { name: 'a', version: '1.0.0', lockfileVersion: 3, packages: { '': { name: 'a' } } }
  write('package.json', '{"name":"a"}')
  write('package-lock.json', JSON.stringify(lock))
  write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }))
  const typescript = path.join(repository, 'node_modules', 'typescript')
  fs.symlinkSync(typescript, path.join(checkout, 'node_modules', 'typescript'))
  write('prisma/schema.prisma', '// a schema')
  write(
    'scripts/generate.mjs',
    `import * as fs from 'node:fs'
     fs.mkdirSync('src/generated/prisma', { recursive: true })
     fs.appendFileSync('src/generated/prisma/client.ts', 'export {}\\n')`,
  )
  const build = { rootDir: 'src', outDir: 'dist', module: 'nodenext', types: [] }
  write('tsconfig.json', '{}')
  write('tsconfig.build.json', JSON.stringify({ compilerOptions: build, include: ['src'] }))
  write('src/one.ts', 'export const one: number = 1')
  write('portal/index.html', '<div id="root"></div>')
  write('client/src/two.ts', 'export const two = 2')
  write('scripts/portal-client.mjs', '')
  write('scripts/join-modules.mjs', '')
  write(
    'scripts/portal-build.mjs',
    `import * as fs from 'node:fs'
     fs.mkdirSync('dist/portal', { recursive: true })
     fs.copyFileSync('portal/index.html', 'dist/portal/index.html')`,
  )
})

afterEach(() => fs.rmSync(folder, { recursive: true }))

function write(name: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(checkout, name)), { recursive: true })
  fs.writeFileSync(path.join(checkout, name), text)
}

function setup(...args: string[]): Promise<{ code: number | null; said: string }> {
  const script = path.join(checkout, 'scripts', 'setup.mjs')
  // from somewhere else: the script finds its checkout itself
  const child = spawn(process.execPath, [script, ...args], { cwd: folder })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      said += piece.toString()
    })
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })))
}

const built = () => fs.readdirSync(path.join(checkout, 'dist')).sort()
const generated = () =>
  fs.readFileSync(path.join(checkout, 'src/generated/prisma/client.ts'), 'utf8').split('\n')
    .length - 1

describe('setup', () => {
  it('prepares everything with a line per step, then is silent and changes nothing', async () => {
    expect(await setup('build')).toEqual({
      code: 0,
      said:
        'Generating the database client ...\nCompiling into dist/ ...\n' +
        'Building the portal ...\n',
    })
    const before = fs.statSync(path.join(checkout, 'dist'))
    expect(await setup('build')).toEqual({ code: 0, said: '' })
    expect(fs.statSync(path.join(checkout, 'dist')).ino).toBe(before.ino)
    expect(generated()).toBe(1)
  })

  it('reads nothing again while no file has changed, and whatever did change', async () => {
    await setup('build')
    // what was built a moment ago is looked at once
    await setup('build')
    expect(isSeen(checkout)).toBe(true)
    const steps = [
      () => write('src/one.ts', 'export const one: number = 2'),
      () => fs.rmSync(path.join(checkout, 'dist/portal/index.html')),
    ]
    for (const change of steps) {
      change()
      expect(isSeen(checkout)).toBe(false)
      expect((await setup('build')).said).not.toBe('')
      expect(await setup('build')).toEqual({ code: 0, said: '' })
      expect(isSeen(checkout)).toBe(true)
    }
  })

  it('leaves stamps of another checkout alone, whose packages were copied as links', async () => {
    await setup('build')
    const kept = path.join(folder, 'stamp')
    fs.linkSync(path.join(checkout, 'node_modules/.setup-build'), kept)
    const before = fs.readFileSync(kept, 'utf8')
    write('src/one.ts', 'export const one: number = 3')
    await setup('build')
    expect(fs.readFileSync(kept, 'utf8')).toBe(before)
  })

  it('leaves nothing of a source that is gone', async () => {
    await setup('build')
    fs.renameSync(path.join(checkout, 'src/one.ts'), path.join(checkout, 'src/two.ts'))
    await setup('build')
    expect(built()).toEqual(['generated', 'portal', 'two.js'])
  })

  it('keeps the last build when the sources do not compile, and says why', async () => {
    await setup('build')
    write('src/one.ts', 'export const one = (')
    const { code, said } = await setup('build')
    expect(code).toBe(1)
    expect(said).toContain('TS1109')
    expect(fs.readFileSync(path.join(checkout, 'dist/one.js'), 'utf8')).toContain('one = 1')
    expect(fs.readdirSync(checkout).filter((name) => /dist\.|lock$/.test(name))).toEqual([])
  })

  it('generates the client again when the schema has changed', async () => {
    await setup()
    write('prisma/schema.prisma', '// another schema')
    expect((await setup()).said).toBe('Generating the database client ...\n')
    expect(generated()).toBe(2)
  })

  it('does each step once when it runs twice at once', async () => {
    const both = await Promise.all([setup('build'), setup('build')])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const lines = both.flatMap(({ said }) => said.split('\n')).filter((line) => line !== '')
    expect(lines.sort()).toEqual([
      'Building the portal ...',
      'Compiling into dist/ ...',
      'Generating the database client ...',
    ])
    expect(generated()).toBe(1)
  })

  it('takes over the lock of a process that died, and with --quiet prints nothing', async () => {
    const dead = spawn(process.execPath, ['--version'])
    await new Promise((resolve) => dead.once('close', resolve))
    write('.setup-lock', String(dead.pid))
    expect(await setup('build', '--quiet')).toEqual({ code: 0, said: '' })
    expect(built()).toEqual(['generated', 'one.js', 'portal'])
    expect(fs.existsSync(path.join(checkout, '.setup-lock'))).toBe(false)
  })

  it('installs the packages when they are absent or the lock file asks for others', async () => {
    const line = 'Installing packages (npm ci), this may take a minute ...\n'
    fs.rmSync(path.join(checkout, 'node_modules'), { recursive: true })
    expect((await setup()).said).toBe(`${line}Generating the database client ...\n`)

    write('b/package.json', '{"name":"b","version":"1.0.0"}')
    write('package.json', '{"name":"a","dependencies":{"b":"file:b"}}')
    const packages = {
      '': { name: 'a', dependencies: { b: 'file:b' } },
      b: { version: '1.0.0' },
      'node_modules/b': { resolved: 'b', link: true },
    }
    write('package-lock.json', JSON.stringify({ name: 'a', lockfileVersion: 3, packages }))
    expect((await setup()).said).toBe(`${line}Generating the database client ...\n`)
    expect(fs.existsSync(path.join(checkout, 'node_modules/b/package.json'))).toBe(true)
    expect(await setup()).toEqual({ code: 0, said: '' })
  })

  it('takes an installation by hand as it is', async () => {
    fs.rmSync(path.join(checkout, 'node_modules/.setup-packages'), { force: true })
    expect((await setup()).said).toBe('Generating the database client ...\n')
  })
})

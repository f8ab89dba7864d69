// Prepares a checkout: packages, Prisma client and, with `build`, the compiled program in dist/.
// Run before every npm start and npm test; does what is missing and is silent when nothing is.
// Options: build, test-scripts (after a build), --quiet (no progress lines). Node built-ins only:
// it runs before npm ci.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './setup-lock.mjs'
import { isSeen, look, noteSeen } from './setup-seen.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const at = (...parts) => path.join(root, ...parts)
const wanted = new Set(process.argv.slice(2))

const steps = [
  {
    name: 'packages',
    says: 'Installing packages (npm ci), this may take a minute ...',
    fingerprint: () => hash([at('package-lock.json')], `${process.platform} ${process.arch}`),
    isDone: () => fs.existsSync(at('node_modules')),
    isDoneUnmarked: isInstalled,
    run: install,
  },
  {
    name: 'client',
    says: 'Generating the database client ...',
    fingerprint: clientFingerprint,
    isDone: () => fs.existsSync(at('src/generated/prisma/client.ts')),
    run: () => node([at('scripts/generate.mjs')]),
  },
  ...(wanted.has('build')
    ? [
        {
          name: 'build',
          says: 'Compiling into dist/ ...',
          fingerprint: () => hash(builtFrom(), clientFingerprint()),
          isDone: () => fs.existsSync(at('dist')),
          run: build,
        },
        {
          name: 'portal',
          says: 'Building the portal ...',
          fingerprint: () =>
            hash(
              [
                ...sources(at('src')),
                ...sources(at('portal')),
                ...sources(at('client/src')),
                at('scripts/portal-client.mjs'),
                at('scripts/portal-build.mjs'),
              ],
              clientFingerprint(),
            ),
          isDone: () => fs.existsSync(at('dist/portal/index.html')),
          run: () => {
            node([at('scripts/portal-client.mjs')])
            node([at('scripts/portal-build.mjs')])
          },
        },
      ]
    : []),
  ...(wanted.has('test-scripts')
    ? [
        {
          name: 'test-scripts',
          says: 'Compiling the scripts of tests ...',
          fingerprint: () => hash([...sources(at('test/support')), ...builtFrom()], ''),
          isDone: () => fs.existsSync(at('node_modules/.cache/scripts')),
          run: () => node([at('test/support/script-build.mjs'), at('node_modules/.cache/scripts')]),
        },
      ]
    : []),
]

function prepare() {
  const looked = look(root)
  if (steps.some(isDue)) withLock(at('.setup-lock'), runSteps)
  if (isUsual()) noteSeen(root, looked)
}

/** What setup-seen.mjs knows of: the build, and nothing else. */
function isUsual() {
  return [...wanted].filter((word) => word !== '--quiet').join() === 'build'
}

function runSteps() {
  for (const step of steps) {
    // asked again: another process may have done it while this one waited for the lock
    if (!isDue(step)) continue
    if (!isDoneAlready(step)) {
      if (!wanted.has('--quiet')) console.log(step.says)
      step.run()
    }
    fs.mkdirSync(at('node_modules'), { recursive: true })
    // a file of its own, also where packages were copied as links to those of another checkout
    fs.rmSync(stampOf(step), { force: true })
    fs.writeFileSync(stampOf(step), step.fingerprint())
  }
}

function isDue(step) {
  if (!step.isDone()) return true
  const stamp = stampOf(step)
  return !fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== step.fingerprint()
}

/** Somebody did it by hand; only the stamp is missing. */
function isDoneAlready(step) {
  return step.isDone() && step.isDoneUnmarked?.() === true
}

function stampOf(step) {
  return at('node_modules', `.setup-${step.name}`)
}

// ------------------------------------------------------------------ fingerprints

function hash(files, extra) {
  const sum = createHash('sha256').update(extra)
  for (const file of files) {
    sum.update(`\0${path.relative(root, file)}\0`)
    sum.update(fs.readFileSync(file))
  }
  return sum.digest('hex')
}

function clientFingerprint() {
  return hash([at('package-lock.json'), at('prisma/schema.prisma'), at('scripts/generate.mjs')], '')
}

/** Files below a folder in a fixed order; the generated client follows from the schema. */
function sources(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const full = path.join(folder, entry.name)
      if (full === at('src/generated') || full === at('portal/src/generated')) return []
      return entry.isDirectory() ? sources(full) : [full]
    })
}

/** What the compiled program follows from, beside the client. */
function builtFrom() {
  const ways = ['tsconfig.json', 'tsconfig.build.json', 'scripts/join-modules.mjs']
  return [...sources(at('src')), ...ways.map((name) => at(name))]
}

// ------------------------------------------------------------------------- steps

function install() {
  const cli = process.env.npm_execpath ?? ''
  const args = ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error']
  // npm is a script for a shell on Windows; inside `npm start` npm says where it lies
  if (path.basename(cli) === 'npm-cli.js') node([cli, ...args])
  else command('npm', args, { shell: process.platform === 'win32' })
}

/** Whether node_modules holds what the lock file wants; npm notes what it has installed. */
function isInstalled() {
  const note = at('node_modules/.package-lock.json')
  if (!fs.existsSync(note)) return false
  const installed = JSON.parse(fs.readFileSync(note, 'utf8')).packages
  const locked = JSON.parse(fs.readFileSync(at('package-lock.json'), 'utf8')).packages
  return Object.entries(locked).every(([name, entry]) => {
    const found = installed[name]
    if (found === undefined) return name === '' || (entry.optional && !isForThisSystem(entry))
    return found.version === entry.version
  })
}

function isForThisSystem({ os = [], cpu = [], libc = [] }) {
  return os.includes(process.platform) && cpu.includes(process.arch) && libc.length === 0
}

/** Compiles beside dist/ and swaps: nothing old stays, and a failed build changes nothing. */
function build() {
  const fresh = at(`dist.new-${process.pid}`)
  const old = at(`dist.old-${process.pid}`)
  try {
    const tsc = at('node_modules/typescript/bin/tsc')
    // types are checked by `npm run types`: six times the work of this, and the same program
    node([tsc, '-p', at('tsconfig.build.json'), '--noCheck', '--outDir', fresh])
    node([at('scripts/join-modules.mjs'), fresh])
    if (fs.existsSync(at('dist'))) fs.renameSync(at('dist'), old)
    fs.renameSync(fresh, at('dist'))
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true })
    fs.rmSync(old, { recursive: true, force: true })
  }
}

function node(args) {
  command(process.execPath, args, {})
}

/** Runs quietly; what it said is shown only when it fails. */
function command(program, args, options) {
  const run = spawnSync(program, args, { cwd: root, encoding: 'utf8', ...options })
  if (run.status === 0) return
  const said = run.error?.message ?? `${run.stdout}${run.stderr}`
  throw new Failure(`${said.trimEnd()}\nsetup: ${path.basename(args[0] ?? program)} failed`)
}

// -------------------------------------------------------------------------- main

class Failure extends Error {}

/** Older versions fail later, with words that help nobody. */
function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Failure(`setup: Node.js 20.19 or newer is needed, this is ${process.versions.node}`)
}

try {
  checkNode()
  if (!(isUsual() && isSeen(root))) prepare()
} catch (error) {
  // a full stack helps nobody who just typed npm start
  const away = ['EACCES', 'EPERM', 'EROFS'].includes(error.code)
  if (!away && !(error instanceof Failure)) throw error
  const hint = `setup: this user may not write to ${root} (${error.message})`
  console.error(away ? hint : error.message)
  process.exitCode = 1
}

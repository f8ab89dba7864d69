// The licences of everything that is installed to run the server, and of what is built into the
// portal: docs/third-party.md.
//   npx tsx scripts/licences.ts         writes it
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Packages of which parts stand in the files that the portal loads. */
const IN_PORTAL = [
  ...['@base-ui/react', '@tanstack/react-query', 'react', 'react-dom', 'react-router'],
]

/** What the package says elsewhere than in the usual place, read there. */
const READ: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': 'Bitstream Vera and public domain',
  'png-js': 'MIT',
}

interface Locked {
  version?: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  dependencies?: Record<string, string>
}

export interface Licensed {
  name: string
  version: string
  licence: string
}

export function licences(): Licensed[] {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const portal = withNeeded(packages, IN_PORTAL)
  const found = Object.entries(packages).flatMap(([path, one]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const isUsed = (one.dev !== true && one.devOptional !== true) || portal.has(path)
    if (path === '' || !isUsed) return []
    return [{ name, version: one.version ?? '', licence: READ[name] ?? one.license ?? '' }]
  })
  const unique = new Map(found.map((one) => [`${one.name} ${one.version}`, one]))
  return [...unique.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

const key = ({ name, version }: Licensed): string => `${name} ${version}`

/** Paths of these packages at the top, and of all that they need. */
function withNeeded(packages: Record<string, Locked>, names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const add = (name: string): void => {
    const path = `node_modules/${name}`
    const one = packages[path]
    if (one === undefined || found.has(path)) return
    found.add(path)
    for (const needed of Object.keys(one.dependencies ?? {})) add(needed)
  }
  for (const name of names) add(name)
  return found
}

export function licencePage(): string {
  const rows = licences().map(
    ({ name, version, licence }) => `| \`${name}\` | ${version} | ${licence} |`,
  )
  return [
    '# Third-party software',
    '',
    'What is installed to run the server, and what is built into the portal, with its licence.',
    'Each package has the text in its own folder below `node_modules`. Made by',
    '`npx tsx scripts/licences.ts`; a test compares. Why those that this program names itself were',
    'chosen: [decision 0014](decisions/0014-dependencies.md).',
    '',
    '| Package | Version | Licence |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(at('docs/third-party.md'), licencePage())
}

// The table of packages: which names there are beside the signing units of the markets, and which
// version is the newest.
import type { Market } from '../../../market/contract.js'

const QUEUES = [
  ...['SQLite', 'EF', 'MySQL', 'AzureTableStorage', 'InMemory'].map(
    (name) => `fiskaltrust.Middleware.Queue.${name}`,
  ),
  ...['sqlite', 'sqlite.mono', 'ef', 'adonet', 'azure'].map(
    (name) => `fiskaltrust.service.${name}`,
  ),
  'fiskalwerk.Queue',
]

const HELPERS = [
  ...['balancer', 'dailyclosing', 'helipad', 'rest', 'posapi'].map(
    (name) => `fiskaltrust.service.helper.${name}`,
  ),
  'fiskaltrust.Middleware.Helper.Helipad',
  'fiskaltrust.Middleware.Helper.LocalPosSystemApi',
]

export type PackageKind = 'queue' | 'scu' | 'helper'

/** What one generation of packages calls its newest version. */
const NEWEST = { middleware: '1.3.73', service: '1.2.24', own: '0.1.0', signing: '1.0.0' } as const

export interface Package {
  name: string
  /** What an absent version, or `latest`, means. */
  newest: string
  /** False: this server does not know the name; a later version of a launcher may. */
  known: boolean
}

/** Undefined: nobody's package. Names are compared without case, and come as the table has them. */
export function packageOf(
  markets: readonly Market[],
  kind: PackageKind,
  name: string,
): Package | undefined {
  const given = name.trim()
  const found = kind === 'scu' ? unitOf(markets, given)?.name : tableName(kind, given)
  if (found !== undefined) return { name: found, newest: newestOf(found), known: true }
  if (!given.toLowerCase().startsWith('fiskaltrust.')) return undefined
  return { name: given, newest: newestOf(given), known: false }
}

function tableName(kind: Exclude<PackageKind, 'scu'>, name: string): string | undefined {
  return namesOf([], kind).find((one) => one.toLowerCase() === name.toLowerCase())
}

/** Of units those of these countries. */
export function namesOf(markets: readonly Market[], kind: PackageKind): readonly string[] {
  if (kind === 'queue') return QUEUES
  if (kind === 'helper') return HELPERS
  return markets.flatMap((market) => market.rollout.templates?.packages ?? [])
}

/** Whose unit it is, and how that country writes it; no name is nobody's. */
function unitOf(markets: readonly Market[], name: string) {
  if (name === '') return undefined
  for (const { facts, rollout } of markets) {
    const found = rollout.templates?.packageOf(name)
    if (found !== undefined) return { code: facts.code, name: found }
  }
  return undefined
}

function newestOf(name: string): string {
  const lower = name.toLowerCase()
  if (lower.startsWith('fiskalwerk.')) return NEWEST.own
  if (lower.startsWith('fiskaltrust.middleware.')) return NEWEST.middleware
  return lower.startsWith('fiskaltrust.rksvsign') ? NEWEST.signing : NEWEST.service
}

/** The country of a unit by its package: of the market that has it, else by its name. */
export function marketOfUnit(markets: readonly Market[], name: string): string | undefined {
  const byName = /\.scu\.([a-z]{2})\./i.exec(name)?.[1]?.toUpperCase()
  return unitOf(markets, name)?.code ?? byName
}

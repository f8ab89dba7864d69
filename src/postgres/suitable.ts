// Whether a PostgreSQL keeps the promises of the ledger: version, encoding, durability settings.
import type pg from 'pg'
import { DatabaseError } from './database-error.js'

const OLDEST_VERSION = 140000

interface ServerFacts {
  version: number
  encoding: string
  fsync: string
  synchronousCommit: string
  standbys: string
  fullPageWrites: string
  standby: boolean
  dateStyle: string
  strings: string
  nulls: string
}

const FACTS = `
  select current_setting('server_version_num')::int as version,
         current_setting('server_encoding') as encoding,
         current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as "synchronousCommit",
         current_setting('synchronous_standby_names') as standbys,
         current_setting('full_page_writes') as "fullPageWrites",
         pg_is_in_recovery() as standby,
         current_setting('datestyle') as "dateStyle",
         current_setting('standard_conforming_strings') as strings,
         current_setting('array_nulls') as nulls`

/**
 * Throws DatabaseError when an acknowledged receipt could be lost here, or the server is too old.
 * durable false: a test works on a database that is thrown away. A sentence where it promises less
 * than it looks like.
 */
export async function checkSuitable(
  client: pg.Client,
  durable: boolean,
): Promise<string | undefined> {
  const { rows } = await client.query<ServerFacts>(FACTS)
  const reason =
    rows[0] === undefined ? 'it says nothing of itself' : reasonAgainst(rows[0], durable)
  if (reason !== undefined) {
    throw new DatabaseError('unsuitable', `This PostgreSQL cannot be used: ${reason}.`)
  }
  return rows[0] && unawaited(rows[0])
}

/** Commits that do not wait until the standby has them on its disk. */
const EARLY = ['local', 'remote_write']

/** Undefined unless there is a standby and commits go ahead of it. */
export function unawaited({
  standbys,
  synchronousCommit: how,
}: Pick<ServerFacts, 'standbys' | 'synchronousCommit'>): string | undefined {
  if (standbys === '' || !EARLY.includes(how)) return undefined
  const what = how === 'local' ? 'do not wait for it' : 'do not wait for its disk'
  return (
    `synchronous_commit is ${how}: there is a standby (${standbys}), and commits ${what}; ` +
    'answered receipts can be missing where it takes over'
  )
}

function reasonAgainst(facts: ServerFacts, durable: boolean): string | undefined {
  if (facts.version < OLDEST_VERSION) {
    return `it is version ${Math.trunc(facts.version / 10000)}, at least 14 is needed`
  }
  if (facts.encoding !== 'UTF8') return `the database is encoded in ${facts.encoding}, not in UTF8`
  if (facts.standby) return 'it is a standby that cannot be written to'
  const misread = misreadBy(facts)
  if (misread !== undefined) return misread
  if (!durable) return undefined
  const off = [
    ['fsync', facts.fsync],
    ['synchronous_commit', facts.synchronousCommit],
    ['full_page_writes', facts.fullPageWrites],
  ].filter(([, value]) => value === 'off')
  if (off.length === 0) return undefined
  return `${off.map(([name]) => name).join(' and ')} must be on, or a crash could lose receipts`
}

/** What is written or read in another way than PostgreSQL does by itself. */
function misreadBy({ dateStyle, strings, nulls }: ServerFacts): string | undefined {
  const settings = [
    ['datestyle', dateStyle, 'iso'],
    ['standard_conforming_strings', strings, 'on'],
    ['array_nulls', nulls, 'on'],
  ] as const
  const wrong = settings.find(([, found, wanted]) => !found.toLowerCase().startsWith(wanted))
  if (wrong === undefined) return undefined
  const [name, found, wanted] = wrong
  return `its ${name} is ${found} and has to be ${wanted}; alter role … set ${name} to ${wanted}`
}

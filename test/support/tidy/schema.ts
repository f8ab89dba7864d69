// The tables and the statements that write them, by the rules that keep several databases possible
// (docs/decisions/0026-schema-rules.md): read from the migrations and from the SQL of src/store.
import type { Finding, Tree } from './tree.js'

const MIGRATION = /^prisma\/migrations\/[^/]+\/migration\.sql$/

/** Receipts, journals, heads, operations: what must not be lost, doubled or changed. */
export const LEDGER = [
  ...['queue', 'queue_item', 'receipt_journal', 'action_journal', 'market_journal'],
  ...['certificate', 'operation', 'payment', 'scu', 'event', 'problem', 'submission'],
] as const

/** Of these, rows that never change. */
const APPEND_ONLY = [
  ...['queue_item', 'receipt_journal', 'action_journal', 'market_journal', 'certificate'],
  ...['issued_receipt', 'delivery', 'audit_entry', 'agreement', 'served_log'],
] as const

/** Keys that do not begin with the account, by table; the reason is why they may. */
const OTHER_KEYS: Readonly<Record<string, string>> = {
  account: 'is the account',
  directory: 'leads from an id to its account',
  stream_head: 'one row of each account',
  invitation_settings: 'one row of each account',
  person: 'people belong to several accounts',
  session: 'a login comes before the account',
  person_link: 'a login comes before the account',
  passkey: 'a login comes before the account',
  person_identity: 'a login comes before the account',
  login_step: 'a login comes before the account',
  receipt_app: 'belongs to the installation',
  rollout_plan: 'belongs to the installation',
  sales_order: 'its number is given out by the installation',
  subscription: 'one for each target, whoever bought it',
  link_key: 'of the installation or of a cash box; found by the id in a link',
  issued_address: 'leads from a link to its account',
  receipt_tag: 'leads from a link to its account',
  receipt_alias: 'leads from a link to its account',
  pairing_pin: 'a pairing PIN comes alone',
  pairing_network: 'counts guesses before an account is known',
  pairing_chance: 'counts guesses before an account is known',
  activation: 'found by the token of its link',
  inbox: 'local to the database: the mover empties it',
  detector_run: 'local to the database',
  report_start: 'local to the database',
}

/** Counters of PostgreSQL: their numbers are those of one database. */
const COUNTERS: Readonly<Record<string, string>> = {
  inbox: 'rows in the order in which they came, gone when the mover has them',
  sales_order_number: 'the running part of order numbers',
}

interface Statement {
  file: string
  line: number
  text: string
}

function statementsOf(tree: Tree): Statement[] {
  return tree.paths().flatMap((file) => {
    if (!MIGRATION.test(file)) return []
    let line = 1
    return tree
      .text(file)
      .split(/(?<=;)[^\S\n]*\n/)
      .map((text) => {
        const own = line + (/^\s*/.exec(text)?.[0].split('\n').length ?? 1) - 1
        line += text.split('\n').length
        return { file, line: own, text: text.replace(/^\s*--.*$/gm, '') }
      })
  })
}

const NAME = /"?(\w+)"?/.source
const PRIMARY = new RegExp(`PRIMARY KEY \\(${NAME}`, 'i')
const CREATE = new RegExp(`CREATE TABLE (?:IF NOT EXISTS )?${NAME}`, 'i')
const UNIQUE = new RegExp(`CREATE UNIQUE INDEX ${NAME} ON ${NAME}\\s*\\(\\s*${NAME}`, 'i')

/** Which table has a key, and what the key begins with. */
function keyIn(text: string): { table: string; first: string } | undefined {
  const table = CREATE.exec(text)?.[1]
  const first = PRIMARY.exec(text)?.[1]
  if (table !== undefined && first !== undefined) return { table, first }
  const [, , on, column] = UNIQUE.exec(text) ?? []
  return on === undefined || column === undefined ? undefined : { table: on, first: column }
}

/** Rules 1, 2, 5, 6, 9: keys, references, counters, partitions, what migrations take away. */
export function checkTables(tree: Tree): Finding[] {
  return statementsOf(tree).flatMap(({ file, line, text }) => {
    const faults: string[] = []
    const key = keyIn(text)
    if (key !== undefined && key.first !== 'account_id' && !(key.table in OTHER_KEYS)) {
      faults.push(`a key of ${key.table} begins with ${key.first}, not with account_id`)
    }
    if (/\bREFERENCES\b|\bFOREIGN KEY\b/i.test(text.replace(/GRANT[^;]*/gi, ''))) {
      faults.push('a foreign key ties tables together that may lie in two databases')
    }
    const counter = counterIn(text)
    if (counter !== undefined && !(counter in COUNTERS)) {
      faults.push(`${counter} has a counter of PostgreSQL; ids are made by the application`)
    }
    if (/\b(SMALL)?SERIAL\b(?!")|\bSERIAL4\b|AS (integer|smallint) START/i.test(typesOf(text))) {
      faults.push('a counter is smaller than 64 bits')
    }
    const parts = text.match(/PARTITION BY (\w+)/gi) ?? []
    if (parts.some((part) => !/RANGE$/i.test(part)) || (parts.length > 0 && isPart(text))) {
      faults.push('partitions are by time only, on one level')
    }
    if (/\bDROP (TABLE|COLUMN)\b|\bRENAME\b|ALTER COLUMN \S+ (SET DATA )?TYPE\b/i.test(text)) {
      faults.push('a migration takes away what the version before still needs')
    }
    return faults.map((fault) => ({ file, line, text: fault }))
  })
}

const isPart = (text: string): boolean => /PARTITION OF/i.test(text)
/** Without names in quotation marks, of which one is "serial". */
const typesOf = (text: string): string => text.replace(/"[^"]*"/g, '')

function counterIn(text: string): string | undefined {
  const sequence = new RegExp(`CREATE SEQUENCE ${NAME}`, 'i').exec(text)?.[1]
  if (sequence !== undefined) return sequence
  const has = /\b(BIG|SMALL)?SERIAL\b|GENERATED \w+( BY DEFAULT)? AS IDENTITY|nextval\(/i
  return has.test(typesOf(text)) ? (CREATE.exec(text)?.[1] ?? 'a column') : undefined
}

/** Rule 3: what never changes is kept by rights; triggers are an extra. */
export function checkRights(tree: Tree): Finding[] {
  const revoked = new Set<string>()
  const made = new Map<string, Statement>()
  for (const statement of statementsOf(tree)) {
    const table = CREATE.exec(statement.text)?.[1]
    if (table !== undefined) made.set(table, statement)
    const [, tables] =
      /REVOKE UPDATE, DELETE, TRUNCATE ON ([^;]*?) FROM/i.exec(statement.text) ?? []
    for (const [, name = ''] of tables?.matchAll(/"(\w+)"/g) ?? []) revoked.add(name)
  }
  return APPEND_ONLY.flatMap((table) => {
    const place = made.get(table)
    if (place === undefined || revoked.has(table)) return []
    return [{ ...place, text: `${table} never changes, and the role may change it` }]
  })
}

const LITERAL = /`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g
const WRITES = new RegExp(
  `\\b(insert into|update|delete from)\\s+"?(${LEDGER.join('|')})"?\\b(?!\\s*\\.)`,
  'i',
)
const OTHERS = /pg_locks|pg_notify|advisory|txid_|xact_id|lateral[\s\S]*\blimit\b/i

/**
 * A statement that writes the ledger does nothing that means another thing where it is carried out
 * by another machine; and errors are told by their codes.
 */
export function checkStatements(tree: Tree): Finding[] {
  return tree.code('src/store', 'src/core').flatMap((file) => {
    const text = tree.text(file)
    const findings: Finding[] = []
    const tell = (at: number, fault: string) =>
      findings.push({ file, line: text.slice(0, at).split('\n').length, text: fault })
    for (const { index, 0: literal } of text.matchAll(LITERAL)) {
      const other = OTHERS.exec(literal)?.[0].split(/\s/)[0]
      const table = WRITES.exec(literal)?.[2]
      if (table !== undefined && other !== undefined) {
        tell(index, `a statement that writes ${table} uses ${other}`)
      }
    }
    for (const { index } of text.matchAll(/\berror\.constraint\b|'constraint' in/g)) {
      tell(index, 'an error is told by the name of a constraint, not by its code')
    }
    return findings
  })
}

/** Files whose statements are for all accounts of a database; the reason is why they may. */
const OF_ALL: Readonly<Record<string, string>> = {
  'src/store/event/problem/problems.ts': 'old problems of all accounts go together',
  'src/store/event/report/occasions.ts': 'what is due is found by a detector of the database',
  'src/store/journal/check.ts': 'a whole database is checked',
  'src/store/operation/figures.ts': 'figures of a process are of its database',
  'src/store/operation/operations.ts': 'what a dead process has left is found when one starts',
}
const QUERY = /^.\s*(with|select|insert|update|delete)\b/i
const TOUCHES = new RegExp(
  `\\b(from|join|into|update)\\s+"?(${LEDGER.join('|')})"?\\b(?!\\s*[.(])`,
  'i',
)
const PART = /\$\{(\w+)\}/g

/** Rule 7: no statement reads or writes the ledger without saying whose. */
export function checkAccounts(tree: Tree): Finding[] {
  return tree.code('src/store', 'src/core').flatMap((file) => {
    if (file in OF_ALL) return []
    const text = tree.text(file)
    /** A part that a constant of the file holds stands for it. */
    const whole = (literal: string) =>
      literal.replace(PART, (part, name: string) => {
        const at = new RegExp(`const ${name} =\\s*`).exec(text)
        if (at === null) return part
        return text.slice(at.index + at[0].length).match(LITERAL)?.[0] ?? part
      })
    return [...text.matchAll(LITERAL)].flatMap(({ index, 0: literal }) => {
      const [, , table] = TOUCHES.exec(literal) ?? []
      if (table === undefined || !QUERY.test(literal)) return []
      if (/account_?id/i.test(whole(literal))) return []
      const line = text.slice(0, index).split('\n').length
      return [{ file, line, text: `a statement of ${table} does not say of which account` }]
    })
  })
}

const OPENS = /\bopenStore\(|\bnew (?:\w+\.)?Pool\(/g

/** Rule 4: whoever signs has one database, so that no batch is of two. */
export function checkBatches(tree: Tree): Finding[] {
  return tree.code('src/store/sign', 'src/core/sign').flatMap((file) => {
    const text = tree.text(file)
    const stores = text.match(/\bstore\w*: (?:readonly )?(?:Store\b(?=\[)|Map<[^>]*Store>)/g) ?? []
    const opened = [...text.matchAll(OPENS)].map(({ 0: found }) => found)
    return [...opened, ...stores].map((found) => {
      const line = text.slice(0, text.indexOf(found)).split('\n').length
      return { file, line, text: `signing has one database, which is given: ${found}` }
    })
  })
}

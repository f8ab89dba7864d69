// People who log in to the portal, the accounts that they work for, and links by which they choose
// a password. Times are those of the database.
import { plainBytes } from '../bytes.js'
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

/** What somebody may do for an account. None: log in, and nothing else. */
export const EMPLOYEE_ROLES = ['Administrator', 'Member', 'Reader', 'None'] as const
export type EmployeeRole = (typeof EMPLOYEE_ROLES)[number]

export interface PersonRow {
  id: string
  email: string
  name: string
  language: string | null
  passwordHash: string | null
  codeSecretSealed: Uint8Array | null
  codeSince: Date | null
  codeStep: bigint
  /** Hexadecimal. */
  recoveryHashes: string[]
  passkeyFactor: boolean
  createdAt: Date
}

export interface EmployeeRow {
  personId: string
  email: string
  name: string
  role: EmployeeRole
  /** When somebody was here last; null: never, or long ago. */
  seenAt: Date | null
  /** Has chosen a password. */
  active: boolean
  secondFactor: boolean
}

type Client = Pick<Store, 'prisma'> | { prisma: Transaction }

/** The context that a secret of one-time codes is sealed for. */
export const personCodeSecret = (id: string): string => `person:${id}:code`

export async function findPersonByEmail(
  { prisma }: Client,
  email: string,
): Promise<PersonRow | undefined> {
  return (await prisma.person.findUnique({ where: { email } })) ?? undefined
}

export async function findPerson({ prisma }: Client, id: string): Promise<PersonRow | undefined> {
  return (await prisma.person.findUnique({ where: { id } })) ?? undefined
}

/** Finds who has the address, or makes somebody without a password. */
export async function putPerson(
  tx: Transaction,
  person: { id: string; email: string; name: string; language: string | null; createdAt: Date },
): Promise<string> {
  const { id, email, name, language, createdAt } = person
  const rows = await tx.$queryRaw<{ id: string }[]>`insert into person
    (id, email, name, language, created_at)
    values (${id}::uuid, ${email}, ${name}, ${language}, ${createdAt})
    on conflict (email) do update set email = excluded.email returning id`
  return rows[0]?.id ?? id
}

export type PersonChange = Partial<Omit<PersonRow, 'id' | 'email' | 'codeStep' | 'createdAt'>>

export async function changePerson(
  { prisma }: Client,
  id: string,
  change: PersonChange,
): Promise<void> {
  const { codeSecretSealed, ...rest } = change
  await prisma.person.update({
    where: { id },
    data: {
      ...rest,
      ...(codeSecretSealed === undefined
        ? {}
        : { codeSecretSealed: codeSecretSealed === null ? null : plainBytes(codeSecretSealed) }),
    },
  })
}

/** False: this code, or a later one, was used before. */
export async function spendCode({ pool }: Store, id: string, step: bigint): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update person set code_step = $2 where id = $1 and code_step < $2',
    [id, step],
  )
  return rowCount === 1
}

/** False: it is none of those that are left. */
export async function spendRecoveryCode(
  { pool }: Store,
  id: string,
  hash: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update person set recovery_hashes = array_remove(recovery_hashes, $2)
     where id = $1 and $2 = any(recovery_hashes)`,
    [id, hash],
  )
  return rowCount === 1
}

// ------------------------------------------------------------------ accounts of people

/** For an account: who may log in. */
export async function listEmployees(
  { pool }: Pick<Store, 'pool'>,
  accountId: string,
): Promise<EmployeeRow[]> {
  const { rows } = await pool.query<EmployeeRow>(
    `select p.id as "personId", p.email, p.name, e.role, p.password_hash is not null as active,
       p.code_since is not null or p.passkey_factor as "secondFactor",
       (select max(s.seen_at) from session s where s.person_id = p.id) as "seenAt"
     from employee e join person p on p.id = e.person_id
     where e.account_id = $1 order by p.name, p.email limit 1000`,
    [accountId],
  )
  return rows
}

export interface Workplace {
  accountId: string
  name: string
  market: string
  roles: string[]
  role: EmployeeRole
}

/** The accounts of somebody, by name. */
export async function listWorkplaces(
  { pool }: Pick<Store, 'pool'>,
  personId: string,
): Promise<Workplace[]> {
  const { rows } = await pool.query<Workplace>(
    `select a.id as "accountId", a.name, a.market, a.roles, e.role
     from employee e join account a on a.id = e.account_id
     where e.person_id = $1 order by a.name, a.id limit 1000`,
    [personId],
  )
  return rows
}

/** Holds all people of an account until the transaction ends, so that one administrator stays. */
export async function lockEmployees(
  tx: Transaction,
  accountId: string,
): Promise<{ personId: string; role: EmployeeRole }[]> {
  return tx.$queryRaw<{ personId: string; role: EmployeeRole }[]>`
    select person_id as "personId", role from employee
    where account_id = ${accountId}::uuid order by person_id for update`
}

export async function putEmployee(
  tx: Transaction,
  employee: { accountId: string; personId: string; role: EmployeeRole; createdAt: Date },
): Promise<void> {
  const { accountId, personId, role, createdAt } = employee
  await tx.employee.upsert({
    where: { accountId_personId: { accountId, personId } },
    create: { accountId, personId, role, createdAt },
    update: { role },
  })
}

/** Somebody without any account is forgotten altogether. */
export async function removeEmployee(
  tx: Transaction,
  { accountId, personId }: { accountId: string; personId: string },
): Promise<void> {
  await tx.employee.delete({ where: { accountId_personId: { accountId, personId } } })
  await tx.session.deleteMany({ where: { accountId, personId } })
  if ((await tx.employee.count({ where: { personId } })) > 0) return
  await tx.session.deleteMany({ where: { personId } })
  await tx.personLink.deleteMany({ where: { personId } })
  await tx.passkey.deleteMany({ where: { personId } })
  await tx.personIdentity.deleteMany({ where: { personId } })
  await tx.person.delete({ where: { id: personId } })
}

// ------------------------------------------------------------------ links

export type LinkPurpose = 'welcome' | 'reset'

export interface PersonLinkRow {
  personId: string
  purpose: LinkPurpose
  email: string
  name: string
}

/** The newest link is the only one. */
export async function replaceLink(
  tx: Transaction,
  link: { hash: Buffer; personId: string; purpose: LinkPurpose; hours: number },
): Promise<void> {
  const { hash, personId, purpose, hours } = link
  await tx.$executeRaw`delete from person_link
    where person_id = ${personId}::uuid or expires_at < now()`
  await tx.$executeRaw`insert into person_link (hash, person_id, purpose, created_at, expires_at)
    values (${hash}, ${personId}::uuid, ${purpose}, now(),
      now() + make_interval(hours => ${hours}))`
}

/** Links of the last so many minutes. */
export async function hasFreshLink(
  { pool }: Pick<Store, 'pool'>,
  personId: string,
  minutes: number,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from person_link
     where person_id = $1 and created_at > now() - make_interval(mins => $2)`,
    [personId, minutes],
  )
  return (rowCount ?? 0) > 0
}

export async function findLink(
  { pool }: Pick<Store, 'pool'>,
  hash: Buffer,
): Promise<PersonLinkRow | undefined> {
  const { rows } = await pool.query<PersonLinkRow>(
    `select l.person_id as "personId", l.purpose, p.email, p.name
     from person_link l join person p on p.id = l.person_id
     where l.hash = $1 and l.expires_at > now()`,
    [hash],
  )
  return rows[0]
}

/** Works once. */
export async function takeLink(tx: Transaction, hash: Buffer): Promise<string | undefined> {
  const rows = await tx.$queryRaw<{ personId: string }[]>`delete from person_link
    where hash = ${hash} and expires_at > now() returning person_id as "personId"`
  return rows[0]?.personId
}

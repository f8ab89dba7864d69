// The operators of a dealer as the list shows them.
import type { Store } from '../client.js'
import { ACTIVE } from './connections.js'

/** A connected PosOperator, member by member as the interface names them. */
export interface Operator {
  id: string
  name: string
  line1: string
  country: string
  postalCode: string
  city: string
  eMailAddress: string
  identifiers: { vatId: string; taxId: string; fibuNr: string; gln: string; siren: string }
}

interface OperatorRow extends Omit<Operator, 'eMailAddress' | 'identifiers'> {
  email: string
  vat_id: string
  tax_id: string
  fibu_nr: string
  gln: string
  siren: string
  postal_code: string
}

const COLUMNS = `a.id, a.name, a.line1, a.country, a.postal_code, a.city, a.email, a.vat_id,
  a.tax_id, a.fibu_nr, a.gln, a.siren`

function operatorOf(row: OperatorRow): Operator {
  return {
    id: row.id,
    name: row.name,
    line1: row.line1,
    country: row.country,
    postalCode: row.postal_code,
    city: row.city,
    eMailAddress: row.email,
    identifiers: {
      vatId: row.vat_id,
      taxId: row.tax_id,
      fibuNr: row.fibu_nr,
      gln: row.gln,
      siren: row.siren,
    },
  }
}

/** Those with an active connection, by name. */
export async function listOperators({ pool }: Store, accountId: string): Promise<Operator[]> {
  const { rows } = await pool.query<OperatorRow>({
    name: 'operators',
    text: `select ${COLUMNS} from connection c join account a on a.id = c.to_account_id
      where c.account_id = $1 and ${ACTIVE} order by a.name, a.id`,
    values: [accountId],
  })
  return rows.map(operatorOf)
}

/** One page of the same, behind this name and id. */
export async function pageOfOperators(
  { pool }: Store,
  accountId: string,
  { after: [name, id] = [], most }: { after?: readonly string[]; most: number },
): Promise<Operator[]> {
  const { rows } = await pool.query<OperatorRow>({
    name: 'operators-page',
    text: `select ${COLUMNS} from connection c join account a on a.id = c.to_account_id
      where c.account_id = $1 and ${ACTIVE}
        and ($2::text is null or (a.name, a.id) > ($2::text, $3::uuid))
      order by a.name, a.id limit $4`,
    values: [accountId, name ?? null, id ?? null, most],
  })
  return rows.map(operatorOf)
}

/** Of whatever connection: who asks has looked that up. */
export async function findOperatorData({ pool }: Store, id: string): Promise<Operator | undefined> {
  const { rows } = await pool.query<OperatorRow>({
    name: 'operator-data',
    text: `select ${COLUMNS} from account a where a.id = $1`,
    values: [id],
  })
  return rows.map(operatorOf)[0]
}

/**
 * Another text whenever a row behind the list has been written, by whatever server or program: a
 * sum over the versions that PostgreSQL itself gives to rows.
 */
export async function versionOfOperators({ pool }: Store, accountId: string): Promise<string> {
  const { rows } = await pool.query<{ version: string }>({
    name: 'operators-version',
    text: `select count(*) || ' ' || coalesce(sum(hashtextextended(
        c.id::text || c.xmin::text || a.xmin::text, 0)), 0) as version
      from connection c join account a on a.id = c.to_account_id
      where c.account_id = $1 and ${ACTIVE}`,
    values: [accountId],
  })
  return rows[0]?.version ?? ''
}

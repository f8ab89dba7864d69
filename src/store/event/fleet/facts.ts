// What was read out of signing units, for lists that nobody waits for devices in.
import type { ScuHead } from '../../../model/scu.js'
import type { Store } from '../../client.js'
import { scuOf } from '../../sign/queues.js'

/** A unit and the ticks of its row. */
export interface DueUnit {
  head: ScuHead
  stamp: bigint
}

type RawUnit = Record<string, unknown> & { account_id: string; time_stamp: bigint }

const UNIT = `s.account_id, s.id, s.market, s.package, s.mode, s.url, s.configuration,
  encode(s.secrets_sealed, 'base64') as secrets_sealed, s.state, s.fault_script,
  s.version::text as version, s.description, s.time_stamp`
const DUE: Readonly<Record<'new' | 'moved', string>> = {
  new: 'f.described_at is null',
  moved: `f.described_at < now() - case when f.serial = '' then interval '1 minute'
    else interval '1 hour' end and s.time_stamp > f.described_stamp`,
}

/** Units that were never read, or that have changed since; of one account, or of all. */
export async function dueUnits(
  store: Store,
  { which, accountId, limit }: { which: 'new' | 'moved'; accountId?: string; limit: number },
): Promise<DueUnit[]> {
  const { rows } = await store.pool.query<RawUnit>(
    `select ${UNIT} from unit_fact f join scu s on s.account_id = f.account_id and s.id = f.scu_id
     where ${DUE[which]} and ($1::uuid is null or f.account_id = $1
       or f.account_id in (select c.to_account_id from connection c where c.account_id = $1))
     limit $2`,
    [accountId ?? null, limit],
  )
  return rows.map((row) => ({ head: scuOf(store, row.account_id, row), stamp: row.time_stamp }))
}

export interface UnitFacts {
  accountId: string
  scuId: string
  serial: string
  certificationId: string | null
  certificateEnds: Date | null
  moduleState: number | null
  /** Shares, as a device told itself. */
  signaturesUsed: number | null
  memoryUsed: number | null
  stamp: bigint
}

export async function putFacts(
  { pool }: Pick<Store, 'pool'>,
  facts: readonly UnitFacts[],
): Promise<void> {
  const column = <K extends keyof UnitFacts>(name: K) => facts.map((one) => one[name])
  await pool.query(
    `update unit_fact f set serial = n.serial, certification_id = n.certification_id,
       certificate_ends = n.certificate_ends, module_state = n.module_state,
       signatures_used = n.signatures_used, memory_used = n.memory_used,
       described_stamp = n.stamp, described_at = now()
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::int4[],
       $7::int8[], $8::float4[], $9::float4[]) n(account_id, scu_id, serial, certification_id,
       certificate_ends, module_state, stamp, signatures_used, memory_used)
     where f.account_id = n.account_id and f.scu_id = n.scu_id`,
    [
      ...[column('accountId'), column('scuId'), column('serial'), column('certificationId')],
      ...[column('certificateEnds'), column('moduleState'), column('stamp')],
      ...[column('signaturesUsed'), column('memoryUsed')],
    ],
  )
}

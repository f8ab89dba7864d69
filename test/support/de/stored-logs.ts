// The logs of all German TSEs of a database as they are stored, read with plain SQL and judged
// without program code.
import { X509Certificate } from 'node:crypto'
import type pg from 'pg'
import { faultsOfLog } from './story-tse-checks.js'
import { type LogMessage, readLog, serialOf } from './tse-log.js'

/** By unit, in the order of the counters; every signature is checked. */
export async function storedLogs(client: pg.Client): Promise<Map<string, LogMessage[]>> {
  const stored = await client.query<{ der: Buffer }>('select der from certificate')
  const certificates = new Map(
    stored.rows.map(({ der }) => {
      const certificate = new X509Certificate(der)
      return [serialOf(certificate), certificate]
    }),
  )
  const { rows } = await client.query<{ scu_id: string; content: string }>(
    "select scu_id, content from market_journal where kind = 'device-log' order by scu_id, number",
  )
  const logs = new Map<string, LogMessage[]>()
  for (const { scu_id: unit, content } of rows) {
    const log = logs.get(unit) ?? []
    logs.set(unit, log)
    for (const text of content.split(' ')) {
      log.push(readLog(Buffer.from(text, 'base64'), certificates))
    }
  }
  return logs
}

/** Empty when no log has a gap, and each transaction was started and finished once. */
export async function faultsOfDevices(client: pg.Client): Promise<string[]> {
  const logs = await storedLogs(client)
  return [...logs].flatMap(([unit, log]) => faultsOfLog(log).map((fault) => `${unit}: ${fault}`))
}

// The Portuguese members of status, configuration and raw journal exports.

import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { QueueView } from '../../model/queue.js'
import { CHAINS, type Chain, documents, kindOf, slotOf } from './cases.js'
import type { PtState } from './queue.js'
import type { StoredDocument } from './rows.js'

/** The ftQueuePT object. */
export function describeQueue(
  queue: QueueView & { timeStamp: bigint },
  state: PtState,
): Record<string, unknown> {
  const series = CHAINS.flatMap((chain) => {
    const one = state.series[chain]
    if (one === undefined) return []
    const { type } = documents[slotOf(chain)]
    return {
      ...{ TypeCode: type, Kind: kindOf(chain), ATCUD: one.code, Series: one.name },
      ...{ Identifier: `${type} ${one.name}`, Numerator: one.number },
      LastHash: one.lastHash === '' ? null : one.lastHash,
      LastCbReceiptMoment: one.lastEntry === '' ? null : one.lastEntry,
    }
  })
  return {
    ...{ ftQueuePTId: queue.id, ftSignaturCreationUnitPTId: state.scuId },
    ...{ IssuerTIN: state.issuer?.nif ?? null, CashBoxIdentification: queue.identification },
    NumeratorStorage: series,
    PublicKeys: state.keys,
    TimeStamp: queue.timeStamp,
  }
}

/** The ftJournalPT object; what is only counted is not shown. */
export function describeRow(
  row: StoredMarketRow,
  { queue }: ExportSource,
): Record<string, unknown> | undefined {
  if (!CHAINS.includes(row.kind as Chain)) return undefined
  const { number, atcud, hash, entry } = JSON.parse(row.content) as StoredDocument
  return {
    ...{ ftJournalPTId: row.id, DocumentNumber: number, ATCUD: atcud, Hash: hash },
    ...{ SystemEntryDate: entry, Number: row.number, ftQueueItemId: row.queueItemId },
    ...{ ftQueueId: queue.id, TimeStamp: row.timeStamp },
  }
}

// Looking for things by name, id, serial number or receipt number, over everything that an account
// may read.
import type { Store } from '../../../store/client.js'
import {
  type Found,
  type NumberedQueue,
  queuesToLook,
  receiptOfNumber,
  receiptsOfReference,
  type SearchQuestion,
  searchId,
  searchNames,
  searchSerial,
} from '../../../store/event/fleet/search.js'

/** Queues whose receipts are looked through when none is named. */
const FEW = 50
/** `KASSE-1#4711`, `ft1267#…` and a number alone. */
const OF_QUEUE = /^(.+)#(\d{1,18})$/
const PRINTED = /^ft([0-9a-f]{1,15})#/i
const ALONE = /^\d{1,18}$/

/** The surest first: ids, then receipts, serial numbers and names. */
export async function search(
  store: Pick<Store, 'pool'>,
  { accountId, text, limit }: SearchQuestion,
): Promise<Found[]> {
  const asked = { accountId, text: text.trim(), limit }
  const ways = [searchId, searchReceipts, searchSerial, searchNames]
  const found = new Map<string, Found>()
  for (const way of ways) {
    for (const one of await way(store, asked)) found.set(`${one.kind}:${one.id}`, one)
    if (found.size >= limit) break
  }
  return [...found.values()].slice(0, limit)
}

async function searchReceipts(
  store: Pick<Store, 'pool'>,
  { accountId, text, limit }: SearchQuestion,
): Promise<Found[]> {
  const { queue, numbers, printed } = wantedIn(text)
  const queues = await queuesToLook(store, { accountId, queue, most: FEW })
  const found: Found[] = []
  for (const one of queues) {
    const receipts = await receiptsOfReference(store, { queue: one, text, limit })
    for (const number of numbers) {
      const numbered = await receiptOfNumber(store, { queue: one, number, ...printed })
      if (numbered !== undefined) receipts.push(numbered)
    }
    found.push(...receipts.map(shown(one)))
    if (found.length >= limit) break
  }
  return found
}

interface Wanted {
  queue?: string
  numbers: bigint[]
  printed?: { printed: string }
}

function wantedIn(text: string): Wanted {
  const printed = PRINTED.exec(text)?.[1]
  if (printed !== undefined) {
    // how many there were before, or this one among them: it depends on the interface
    const count = BigInt(`0x${printed}`)
    return { numbers: [count, count + 1n], printed: { printed: text } }
  }
  const [, queue, number] = OF_QUEUE.exec(text) ?? []
  if (queue !== undefined && number !== undefined) {
    return { queue: queue.toLowerCase(), numbers: [BigInt(number)] }
  }
  return { numbers: ALONE.test(text) ? [BigInt(text)] : [] }
}

const shown =
  ({ accountId, accountName, id: queueId }: NumberedQueue) =>
  ({ id, reference }: { id: string; reference: string | null }): Found => ({
    ...{ kind: 'receipt', id, accountId, accountName, title: reference ?? '', queueId },
  })

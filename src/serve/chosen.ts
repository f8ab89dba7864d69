// Which process a connection goes to: the one of its CashBox, as long as that lives.
import { createHash } from 'node:crypto'

/** The headers of groups B, C and D; a till keeps its connection, so the first call is enough. */
const CASH_BOX = /\r\n(?:x-)?cashbox-?id:[ \t]*([0-9a-f-]{36})/i

/** What the first bytes of a connection say; undefined: nothing about a CashBox. */
export function cashBoxIn(head: Buffer): string | undefined {
  return CASH_BOX.exec(head.toString('latin1'))?.[1]?.toLowerCase()
}

/**
 * Highest random weight: every process gives each CashBox a number, and the highest wins. When one
 * dies, only its own CashBoxes go elsewhere, and come back with it.
 */
export function chosenFor(cashBoxId: string, processes: readonly number[]): number | undefined {
  let best: { index: number; weight: string } | undefined
  for (const index of processes) {
    const weight = createHash('sha256').update(`${index} ${cashBoxId}`).digest('hex')
    if (best === undefined || weight > best.weight) best = { index, weight }
  }
  return best?.index
}

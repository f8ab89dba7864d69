// Who follows events right now: a wait holds a connection, so there is a limit for each account and
// for all of them.
import { fail } from '../../errors.js'

/** Most listeners of one account in this process. */
const MOST_PER_ACCOUNT = 32
/** Characters that are handed over at once; somewhat more where an event ends behind them. */
const PIECE = 8_192

export class Listeners {
  private readonly counts = new Map<string, number>()
  private readonly told = new WeakMap<object, Buffer[]>()
  private readonly most: number
  private all = 0

  /** `most`: of all accounts together. */
  constructor(most: number) {
    this.most = most
  }

  get count(): number {
    return this.all
  }

  /** Those who listen to the same share their rows: each is written once. */
  piecesOf<Row>(rows: readonly Row[], write: (row: Row) => string): readonly Buffer[] {
    const known = this.told.get(rows)
    if (known !== undefined) return known
    const pieces: Buffer[] = []
    for (let text = '', at = 0; at < rows.length; ) {
      const row = rows[at]
      if (row !== undefined) text += write(row)
      at += 1
      if (text.length < PIECE && at < rows.length) continue
      pieces.push(Buffer.from(text))
      text = ''
    }
    this.told.set(rows, pieces)
    return pieces
  }

  /** Throws STREAMS_FULL. What it returns gives the place back, once. */
  enter(accountId: string): () => void {
    const { most } = this
    const own = this.counts.get(accountId) ?? 0
    if (own >= MOST_PER_ACCOUNT) throw fail('STREAMS_FULL', { most: MOST_PER_ACCOUNT })
    if (this.all >= most) throw fail('STREAMS_FULL', { most })
    this.counts.set(accountId, own + 1)
    this.all += 1
    let left = false
    return () => {
      if (left) return
      left = true
      this.all -= 1
      const rest = (this.counts.get(accountId) ?? 1) - 1
      if (rest === 0) this.counts.delete(accountId)
      else this.counts.set(accountId, rest)
    }
  }
}

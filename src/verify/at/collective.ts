// The collective receipt (Sammelbeleg, RKSV § 17): a signed zero receipt as first or second one
// after failed receipts.
import type { Reading } from './reading.js'

export class CollectiveCheck {
  private state: 'nothing' | 'failed' | 'owed' = 'nothing'
  private failedAt = 0

  /** Position of the last failed receipt when this one breaks the rule, else 0. */
  follow(reading: Reading): number {
    const before = this.state
    if (reading.proof === 'failed') {
      this.state = 'failed'
      const broken = before === 'owed' ? this.failedAt : 0
      this.failedAt = reading.position
      return broken
    }
    const plain = reading.turnover !== 'training' && reading.turnover !== 'void'
    const collective = reading.zero && plain
    this.state = before === 'failed' && !collective ? 'owed' : 'nothing'
    return before === 'owed' && !collective ? this.failedAt : 0
  }

  /** Something is missing or changed: it may have been the collective receipt. */
  forget(): void {
    this.state = 'nothing'
  }
}

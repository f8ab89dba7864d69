// What publishing a cash box is for those who change its parts.
import type { Transaction } from '../../../store/transaction.js'

export interface BoxToPublish {
  accountId: string
  cashBoxId: string
}

export interface Publications {
  /** Writes the configuration of now as the published one; commits with the caller's changes. */
  publish(tx: Transaction, box: BoxToPublish): Promise<void>
  /** The published configuration; null: it was never published. */
  read(box: BoxToPublish): Promise<unknown>
  /** A cloud cash box reads its configuration anew with its next receipt. */
  restart(box: BoxToPublish): Promise<void>
}

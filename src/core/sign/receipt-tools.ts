// Chance, time and memory for the step of a market.
import { randomBytes } from 'node:crypto'
import { orderedId } from '../../lib/id.js'
import type { Tools } from '../../market/contract.js'
import type { EntryDraft } from './entry-draft.js'

interface Turn {
  moment: Date
  sandbox: boolean
}

/** One object for each receipt: the sign path makes many. */
export class ReceiptTools implements Tools {
  readonly sandbox: boolean
  private readonly draft: EntryDraft
  private readonly moment: Date
  private readonly began = performance.now()

  constructor(draft: EntryDraft, { moment, sandbox }: Turn) {
    this.draft = draft
    this.moment = moment
    this.sandbox = sandbox
  }

  newId(): string {
    return orderedId(this.moment.getTime())
  }

  randomBytes(count: number): Buffer {
    return randomBytes(count)
  }

  once(key: string): boolean {
    return this.draft.once(key)
  }

  elapsedMs(): number {
    return performance.now() - this.began
  }
}

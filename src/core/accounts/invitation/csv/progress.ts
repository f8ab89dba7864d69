// How far one import is, written down for every server.
import { setTimeout as sleep } from 'node:timers/promises'
import { randomId } from '../../../../lib/id.js'
import {
  beginImport,
  type EndCounts,
  failImport,
  type ImportCounts,
  type ImportKey,
  tellImport,
} from '../../../../store/account/invitation-imports.js'
import type { Store } from '../../../../store/client.js'

export interface ProgressDeps extends TellDeps {
  now(): Date
  /** This process, as its lock names it. */
  runner: number
  /** Resolves when others see by its lock that this process is alive. */
  alive(): Promise<void>
}

interface TellDeps {
  store: Store
  log: { error(details: object, message: string): void }
}

const AGAIN_MS = 500
const TRIES = 1_200

export class ImportProgress {
  readonly key: ImportKey
  readonly counts: ImportCounts = { rows: 0, created: 0, skipped: 0 }
  private readonly deps: TellDeps
  private telling = false

  /** Of an import that has begun. */
  constructor(deps: TellDeps, key: ImportKey) {
    this.deps = deps
    this.key = key
  }

  /** From here on every server says that it runs, until it ends or this process dies. */
  static async begin(deps: ProgressDeps, accountId: string): Promise<ImportKey> {
    const { store, runner, now } = deps
    await deps.alive()
    const key = { accountId, id: randomId() }
    await beginImport(store, { ...key, runner, now: now() })
    return key
  }

  /**
   * Nobody waits for it: an import holds a connection, and whoever does waits for no further one.
   * What is told while the last word is on its way comes with the next one.
   */
  tell(): void {
    if (this.telling) return
    this.telling = true
    tellImport(this.deps.store, this.key, this.counts)
      .catch((err: unknown) => this.deps.log.error({ err }, 'progress of an import was not told'))
      .finally(() => {
        this.telling = false
      })
  }

  /** Told before the refusal; where the database is away it is told when that is back. */
  async failed(): Promise<void> {
    await this.tellEnd(this.counts)
  }

  /** The thread that counted has died: what it told last stays. */
  async lost(): Promise<void> {
    await this.tellEnd({ rows: null, skipped: null })
  }

  private async tellEnd(counts: EndCounts): Promise<void> {
    if (await this.toldEnd(counts)) return
    void this.tellLater(counts)
  }

  private async tellLater(counts: EndCounts): Promise<void> {
    for (let left = TRIES; left > 0; left -= 1) {
      await sleep(AGAIN_MS, undefined, { ref: false })
      if (await this.toldEnd(counts)) return
    }
  }

  private async toldEnd(counts: EndCounts): Promise<boolean> {
    try {
      await failImport(this.deps.store, this.key, counts)
      return true
    } catch (err) {
      this.deps.log.error({ err }, 'the end of an import was not told')
      return false
    }
  }
}

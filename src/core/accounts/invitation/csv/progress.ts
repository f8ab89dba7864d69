// How far one import is, written down for every server.
import { setTimeout as sleep } from 'node:timers/promises'
import { randomId } from '../../../../lib/id.js'
import {
  beginImport,
  failImport,
  type ImportCounts,
  type ImportKey,
  tellImport,
} from '../../../../store/account/invitation-imports.js'
import type { Store } from '../../../../store/client.js'

export interface ProgressDeps {
  store: Store
  now(): Date
  /** This process, as its lock names it. */
  runner: number
  /** Resolves when others see by its lock that this process is alive. */
  alive(): Promise<void>
  log: { error(details: object, message: string): void }
}

const AGAIN_MS = 500
const TRIES = 1_200

export class ImportProgress {
  readonly key: ImportKey
  readonly counts: ImportCounts = { rows: 0, created: 0, skipped: 0 }
  private readonly deps: ProgressDeps
  private telling = false

  private constructor(deps: ProgressDeps, key: ImportKey) {
    this.deps = deps
    this.key = key
  }

  /** From here on every server says that it runs, until it ends or this process dies. */
  static async begin(deps: ProgressDeps, accountId: string): Promise<ImportProgress> {
    const { store, runner, now } = deps
    await deps.alive()
    const key = { accountId, id: randomId() }
    await beginImport(store, { ...key, runner, now: now() })
    return new ImportProgress(deps, key)
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
    if (await this.toldEnd()) return
    void this.tellLater()
  }

  private async tellLater(): Promise<void> {
    for (let left = TRIES; left > 0; left -= 1) {
      await sleep(AGAIN_MS, undefined, { ref: false })
      if (await this.toldEnd()) return
    }
  }

  private async toldEnd(): Promise<boolean> {
    try {
      await failImport(this.deps.store, this.key, this.counts)
      return true
    } catch (err) {
      this.deps.log.error({ err }, 'the end of an import was not told')
      return false
    }
  }
}

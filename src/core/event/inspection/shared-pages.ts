// One reading for several files: each page is read once and handed to all of them, and the next
// one comes when the last of them asks for it.

interface Waiting<T> {
  resolve(result: IteratorResult<T, unknown> | PromiseLike<IteratorResult<T, unknown>>): void
  reject(error: unknown): void
}

/** A reading that takes part in the shared one until it is closed. */
export interface SharedReader<T> {
  readonly pages: AsyncIterable<T>
  /** Nobody waits for it any more; closing it again does nothing. */
  close(): void
}

export class SharedPages<T> {
  private readonly source: AsyncIterator<T, unknown>
  private waiting: Waiting<T>[] = []
  /** Readers that are not closed. */
  private open = 0

  constructor(source: AsyncIterable<T>) {
    this.source = source[Symbol.asyncIterator]()
  }

  /** All of them are to be opened before the first one asks for a page. */
  reader(): SharedReader<T> {
    this.open += 1
    let isClosed = false
    const close = () => {
      if (isClosed) return
      isClosed = true
      this.open -= 1
      this.look()
    }
    const iterator: AsyncIterator<T, unknown> = {
      next: async () => {
        if (isClosed) return { done: true, value: undefined }
        const page = await this.next()
        if (page.done === true) close()
        return page
      },
      return: async () => {
        close()
        return { done: true, value: undefined }
      },
    }
    return { pages: { [Symbol.asyncIterator]: () => iterator }, close }
  }

  /** To be called when all readers have ended: what was read ahead is given up. */
  async end(): Promise<void> {
    await this.source.return?.()
  }

  private next(): Promise<IteratorResult<T, unknown>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject })
      this.look()
    })
  }

  private look(): void {
    const { waiting } = this
    if (waiting.length === 0 || waiting.length < this.open) return
    this.waiting = []
    this.source.next().then(
      (page) => {
        for (const { resolve } of waiting) resolve(page)
      },
      (error: unknown) => {
        for (const { reject } of waiting) reject(error)
      },
    )
  }
}

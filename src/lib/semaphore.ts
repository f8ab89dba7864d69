// So many at a time, the others in the order in which they came.

export class Semaphore {
  private readonly limit: number
  private readonly waiting: (() => void)[] = []
  private taken = 0

  constructor(limit: number) {
    this.limit = limit
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.taken < this.limit) this.taken += 1
    // whoever ends hands its place over, so nobody can slip in between
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.taken -= 1
      else next()
    }
  }
}

/**
 * A few things at a time, in no order, instead of a Set that is always busy. A Set makes its table
 * anew now and then, and the table before leads to the new one: a single one that has got into
 * long-lived memory keeps all that were in any table since, until everything is collected.
 */
export class Few<T> {
  private readonly all: T[] = []

  add(one: T): void {
    this.all.push(one)
  }

  delete(one: T): void {
    const at = this.all.indexOf(one)
    if (at < 0) return
    const last = this.all.pop()
    if (last !== undefined && at < this.all.length) this.all[at] = last
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.all.values()
  }
}

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

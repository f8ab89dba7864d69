// The side of the signing thread: one order, from its beginning to its last word.
import { fail } from '../../../errors.js'
import { errorOf, type Told } from './protocol.js'

export interface Delivered {
  head: unknown
  body: AsyncIterable<string | Uint8Array>
}

interface Ways {
  taken(): void
  leave(): void
  /** Nothing of the order is left anywhere. */
  over(): void
}

interface Reader {
  resolve(result: IteratorResult<Uint8Array, undefined>): void
  reject(error: unknown): void
}

const END = { done: true, value: undefined } as const

export class Delivery {
  readonly opened: Promise<Delivered>
  private readonly ways: Ways
  private readonly pieces: Uint8Array[] = []
  private reader: Reader | undefined
  private state: 'runs' | 'left' | 'over' = 'runs'
  private fault: Error | undefined
  private open: (delivered: Delivered) => void = () => undefined
  private refuse: (error: Error) => void = () => undefined

  constructor(ways: Ways) {
    this.ways = ways
    this.opened = new Promise((resolve, reject) => {
      this.open = resolve
      this.refuse = reject
    })
  }

  tell(told: Told): void {
    if (told.say === 'over') this.end(told.fault && errorOf(told.fault))
    else if (this.state !== 'runs') return
    else if (told.say === 'opened') this.open({ head: told.head, body: this.body() })
    else this.take(told.bytes)
  }

  private take(value: Uint8Array): void {
    const { reader } = this
    if (reader === undefined) {
      this.pieces.push(value)
      return
    }
    this.reader = undefined
    this.ways.taken()
    reader.resolve({ done: false, value })
  }

  /** The thread has died with it. */
  lost(): void {
    this.end(fail('EXPORT_LOST'))
  }

  /** Nobody wants it any more: what waits is let go at once, the thread says when it is over. */
  leave(): void {
    if (this.state !== 'runs') return
    this.state = 'left'
    this.pieces.length = 0
    this.reader?.resolve(END)
    this.reader = undefined
    this.refuse(fail('EXPORT_LOST'))
    this.ways.leave()
  }

  private end(fault: Error | undefined): void {
    if (this.state === 'over') return
    const left = this.state === 'left'
    this.state = 'over'
    if (!left) {
      this.fault = fault
      this.refuse(fault ?? fail('EXPORT_LOST'))
      if (fault === undefined) this.reader?.resolve(END)
      else this.reader?.reject(fault)
      this.reader = undefined
    }
    this.ways.over()
  }

  private body(): AsyncIterable<Uint8Array> {
    const iterator: AsyncIterator<Uint8Array, undefined, undefined> = {
      next: () => this.next(),
      return: () => {
        this.leave()
        this.pieces.length = 0
        return Promise.resolve(END)
      },
    }
    return { [Symbol.asyncIterator]: () => iterator }
  }

  private next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const value = this.pieces.shift()
    if (value !== undefined) {
      if (this.state === 'runs') this.ways.taken()
      return Promise.resolve({ done: false, value })
    }
    if (this.state === 'runs') {
      return new Promise((resolve, reject) => {
        this.reader = { resolve, reject }
      })
    }
    return this.fault === undefined ? Promise.resolve(END) : Promise.reject(this.fault)
  }
}

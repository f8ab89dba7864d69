// The wish that a running operation stops, told to the server that runs it, and the refusal of its
// terminal, told to whoever asked. How it ended its record says alone.
import type { OperationLine } from '../../store/operation/operation-line.js'
import { nameOf } from './look-up.js'
import type { OperationKey, StopHearing } from './operation.js'
import type { Waits } from './waits.js'

const ASK = 'ask '
const REFUSED = 'no '

export class Stops {
  private readonly line: OperationLine
  private readonly waits: Waits
  /** Of the operations that run here. */
  private readonly running = new Map<string, () => void>()
  private readonly askers = new Map<string, Set<() => void>>()

  constructor(line: OperationLine, waits: Waits) {
    this.line = line
    this.waits = waits
    line.onStop((text) => this.heard(text))
  }

  hear(key: OperationKey, asked: () => void): StopHearing {
    const name = nameOf(key)
    this.running.set(name, asked)
    return {
      refuse: () => {
        this.refused(name)
        // nobody is left without an answer when it is lost: who asks asks again
        void Promise.allSettled([this.line.tellStop(REFUSED + name)])
      },
      end: () => {
        if (this.running.get(name) === asked) this.running.delete(name)
      },
    }
  }

  /** True: refused. False: the operation may have ended, or the time is over. */
  async ask(key: OperationKey, atMostMs: number): Promise<boolean> {
    const name = nameOf(key)
    const askers = this.askers.get(name) ?? new Set()
    this.askers.set(name, askers)
    let forget = (): void => undefined
    const refused = new Promise<boolean>((resolve) => {
      const asker = () => resolve(true)
      askers.add(asker)
      forget = () => {
        askers.delete(asker)
        if (askers.size === 0 && this.askers.get(name) === askers) this.askers.delete(name)
      }
    })
    try {
      const over = this.waits.until(key.id, atMostMs).then(() => false)
      const here = this.running.get(name)
      if (here === undefined) await this.line.tellStop(ASK + name)
      else here()
      return await Promise.race([refused, over])
    } finally {
      forget()
    }
  }

  private heard(text: string): void {
    if (text.startsWith(ASK)) this.running.get(text.slice(ASK.length))?.()
    else if (text.startsWith(REFUSED)) this.refused(text.slice(REFUSED.length))
  }

  private refused(name: string): void {
    for (const asker of [...(this.askers.get(name) ?? [])]) asker()
  }
}

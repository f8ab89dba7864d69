// Findings as verifiers write them: place, rule, expected and found. Floods of a rule are counted.
import type { Finding } from './contract.js'
import { short } from './text.js'

/** So many findings of one rule are named one by one, the rest is counted. */
const NAMED = 100

interface Told {
  code: string
  receipt: string
  text: string
}

interface Flood {
  count: number
  last: Told
  isNotice: boolean
}

export class Reporter<Code extends string> {
  private readonly sink: (finding: Finding) => void
  private readonly notices: ReadonlySet<string>
  private readonly floods = new Map<string, Flood>()

  constructor(sink: (finding: Finding) => void, notices: ReadonlySet<string>) {
    this.sink = sink
    this.notices = notices
  }

  /** `place`: member, row or receipt; '' for the file as a whole. */
  add(code: Code, place: string, text: string): void {
    this.take({ code, receipt: short(place), text }, this.notices.has(code))
  }

  /** The same as a notice, where circumstances make it one. */
  note(code: Code, place: string, text: string): void {
    this.take({ code, receipt: short(place), text }, true)
  }

  /** Writes how many were not named; once, at the end. */
  flush(): void {
    for (const { count, last, isNotice } of this.floods.values()) {
      if (count <= NAMED) continue
      const text = `the same fault in ${count - NAMED} more places, the last is this one`
      this.emit({ ...last, text }, isNotice)
    }
    this.floods.clear()
  }

  private take(finding: Told, isNotice: boolean): void {
    const key = `${isNotice} ${finding.code}`
    const flood = this.floods.get(key) ?? { count: 0, last: finding, isNotice }
    flood.count += 1
    flood.last = finding
    this.floods.set(key, flood)
    if (flood.count <= NAMED) this.emit(finding, isNotice)
  }

  private emit(finding: Told, isNotice: boolean): void {
    this.sink(isNotice ? { ...finding, notice: true } : finding)
  }
}

/** `place`: member, row or receipt; '' for the file as a whole. */
export type Report<Code extends string> = (code: Code, place: string, text: string) => void

/** Tells the same of the same thing once; moments in a text are no other thing. */
export function once<Code extends string>(report: Report<Code>): Report<Code> {
  const told = new Set<string>()
  return (code, place, text) => {
    const key = `${code} ${text.replace(/\d{4}-.*/, '')}`
    if (!told.has(key)) report(code, place, text)
    told.add(key)
  }
}

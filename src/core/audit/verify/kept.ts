// What a verifier finds: the first findings are kept, all are counted, and each belongs to one of
// the two parts of the verdict.
import type { Finding, FindingSink } from '../../../verify/contract.js'

export interface Part {
  ok: boolean
}

export class Kept implements FindingSink {
  readonly findings: Finding[] = []
  readonly notices: Finding[] = []
  private readonly limit: number
  private readonly contentCodes: ReadonlySet<string>
  private counts = { device: 0, content: 0, notices: 0 }

  constructor(limit: number, contentCodes: ReadonlySet<string>) {
    this.limit = limit
    this.contentCodes = contentCodes
  }

  add(finding: Finding): void {
    const isNotice = finding.notice === true
    if (isNotice) this.counts.notices += 1
    else if (this.contentCodes.has(finding.code)) this.counts.content += 1
    else this.counts.device += 1
    const list = isNotice ? this.notices : this.findings
    if (list.length < this.limit) list.push(finding)
  }

  clear(): void {
    this.findings.length = 0
    this.notices.length = 0
    this.counts = { device: 0, content: 0, notices: 0 }
  }

  /** After the last finding: how many are not listed. */
  close(): void {
    const { device, content, notices } = this.counts
    const more = device + content - this.findings.length
    if (more > 0) this.findings.push({ ...MORE, text: `${more} more findings are not listed` })
    const left = notices - this.notices.length
    if (left <= 0) return
    const text = `${left} more notices are not listed`
    this.notices.push({ ...MORE, text, notice: true })
  }

  get device(): Part {
    return { ok: this.counts.device === 0 }
  }

  get content(): Part {
    return { ok: this.counts.content === 0 }
  }
}

const MORE = { code: 'MORE_FINDINGS', receipt: '' }

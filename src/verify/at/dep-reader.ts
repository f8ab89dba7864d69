// The structure of a DEP7: which member stands where; none missing, doubled or of another kind.
// Tells the verifier certificates and receipts in the order of the file.
import { JsonEvents, type JsonScalar, type JsonSink } from './json-events.js'
import { quote, type Reporter } from './reporter.js'

/** What the verifier is told about the file. */
export interface DepSink {
  groupOpens(): void
  certificate(text: string): void
  authority(text: string): void
  receipt(text: string): void
  groupCloses(): void
}

const GROUPS = 'Belege-Gruppe'
const CERTIFICATE = 'Signaturzertifikat'
const AUTHORITIES = 'Zertifizierungsstellen'
const RECEIPTS = 'Belege-kompakt'
const GROUP_MEMBERS = [CERTIFICATE, AUTHORITIES, RECEIPTS]

type Level = 'top' | 'root' | 'groups' | 'group' | 'authorities' | 'receipts' | 'unknown'

/** What a bracket opens: from the level outside and the member's name to the level inside. */
function inside(level: Level, name: string, bracket: '{' | '['): Level {
  if (level === 'top' && bracket === '{') return 'root'
  if (level === 'root' && name === GROUPS && bracket === '[') return 'groups'
  if (level === 'groups' && bracket === '{') return 'group'
  if (level === 'group' && name === AUTHORITIES && bracket === '[') return 'authorities'
  if (level === 'group' && name === RECEIPTS && bracket === '[') return 'receipts'
  return 'unknown'
}

export class DepReader implements JsonSink {
  private readonly events: JsonEvents
  private readonly sink: DepSink
  private readonly reporter: Reporter
  private readonly levels: Level[] = ['top']
  private member = ''
  private rootMembers = new Set<string>()
  private groupMembers = new Set<string>()
  groups = 0

  constructor(sink: DepSink, reporter: Reporter) {
    this.sink = sink
    this.reporter = reporter
    this.events = new JsonEvents(this)
  }

  /** Throws JsonFault when the text is no JSON. */
  write(chunk: Uint8Array): void {
    this.events.write(chunk)
  }

  end(): void {
    this.events.end()
    if (!this.rootMembers.has(GROUPS)) this.missing(GROUPS)
  }

  open(bracket: '{' | '['): void {
    const outside = this.level()
    const level = inside(outside, this.member, bracket)
    if (level === 'unknown') this.misplaced(bracket === '{' ? 'an object' : 'a list')
    if (level === 'group') {
      this.groups += 1
      this.groupMembers = new Set()
      this.sink.groupOpens()
    }
    this.levels.push(level)
  }

  close(): void {
    if (this.levels.pop() !== 'group') return
    for (const name of GROUP_MEMBERS) if (!this.groupMembers.has(name)) this.missing(name)
    this.sink.groupCloses()
  }

  name(name: string): void {
    this.member = name
    const level = this.level()
    if (level !== 'root' && level !== 'group') return
    const seen = level === 'root' ? this.rootMembers : this.groupMembers
    if (seen.has(name)) {
      this.reporter.file('STRUCTURE_DOUBLED', `${this.where()}${quote(name)} comes twice`)
    }
    if (seen.size < MEMBER_LIMIT) seen.add(name)
  }

  value(value: JsonScalar): void {
    const level = this.level()
    if (level === 'receipts') this.sink.receipt(typeof value === 'string' ? value : String(value))
    else if (typeof value !== 'string') this.misplaced(value === null ? 'null' : typeof value)
    else if (level === 'authorities') this.sink.authority(value)
    else if (level === 'group' && this.member === CERTIFICATE) this.sink.certificate(value)
    else this.misplaced('a text')
  }

  private level(): Level {
    return this.levels.at(-1) ?? 'top'
  }

  /**
   * A value of a kind that does not belong here; members that the format does not know are let be.
   */
  private misplaced(found: string): void {
    const level = this.level()
    if (level === 'receipts') this.sink.receipt(found)
    if (level === 'unknown' || level === 'receipts') return
    if (level === 'root' && this.member !== GROUPS) return
    if (level === 'group' && !GROUP_MEMBERS.includes(this.member)) return
    const expected = level === 'group' && this.member === CERTIFICATE ? 'a text' : EXPECTED[level]
    this.reporter.file('STRUCTURE_TYPE', `${this.where()}expected ${expected}, found ${found}`)
  }

  private missing(name: string): void {
    this.reporter.file(
      'STRUCTURE_MISSING',
      `${this.where()}expected the member ${quote(name)}, found none`,
    )
  }

  private where(): string {
    const inGroup = this.groups > 0 && this.levels.length >= 3
    if (!inGroup) return ''
    const member = this.levels.length > 3 ? ` ${this.member}` : ''
    return `group ${this.groups}${member}: `
  }
}

/** More different members than any writer has; behind them doubles are no longer looked for. */
const MEMBER_LIMIT = 100

const EXPECTED: Record<Exclude<Level, 'unknown' | 'receipts'>, string> = {
  top: 'an object',
  root: `a list in ${GROUPS}`,
  groups: 'an object for each group',
  group: 'a list',
  authorities: 'a text for each certificate',
}

// The emulated myDATA behind its public addresses: who calls by its headers, on which channel, how
// often, and a script of what goes wrong on the line.
import { OutboundError } from '../../device/guard.js'
import type { OutboundCall, OutboundRequest, OutboundResponse } from '../../device/outbound.js'
import { escapeXml } from '../../lib/xml-write.js'
import { serve } from './authority.js'
import type { Register, Settings } from './register.js'
import { NOT_FOUND, refused, syntax } from './replies.js'

/**
 * What hits the next call: no connection, status 401, 429 or 500, an answer that gets lost after it
 * was booked, a technical fault, a message that arrives broken, an answer as text inside of
 * `string`, or one whose members come in another order.
 */
export type LineFault =
  | 'away'
  | 'unauthorised'
  | 'throttled'
  | 'broken'
  | 'lost'
  | 'technical'
  | 'syntax'
  | 'wrapped'
  | 'status-first'

export interface Caller {
  user: string
  key: string
}

export interface DoorSettings extends Settings {
  callers: readonly Caller[]
  /** Calls of one minute; left out: any number. */
  mostCalls?: number
}

const BASES = [
  ['/myDATA/myDataProvider/', 'provider'],
  ['/myDataProvider/', 'provider'],
  ['/myDATA/', 'erp'],
  ['/', 'erp'],
] as const

const MINUTE_MS = 60_000
const TECHNICAL = refused([['206', 'Technical error']], 'TechnicalError')

const answer = (status: number, text: string): OutboundResponse => ({
  status,
  body: Buffer.from(text),
})

export class MydataDoor {
  /** The next ones that hit, one for each call. */
  faults: LineFault[] = []
  /** Names of calls that arrived and were admitted. */
  readonly arrived: string[] = []
  private minute = { begin: 0, calls: 0 }
  private readonly book: Register
  private readonly settings: () => DoorSettings

  constructor(book: Register, settings: () => DoorSettings) {
    this.book = book
    this.settings = settings
  }

  readonly fetch: OutboundCall = async (url, request) => {
    const fault = this.faults.shift()
    if (fault === 'away') throw new OutboundError('network', 'no connection')
    if (fault === 'broken') return answer(500, 'Internal server error')
    if (fault === 'technical') return answer(200, TECHNICAL.text)
    if (fault === 'syntax') return answer(200, syntax('the message is cut off').text)
    const stopped = this.stopped(request, fault)
    if (stopped !== undefined) return stopped
    const { status, text } = this.answered(new URL(url), request)
    if (fault === 'lost') throw new OutboundError('timeout', 'the answer was lost')
    return answer(status, shaped(text, fault))
  }

  private stopped({ headers }: OutboundRequest, fault: LineFault | undefined) {
    const { callers, mostCalls = Number.POSITIVE_INFINITY, now } = this.settings()
    const isKnown = callers.some(
      ({ user, key }) =>
        headers['aade-user-id'] === user && headers['ocp-apim-subscription-key'] === key,
    )
    if (!isKnown || fault === 'unauthorised') {
      return answer(401, 'Access denied due to invalid subscription key.')
    }
    if (now.getTime() - this.minute.begin >= MINUTE_MS) {
      this.minute = { begin: now.getTime(), calls: 0 }
    }
    this.minute.calls += 1
    const isTooMany = this.minute.calls > mostCalls || fault === 'throttled'
    return isTooMany ? answer(429, 'Rate limit is exceeded.') : undefined
  }

  private answered({ pathname, searchParams }: URL, { method, headers, body }: OutboundRequest) {
    const [base, channel] = BASES.find(([begin]) => pathname.startsWith(begin)) ?? BASES[3]
    const name = pathname.slice(base.length)
    const isForm = method === 'GET' || headers['content-type'] === 'application/xml'
    if ((method !== 'GET' && method !== 'POST') || !isForm) return NOT_FOUND
    this.arrived.push(name)
    const call = { method, name, query: Object.fromEntries(searchParams), body: String(body ?? '') }
    return serve(this.book, call, { ...this.settings(), channel, keepsWhole: true })
  }
}

/** As real answers come, too: in an envelope, or with the status before the errors. */
function shaped(text: string, fault: LineFault | undefined): string {
  if (fault === 'wrapped') {
    const uri = 'http://schemas.microsoft.com/2003/10/Serialization/'
    return `<string xmlns="${uri}">${escapeXml(text)}</string>`
  }
  if (fault !== 'status-first') return text
  return text.replace(
    /(<errors>.*?<\/errors>)(<statusCode>\w+<\/statusCode>)/g,
    (_whole, errors: string, status: string) => status + errors,
  )
}

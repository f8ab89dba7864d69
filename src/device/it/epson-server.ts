// The driver of Epson RT servers: documents of tills, chained by fingerprints that are computed
// here. A document whose answer got lost is looked for in the server by its fingerprint.
import { z } from 'zod'
import { type CallLimit, DeviceError } from '../device.js'
import { accessToken } from '../remote.js'
import { isSummer, romeTime } from './clock.js'
import { envelope, XML_TYPE, zXml } from './fpmate.js'
import { ccdcOf, readToken, serverXml } from './fpserver.js'
import numbers from './numbers.json' with { type: 'json' }
import { numbered, RtServer, rtDriver, tillsOf, tlsFingerprint } from './rt-unit.js'
import { totalOf } from './sums.js'
import {
  type RtAnswer,
  type RtClosing,
  type RtDevice,
  type RtDocument,
  type RtReference,
  RtRefusal,
} from './unit.js'
import { answerOf, type FpAnswer, four, tag } from './wire.js'

const USUAL_LOGIN = 'epson'
const COMMANDS = '/cgi-bin/fpserver.cgi'
const configuration = z.looseObject({
  username: accessToken.default(USUAL_LOGIN),
  password: accessToken.optional(),
  /** How long a command may take inside of the server. */
  commandTimeoutMs: z.coerce.number().int().min(1000).max(60_000).default(10_000),
  /** Of its own certificate. */
  tlsFingerprint,
  /** Whether a closing of the till closes the day of the whole server too. */
  closesServer: z.union([z.boolean(), z.stringbool()]).default(false),
})
type Settings = z.infer<typeof configuration>

const cents = z.string().regex(/^\d+$/)
const done = numbered.extend({ sha: z.string(), warnings: z.array(z.string()) })
const till = z.object({
  /** The token, or the fingerprint of the newest document; '': a token is wanted. */
  before: z.string(),
  /** The running Z, and the number of the next document. */
  ...{ z: z.int(), doc: z.int() },
  /** Gross of the sales of the day. */
  daily: cents,
  last: done.nullable(),
  /** Asked and not answered. */
  open: done.extend({ daily: cents }).nullable(),
})
type Till = z.infer<typeof till>
type Done = z.infer<typeof done>
type Open = NonNullable<Till['open']>
const seen = tillsOf(till)

/** A document by its numbers; `date` begins with `2026-07-02`. */
interface Wanted {
  till: string
  z: number
  doc: number
  date: string
}

/** What the server says with the number of its answer. */
const BUSY = -8
const STALE: ReadonlySet<number> = new Set(numbers.fpserver.stale)
const TAKEN: ReadonlySet<number> = new Set(numbers.fpserver.taken)
const BUSY_TRIES = 5
const BUSY_MS = 2_000
const RESTART_MS = 5_000
/** How far back a document is looked for that this program has sent and forgotten. */
const FORGOTTEN_SECONDS = 7_200
const SECOND = 1000

class EpsonServer extends RtServer<Settings, Till> implements RtDevice {
  async document(document: RtDocument, limit: CallLimit): Promise<RtAnswer> {
    const known = this.place(document.till)
    if (known.last?.id === document.id) return this.answered(document, known.last)
    const settled = await this.settle(document.till, known, limit)
    if (settled.last?.id === document.id) return this.answered(document, settled.last)
    const place = settled.before === '' ? await this.fresh(document.till, limit) : settled
    const first = await this.send(document, place, limit)
    if (!STALE.has(first.status)) return this.concluded(document, first)
    // the server knows more of this till: perhaps this document, from before a crash
    const found = await this.forgotten(document, place, limit)
    if (found !== undefined) return this.answered(document, found)
    const anew = await this.fresh(document.till, limit)
    return this.concluded(document, await this.send(document, anew, limit))
  }

  async closing(id: string, name: string, limit: CallLimit): Promise<RtClosing> {
    const known = this.place(name)
    const before = this.closedAs(id, known.last)
    if (before !== undefined) return before
    const isRepeated = known.open?.id === id
    const settled = isRepeated ? known : await this.settle(name, known, limit)
    const running = await this.running(name, limit)
    const asked = isRepeated && known.open ? known.open.z : running
    const moment = romeTime(this.tools.now())
    const end: Done = { id, z: asked, doc: 0, moment, sha: '', warnings: [] }
    if (running === asked) {
      this.keepTill(name, { ...settled, open: { ...end, daily: '0' } })
      const body = tag('createDailyClosure', {}, tag('till', { tillId: name, closureType: '0' }))
      await this.demand(body, limit)
      if (this.settings.closesServer) await this.demand(zXml, limit, this.printerPath())
    }
    this.keepTill(name, { before: '', z: asked + 1, doc: 1, daily: '0', last: end, open: null })
    return { serial: this.seen().serial, z: asked, moment }
  }

  async report(limit: CallLimit): Promise<void> {
    await this.demand(reportXml('serverInfo'), limit)
  }

  async reprint({ z, doc, date }: RtReference, till: string, limit: CallLimit): Promise<void> {
    if ((await this.hashOf({ till, z, doc, date }, limit)) !== '') return
    throw new RtRefusal(-31, 'there is no such document')
  }

  /** A server has no printer. */
  async print(): Promise<void> {}

  async status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>> {
    const about = await this.demand(reportXml('serverInfo'), limit)
    this.keep({ serial: about.info.rtSerialNumber ?? this.seen().serial })
    const { info: time } = await this.ask(reportXml('serverTime'), limit)
    return { ServerInfo: about.info, ServerTime: time, Tills: Object.keys(this.seen().tills) }
  }

  /** The map of tills is replaced as a whole, and the server starts anew. */
  async till(name: string, isOn: boolean, limit: CallLimit): Promise<void> {
    const { values } = await this.demand(reportXml('tillMap'), limit)
    const tills = new Set(values('tillId'))
    if (tills.has(name) === isOn) return
    if (isOn) tills.add(name)
    else tills.delete(name)
    const { username, password } = this.login()
    const map = [...tills].map((tillId) => tag('till', { tillId }))
    const user = tag('user', { userId: username, password })
    const change = tag('change', isOn ? { add: name } : { remove: name })
    await this.demand(tag('createTills', {}, user, change, tag('tills', {}, ...map)), limit)
    const restart = tag('printerCommand', {}, tag('rebootWebServer'))
    await this.demand(restart, limit, this.printerPath())
    await this.tools.sleep(RESTART_MS)
  }

  // ------------------------------------------------------------------------ one document

  /** Keeps what is asked before it is asked. */
  private async send(document: RtDocument, place: Till, limit: CallLimit): Promise<FpAnswer> {
    const { receipt, open } = this.written(document, place, this.tools.now())
    this.keepTill(document.till, { ...place, open })
    const security = tag('receiptSecurity', {}, tag('hash', { fingerPrint: open.sha }))
    const chained = `<receipt><hash fingerPrint="${place.before}"/>${receipt}</receipt>`
    const body = tag('createReceipt', {}, chained, security)
    for (let left = BUSY_TRIES; ; left -= 1) {
      const answer = await this.ask(body, limit)
      if (answer.status !== BUSY || left === 0) return answer
      await this.tools.sleep(BUSY_MS)
    }
  }

  /** The document as it is at this moment, and what is kept of it. */
  private written(document: RtDocument, place: Till, at: Date): { receipt: string; open: Open } {
    const { z: zNumber, doc, daily, before } = place
    const moment = romeTime(at)
    const receipt = serverXml(document, {
      ...{ serial: this.seen().serial, z: zNumber, doc, daily: BigInt(daily) },
      stamp: moment.replace(/[-:]/g, '').replace(' ', 'T'),
      isSummer: isSummer(at.getTime()),
    })
    const sold = document.type === 'sale' ? totalOf(document) : 0n
    const numbers = { id: document.id, z: zNumber, doc, moment, warnings: [] }
    const sums = { sha: ccdcOf(before, receipt), daily: `${BigInt(daily) + sold}` }
    return { receipt, open: { ...numbers, ...sums } }
  }

  private concluded(document: RtDocument, answer: FpAnswer): RtAnswer {
    const place = this.place(document.till)
    const { open } = place
    const isTaken = answer.success || TAKEN.has(answer.status)
    if (!isTaken || open === null) {
      this.keepTill(document.till, { ...place, open: null })
      throw new RtRefusal(answer.status, answer.code || 'refused')
    }
    const warnings = answer.status < 0 ? [`${answer.status}`] : []
    return this.answered(document, this.advance(document.till, place, { ...open, warnings }))
  }

  private advance(name: string, place: Till, { daily, ...last }: Open): Done {
    const next = { before: last.sha, z: last.z, doc: last.doc + 1, daily }
    this.keepTill(name, { ...place, ...next, last, open: null })
    return last
  }

  /** What was asked and not answered is in the server, or is not. */
  private async settle(name: string, place: Till, limit: CallLimit): Promise<Till> {
    const { open } = place
    if (open === null || open.doc === 0) return place
    const { z: zNumber, doc, moment: date } = open
    const hash = await this.hashOf({ till: name, z: zNumber, doc, date }, limit)
    if (hash.endsWith(open.sha)) this.advance(name, place, open)
    else this.keepTill(name, { ...place, open: null })
    return this.place(name)
  }

  /**
   * The document was sent, and the process died before it could keep that. All of it is the same
   * but for the second, so the fingerprint in the server is that of one of them, or it is not ours.
   */
  private async forgotten(
    document: RtDocument,
    place: Till,
    limit: CallLimit,
  ): Promise<Done | undefined> {
    const now = this.tools.now()
    const { till } = document
    const { z: zNumber, doc } = place
    const hash = await this.hashOf({ till, z: zNumber, doc, date: romeTime(now) }, limit)
    if (hash === '') return undefined
    for (let back = 0; back <= FORGOTTEN_SECONDS; back += 1) {
      const { open } = this.written(document, place, new Date(now.getTime() - back * SECOND))
      if (hash.endsWith(open.sha)) return this.advance(till, place, open)
    }
    return undefined
  }

  /** '' for a document that the server does not have. */
  private async hashOf({ till, z: zNumber, doc, date }: Wanted, limit: CallLimit): Promise<string> {
    const day = date.slice(0, 10).replaceAll('-', '')
    const told = { zRepNumber: four(zNumber), recNumber: doc, date: day }
    const wish = tag('receipt', { tillId: till, ...told, reportType: 'txt' })
    const { success, info } = await this.ask(tag('createReport', {}, wish), limit)
    return success ? (info.hash ?? '').toLowerCase() : ''
  }

  private async fresh(name: string, limit: CallLimit): Promise<Till> {
    const body = tag('createToken', {}, tag('till', { tillId: name }))
    const { info } = await this.demand(body, limit)
    const token = readToken(info.token ?? '')
    if (token === undefined) throw new DeviceError('the token of the server cannot be read')
    this.keep({ serial: token.serial })
    const { z: zNumber, doc, daily } = token
    const { last } = this.place(name)
    const place = { before: info.token ?? '', z: zNumber, doc, daily: `${daily}`, last, open: null }
    this.keepTill(name, place)
    return place
  }

  private async running(name: string, limit: CallLimit): Promise<number> {
    const body = tag('createReport', {}, tag('fiscalInformation', { tillId: name }))
    const { info } = await this.demand(body, limit)
    if (/^\d{1,4}$/.test(info.zRepNumber ?? '')) return Number(info.zRepNumber)
    throw new DeviceError('the server does not tell its Z number')
  }

  // ------------------------------------------------------------------------ inside

  /** An answer that says yes; throws RtRefusal for a no. */
  private async demand(...asked: Parameters<EpsonServer['ask']>): Promise<FpAnswer> {
    const answer = await this.ask(...asked)
    if (answer.success) return answer
    throw new RtRefusal(answer.status, answer.code || 'refused')
  }

  private login(): { username: string; password: string } {
    const password = this.password()
    return { username: this.settings.username, password: password || USUAL_LOGIN }
  }

  private printerPath(): string {
    return `/cgi-bin/fpmate.cgi?timeout=${this.settings.commandTimeoutMs}`
  }

  private async ask(body: string, limit: CallLimit, path = COMMANDS): Promise<FpAnswer> {
    const { username, password } = this.login()
    const message = { path, body: envelope(body), contentType: XML_TYPE }
    const login = [username, password] as const
    return answerOf(await this.post('the RT server', { ...message, login }, limit))
  }

  private place(name: string): Till {
    const none = { before: '', z: 0, doc: 0, daily: '0', last: null, open: null }
    return this.seen().tills[name] ?? none
  }
}

const reportXml = (name: string): string => tag('createReport', {}, tag(name))

export const epsonServer = rtDriver(EpsonServer, { configuration, seen })

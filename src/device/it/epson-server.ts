// The driver of Epson RT servers: documents of tills, chained by fingerprints that are computed
// here. A document whose answer got lost is looked for in the server by its fingerprint.
import { z } from 'zod'
import { type CallLimit, DeviceError } from '../device.js'
import { accessToken } from '../remote.js'
import { isSummer, romeTime } from './clock.js'
import { envelope, XML_TYPE, zXml } from './fpmate.js'
import { ccdcOf, readToken, type ServerPlace, serverXml } from './fpserver.js'
import { numbered, RtServer, rtDriver, tlsFingerprint } from './rt-unit.js'
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
const seen = z.object({ serial: z.string(), tills: z.record(z.string(), till) })

/** What the server says with the number of its answer. */
const BUSY = -8
const STALE: ReadonlySet<number> = new Set([-21, -22, -23, -24, -25])
const TAKEN: ReadonlySet<number> = new Set([
  ...[-27, -35, -36, -37, -38, -39, -40, -41, -42, -43, -44, -45, -46, -47, -48, -49, -50],
  ...[-51, -52],
])
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
    const { serial } = this.seen()
    if (known.last?.id === id) return { serial, z: known.last.z, moment: known.last.moment }
    const isRepeated = known.open?.id === id
    const settled = isRepeated ? known : await this.settle(name, known, limit)
    const running = await this.running(name, limit)
    const asked = isRepeated && known.open ? known.open.z : running
    const moment = romeTime(this.tools.now())
    const end: Done = { id, z: asked, doc: 0, moment, sha: '', warnings: [] }
    if (running === asked) {
      this.keepTill(name, { ...settled, open: { ...end, daily: '0' } })
      const body = tag('createDailyClosure', {}, tag('till', { tillId: name, closureType: '0' }))
      this.demand(await this.ask(body, limit))
      if (this.settings.closesServer) this.demand(await this.ask(zXml, limit, this.printerPath()))
    }
    this.keepTill(name, { before: '', z: asked + 1, doc: 1, daily: '0', last: end, open: null })
    return { serial: this.seen().serial, z: asked, moment }
  }

  async report(limit: CallLimit): Promise<void> {
    this.demand(await this.ask(reportXml('serverInfo'), limit))
  }

  async reprint({ z, doc, date }: RtReference, name: string, limit: CallLimit): Promise<void> {
    const day = date.replaceAll('-', '')
    if ((await this.hashOf({ till: name, z, doc, day }, limit)) !== '') return
    throw new RtRefusal(-31, 'there is no such document')
  }

  /** A server has no printer. */
  async print(): Promise<void> {}

  async status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>> {
    const about = this.demand(await this.ask(reportXml('serverInfo'), limit))
    this.keepSerial(about.info.rtSerialNumber ?? this.seen().serial)
    const { info: time } = await this.ask(reportXml('serverTime'), limit)
    return { ServerInfo: about.info, ServerTime: time, Tills: Object.keys(this.seen().tills) }
  }

  /** The map of tills is replaced as a whole, and the server starts anew. */
  async till(name: string, isOn: boolean, limit: CallLimit): Promise<void> {
    const { values } = this.demand(await this.ask(reportXml('tillMap'), limit))
    const tills = new Set(values.get('tillId') ?? [])
    if (tills.has(name) === isOn) return
    if (isOn) tills.add(name)
    else tills.delete(name)
    const { username, password } = this.login()
    const map = [...tills].map((tillId) => tag('till', { tillId }))
    const parts = [
      tag('user', { userId: username, password }),
      isOn ? tag('change', { add: name }) : tag('change', { remove: name }),
      tag('tills', {}, map.join('')),
    ]
    this.demand(await this.ask(tag('createTills', {}, parts.join('')), limit))
    const restart = tag('printerCommand', {}, tag('rebootWebServer'))
    this.demand(await this.ask(restart, limit, this.printerPath()))
    await this.tools.sleep(RESTART_MS)
  }

  // ------------------------------------------------------------------------ one document

  /** Keeps what is asked before it is asked. */
  private async send(document: RtDocument, place: Till, limit: CallLimit): Promise<FpAnswer> {
    const now = this.tools.now()
    const moment = romeTime(now)
    const receipt = serverXml(document, this.placeOf(place, now))
    const sha = ccdcOf(place.before, receipt)
    const sold = document.type === 'sale' ? totalOf(document) : 0n
    const open = {
      ...{ id: document.id, z: place.z, doc: place.doc, moment, sha, warnings: [] },
      daily: `${BigInt(place.daily) + sold}`,
    }
    this.keepTill(document.till, { ...place, open })
    const hash = tag('hash', { fingerPrint: sha })
    const security = tag('receiptSecurity', {}, hash)
    const chained = `<receipt><hash fingerPrint="${place.before}"/>${receipt}</receipt>`
    const body = tag('createReceipt', {}, `${chained}${security}`)
    for (let left = BUSY_TRIES; ; left -= 1) {
      const answer = await this.ask(body, limit)
      if (answer.status !== BUSY || left === 0) return answer
      await this.tools.sleep(BUSY_MS)
    }
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

  private advance(name: string, place: Till, { daily, ...last }: NonNullable<Till['open']>): Done {
    const next = { before: last.sha, z: last.z, doc: last.doc + 1, daily }
    this.keepTill(name, { ...place, ...next, last, open: null })
    return last
  }

  /** What was asked and not answered is in the server, or is not. */
  private async settle(name: string, place: Till, limit: CallLimit): Promise<Till> {
    const { open } = place
    if (open === null || open.doc === 0) return place
    const day = open.moment.slice(0, 10).replaceAll('-', '')
    const hash = await this.hashOf({ till: name, z: open.z, doc: open.doc, day }, limit)
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
    const day = romeTime(now).slice(0, 10).replaceAll('-', '')
    const wanted = { till: document.till, z: place.z, doc: place.doc, day }
    const hash = await this.hashOf(wanted, limit)
    if (hash === '') return undefined
    const sold = document.type === 'sale' ? totalOf(document) : 0n
    for (let back = 0; back <= FORGOTTEN_SECONDS; back += 1) {
      const at = new Date(now.getTime() - back * SECOND)
      const sha = ccdcOf(place.before, serverXml(document, this.placeOf(place, at)))
      if (!hash.endsWith(sha)) continue
      const moment = romeTime(at)
      const plain = { id: document.id, z: place.z, doc: place.doc, moment, sha, warnings: [] }
      return this.advance(document.till, place, {
        ...plain,
        daily: `${BigInt(place.daily) + sold}`,
      })
    }
    return undefined
  }

  /** '' for a document that the server does not have. */
  private async hashOf(
    { till: name, z: zNumber, doc, day }: { till: string; z: number; doc: number; day: string },
    limit: CallLimit,
  ): Promise<string> {
    const told = { zRepNumber: four(zNumber), recNumber: `${doc}`, date: day }
    const wish = tag('receipt', { tillId: name, ...told, reportType: 'txt' })
    const { success, info } = await this.ask(tag('createReport', {}, wish), limit)
    return success ? (info.hash ?? '').toLowerCase() : ''
  }

  private async fresh(name: string, limit: CallLimit): Promise<Till> {
    const body = tag('createToken', {}, tag('till', { tillId: name }))
    const { info } = this.demand(await this.ask(body, limit))
    const token = readToken(info.token ?? '')
    if (token === undefined) throw new DeviceError('the token of the server cannot be read')
    this.keepSerial(token.serial)
    const { z: zNumber, doc, daily } = token
    const { last } = this.place(name)
    const place = { before: info.token ?? '', z: zNumber, doc, daily: `${daily}`, last, open: null }
    this.keepTill(name, place)
    return place
  }

  private async running(name: string, limit: CallLimit): Promise<number> {
    const body = tag('createReport', {}, tag('fiscalInformation', { tillId: name }))
    const { info } = this.demand(await this.ask(body, limit))
    if (/^\d{1,4}$/.test(info.zRepNumber ?? '')) return Number(info.zRepNumber)
    throw new DeviceError('the server does not tell its Z number')
  }

  private placeOf({ z: zNumber, doc, daily }: Till, now: Date): ServerPlace {
    const stamp = romeTime(now).replace(/[-:]/g, '').replace(' ', 'T')
    const numbers = { z: zNumber, doc, daily: BigInt(daily) }
    return { serial: this.seen().serial, ...numbers, stamp, isSummer: isSummer(now.getTime()) }
  }

  // ------------------------------------------------------------------------ inside

  private demand(answer: FpAnswer): FpAnswer {
    if (answer.success) return answer
    throw new RtRefusal(answer.status, answer.code || 'refused')
  }

  private login(): { username: string; password: string } {
    const password = this.password()
    return { username: this.settings.username, password: password || USUAL_LOGIN }
  }

  private printerPath = (): string =>
    `/cgi-bin/fpmate.cgi?timeout=${this.settings.commandTimeoutMs}`

  private async ask(
    body: string,
    limit: CallLimit,
    path = '/cgi-bin/fpserver.cgi',
  ): Promise<FpAnswer> {
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

export const epsonServer = rtDriver({
  configuration,
  fresh: { serial: '', tills: {} },
  open: (scu, tools) => new EpsonServer({ scu, tools }, { configuration, seen }),
})

// The driver of Epson RT servers: documents of tills, chained by fingerprints that are computed
// here. A document whose answer got lost is looked for in the server by its fingerprint.
import { z } from 'zod'
import { type CallLimit, DeviceError } from '../device.js'
import { accessToken } from '../remote.js'
import { isSummer, romeTime } from './clock.js'
import * as fpmate from './fpmate.js'
import * as fpserver from './fpserver.js'
import { RtServer, tillsOf } from './rt-server.js'
import { chained, MOST_SETTLED, type Numbers, rtDriver, tlsFingerprint } from './rt-unit.js'
import { totalOf } from './sums.js'
import { type RtDocument, type RtReference, RtRefusal } from './unit.js'
import { answerOf, type FpAnswer, four, numberIn, xml } from './wire.js'

const { forms } = fpserver
const USUAL_LOGIN = 'epson'
/** For what is about the whole device. */
const PRINTER = 'fpmate.cgi'
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

const cents = z.string().regex(/^\d+$/)
const till = z.object({
  /** The token, or the fingerprint of the newest document; '': a token is wanted. */
  before: z.string(),
  /** The running Z, and the number of the next document. */
  ...{ z: z.int(), doc: z.int() },
  /** Gross of the sales of the day. */
  daily: cents,
  last: chained.nullable(),
  /** Asked and not answered. */
  open: chained.extend({ daily: cents }).nullable(),
  settled: z.array(chained).default([]),
})
type Till = z.infer<typeof till>
type Open = NonNullable<Till['open']>
const seen = tillsOf(till)

type Wanted = Pick<RtReference, 'z' | 'doc' | 'date'> & { till: string }

/** What the server says with the number of its answer. */
const BUSY = -8
const STALE: ReadonlySet<number> = new Set(fpserver.stale)
const TAKEN: ReadonlySet<number> = new Set(fpserver.taken)
const BUSY_TRIES = 5
const BUSY_MS = 2_000
const RESTART_MS = 5_000
/** How far back a document is looked for that this program has sent and forgotten. */
const FORGOTTEN_SECONDS = 7_200
const SECOND = 1000

class EpsonServer extends RtServer<z.infer<typeof configuration>, Till> {
  protected async make(document: RtDocument, limit: CallLimit): Promise<Numbers> {
    const { till } = document
    await this.settle(till, limit)
    const known = this.known(document)
    if (known !== undefined) return known
    if (this.place(till).before === '') await this.fresh(till, limit)
    const first = await this.send(document, limit)
    if (!STALE.has(first.status)) return this.concluded(till, first)
    // the server knows more of this till: perhaps this document, from before a crash
    const found = await this.forgotten(document, limit)
    if (found !== undefined) return found
    await this.fresh(till, limit)
    return this.concluded(till, await this.send(document, limit))
  }

  protected async close(id: string, till: string, limit: CallLimit): Promise<Numbers> {
    if (this.place(till).open?.id !== id) await this.settle(till, limit)
    const { info } = await this.demand(xml(forms.running, { till }), limit)
    const running = numberIn(info.zRepNumber, 'the server does not tell its Z number')
    const last = this.closingOf(id, till, running)
    if (last.z === running) {
      this.keepTill(till, { open: { ...last, daily: '0' } })
      await this.demand(xml(forms.closure, { till }), limit)
      if (this.settings.closesServer) await this.demand(xml(fpmate.forms.z), limit, PRINTER)
    }
    this.keepTill(till, { before: '', z: last.z + 1, doc: 1, daily: '0', last, open: null })
    return last
  }

  async report(limit: CallLimit): Promise<void> {
    await this.demand(xml(forms.about), limit)
  }

  async reprint({ z, doc, date }: RtReference, till: string, limit: CallLimit): Promise<void> {
    if ((await this.hashOf({ till, z, doc, date }, limit)) !== '') return
    throw new RtRefusal(-31, 'there is no such document')
  }

  async status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>> {
    const about = await this.demand(xml(forms.about), limit)
    this.keep({ serial: about.info.rtSerialNumber ?? this.seen().serial })
    const { info: time } = await this.ask(xml(forms.time), limit)
    return { ServerInfo: about.info, ServerTime: time, Tills: Object.keys(this.seen().tills) }
  }

  /** The map of tills is replaced as a whole, and the server starts anew. */
  async till(name: string, isOn: boolean, limit: CallLimit): Promise<void> {
    const { values } = await this.demand(xml(forms.map), limit)
    const tills = new Set(values('tillId'))
    if (tills.has(name) === isOn) return
    if (isOn) tills.add(name)
    else tills.delete(name)
    const list = [...tills].map((tillId) => ({ tillId }))
    const change = { ...this.login(), name, isOn, isOff: !isOn, tills: list }
    await this.demand(xml(forms.tills, change), limit)
    await this.demand(xml(fpmate.forms.restart), limit, PRINTER)
    await this.tools.sleep(RESTART_MS)
  }

  /** Keeps what is asked before it is asked. */
  private async send(document: RtDocument, limit: CallLimit): Promise<FpAnswer> {
    const place = this.place(document.till)
    const { receipt, open } = this.written(document, place, this.tools.now())
    this.keepTill(document.till, { open })
    const sealed = fpserver.chain(place.before, receipt) + xml(forms.security, { sha: open.sha })
    const body = `<createReceipt>${sealed}</createReceipt>`
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
    const receipt = fpserver.serverXml(document, {
      ...{ serial: this.seen().serial, z: zNumber, doc, daily: BigInt(daily) },
      stamp: moment.replace(/[-:]/g, '').replace(' ', 'T'),
      isSummer: isSummer(at.getTime()),
    })
    const sold = document.type === 'sale' ? totalOf(document) : 0n
    const numbers = { id: document.id, z: zNumber, doc, moment, warnings: [] }
    const sums = { sha: fpserver.ccdcOf(before, receipt), daily: `${BigInt(daily) + sold}` }
    return { receipt, open: { ...numbers, ...sums } }
  }

  private concluded(name: string, answer: FpAnswer): Numbers {
    const { open } = this.place(name)
    const isTaken = answer.success || TAKEN.has(answer.status)
    if (!isTaken || open === null) this.refuse(name, answer.status, answer.code || 'refused')
    return this.advance(name, { ...open, warnings: answer.status < 0 ? [`${answer.status}`] : [] })
  }

  private advance(name: string, last: Open): Numbers {
    const { sha: before, z: zNumber, doc, daily } = last
    this.keepTill(name, { before, z: zNumber, doc: doc + 1, daily, last, open: null })
    return last
  }

  /** What was asked and not answered is in the server, or is not. */
  private async settle(name: string, limit: CallLimit): Promise<void> {
    const { open, settled } = this.place(name)
    if (open === null || open.doc === 0) return
    const hash = await this.hashOf({ ...open, till: name, date: open.moment }, limit)
    if (!hash.endsWith(open.sha)) return this.keepTill(name, { open: null })
    this.advance(name, open)
    this.keepTill(name, { settled: [...settled, open].slice(-MOST_SETTLED) })
  }

  /**
   * The document was sent, and the process died before it could keep that. All of it is the same
   * but for the second, so the fingerprint in the server is that of one of them, or it is not ours.
   */
  private async forgotten(document: RtDocument, limit: CallLimit): Promise<Numbers | undefined> {
    const now = this.tools.now()
    const { till } = document
    const place = this.place(till)
    const hash = await this.hashOf({ ...place, till, date: romeTime(now) }, limit)
    if (hash === '') return undefined
    for (let back = 0; back <= FORGOTTEN_SECONDS; back += 1) {
      const { open } = this.written(document, place, new Date(now.getTime() - back * SECOND))
      if (hash.endsWith(open.sha)) return this.advance(till, open)
    }
    return undefined
  }

  /** '' for a document that the server does not have. */
  private async hashOf({ till, z: zNumber, doc, date }: Wanted, limit: CallLimit): Promise<string> {
    const day = date.slice(0, 10).replaceAll('-', '')
    const wish = xml(forms.hash, { till, z: four(zNumber), doc, day })
    const { success, info } = await this.ask(wish, limit)
    return success ? (info.hash ?? '').toLowerCase() : ''
  }

  /** The till begins with a new token. */
  private async fresh(name: string, limit: CallLimit): Promise<void> {
    const { info } = await this.demand(xml(forms.token, { till: name }), limit)
    const { token: before = '' } = info
    const token = fpserver.readToken(before)
    if (token === undefined) throw new DeviceError('the token of the server cannot be read')
    const { serial, z: zNumber, doc, daily } = token
    this.keep({ serial })
    this.keepTill(name, { before, z: zNumber, doc, daily: `${daily}`, open: null })
  }

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

  private async ask(body: string, limit: CallLimit, program = 'fpserver.cgi'): Promise<FpAnswer> {
    const { username, password } = this.login()
    const timeout = program === PRINTER ? `?timeout=${this.settings.commandTimeoutMs}` : ''
    const message = { path: `/cgi-bin/${program}${timeout}`, login: [username, password] }
    return answerOf(await this.post({ ...message, ...fpmate.enveloped(body) }, limit))
  }

  protected place(name: string): Till {
    const none = { before: '', z: 0, doc: 0, daily: '0', last: null, open: null, settled: [] }
    return this.seen().tills[name] ?? none
  }
}

export const epsonServer = rtDriver(EpsonServer, { configuration, seen })

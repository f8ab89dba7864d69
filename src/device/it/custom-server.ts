// The driver of Custom RT servers: JSON documents of tills, each signed with the key of its till.
// The server is asked how far a till is before each document, so that one whose answer got lost is
// known again; of what nobody here knows a till is told apart only by closing its day.
import { z } from 'zod'
import { type CallLimit, DeviceError } from '../device.js'
import { accessToken, readJson } from '../remote.js'
import { romeTime } from './clock.js'
import { fiscalData, qrData } from './customrt.js'
import { type Day, done, RtServer, tillsOf } from './rt-server.js'
import { type Numbers, rtDriver, tlsFingerprint } from './rt-unit.js'
import { totalOf } from './sums.js'
import { type RtDocument, RtRefusal } from './unit.js'

const configuration = z.looseObject({
  /** Of the administrator, who enters and cancels tills. */
  username: accessToken.default('admin'),
  password: accessToken.optional(),
  /** Password of the tills. */
  accountId: accessToken.default('till'),
  /** VAT number of who sells. */
  vatId: z
    .string()
    .regex(/^\d{11}$/)
    .default('00000000000'),
  /** Of its own certificate. */
  tlsFingerprint,
})
type Settings = z.infer<typeof configuration>

const cents = z.string().regex(/^-?\d+$/)
const signed = done.extend({ signature: z.string() })
const till = z.object({
  uuid: z.string(),
  /** Token or signature that the next document names; '' : the day must be opened. */
  before: z.string(),
  ...{ z: z.int(), doc: z.int(), grand: cents },
  last: signed.nullable(),
  open: signed.extend({ amount: cents }).nullable(),
  settled: z.array(signed),
})
type Till = z.infer<typeof till>
const seen = tillsOf(till)

const number = z.coerce.number().int().min(0)
const answer = z.looseObject({
  responseCode: z.coerce.number(),
  responseDesc: z.string().nullish(),
})
/** All of it comes as text; what nothing is known of is null or ''. */
const status = z.looseObject({
  ...{ numberClosure: number, fiscalBoxId: z.string(), cashToken: z.string() },
  ...{ cashHmacKey: z.string(), cashStatus: z.coerce.string() },
  cashLastDocNumber: z.preprocess((given) => given || '0', number),
  grandTotalDB: z.preprocess((given) => String(given || '0'), cents),
})
type Status = z.infer<typeof status>
const taken = z.looseObject({ responseSubCode: z.array(z.coerce.string()).nullish() })

const CLOSED = '0'
const MOST_SETTLED = 20
/** They are no business of who reads a receipt. */
const SECRET: ReadonlySet<string> = new Set(['cashToken', 'cashHmacKey'])

class CustomServer extends RtServer<Settings, Till> {
  protected readonly blank = { signature: '', amount: '0' }

  protected async sent(document: RtDocument, limit: CallLimit): Promise<Numbers> {
    const { till } = document
    const day = await this.opened(till, limit)
    const place = this.settle(till, day)
    const found = this.known(document)
    if (found !== undefined) return found
    if (place.before === '') {
      throw new DeviceError(`till ${till} has documents that nobody here has sent: close its day`)
    }
    return this.send(document, { ...place, key: day.cashHmacKey }, limit)
  }

  /** Keeps what is asked before it is asked. */
  private async send(
    document: RtDocument,
    { key, ...place }: Till & { key: string },
    limit: CallLimit,
  ): Promise<Numbers> {
    const moment = romeTime(this.tools.now())
    const { uuid, z: zNumber, before } = place
    const doc = place.doc + 1
    const { vatId } = this.settings
    const at = { uuid, z: zNumber, doc, moment, before, grand: BigInt(place.grand), vatId }
    const data = fiscalData(document, at)
    const sealed = qrData(data, key)
    const { shaMetadata: sha, signature } = sealed
    const numbers = { id: document.id, z: zNumber, doc, moment, sha, signature, warnings: [] }
    const open = { ...numbers, amount: `${totalOf(document)}` }
    this.keepTill(document.till, { ...place, open })
    const path = document.lottery === '' ? 'insertFiscalDocument2' : 'insertFiscalDocumentLottery'
    const said = await this.ask(path, { fiscalData: data, qrData: sealed }, { user: uuid, limit })
    const { responseCode, responseDesc } = said
    if (responseCode !== 0) this.refuse(document.till, responseCode, responseDesc ?? 'refused')
    const warnings = taken.parse(said).responseSubCode ?? []
    return this.advance(document.till, { ...open, warnings })
  }

  protected behind({ grand }: Till, open: NonNullable<Till['open']>) {
    const sum = BigInt(grand) + BigInt(open.amount)
    return { before: open.signature, doc: open.doc, grand: `${sum}` }
  }

  /** What was asked and not answered is in the server, or is not. */
  private settle(name: string, day: Status): Till {
    const place = this.place(name)
    const { open, settled } = place
    const [running, newest] = [day.numberClosure + 1, day.cashLastDocNumber]
    const isDay = place.z === running
    if (open !== null && isDay && open.doc > 0 && newest === open.doc) {
      const found = this.advance(name, open)
      const all = [...settled, found].slice(-MOST_SETTLED)
      this.keepTill(name, { ...this.place(name), settled: all })
    } else if (isDay && newest === place.doc) {
      const before = newest === 0 ? day.cashToken : place.before
      this.keepTill(name, { ...place, before, open: null })
    } else {
      // the process died before it could keep what it had sent, or somebody else has sent it
      const before = newest === 0 ? day.cashToken : ''
      const next = { z: running, doc: newest, grand: day.grandTotalDB, before }
      this.keepTill(name, { ...place, ...next, open: null })
    }
    return this.place(name)
  }

  protected async day(name: string, isRepeated: boolean, limit: CallLimit): Promise<Day<Till>> {
    const day = await this.dayStatus(name, limit)
    const place = isRepeated ? this.place(name) : this.settle(name, day)
    const next = { doc: 0, grand: day.grandTotalDB }
    return { place, running: day.numberClosure + 1, next }
  }

  protected async close(
    _name: string,
    { place, running, next, moment }: Day<Till> & { moment: string },
    limit: CallLimit,
  ): Promise<void> {
    const { uuid: cashuuid } = place
    const data = { cashuuid, znum: running, dtime: moment, amount: next.grand }
    await this.demand('insertZDocument', { data }, { user: cashuuid, limit })
  }

  async report(limit: CallLimit): Promise<void> {
    for (const name of Object.keys(this.seen().tills)) await this.dayStatus(name, limit)
  }

  /** The till prints what it has. */
  async reprint(): Promise<void> {}

  async status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>> {
    const memory = await this.demand('getDeviceMemStatus', { data: { type: '3' } }, { limit })
    const tills: Record<string, unknown>[] = []
    for (const name of Object.keys(this.seen().tills)) tills.push(await this.dayStatus(name, limit))
    const shown = tills.map((one) =>
      Object.fromEntries(Object.entries(one).filter(([member]) => !SECRET.has(member))),
    )
    return {
      ...{ DeviceMemStatus: memory, DeviceDailyStatus: shown[0] ?? null },
      ...{ DocumentsInCache: 0, SigningDeviceAvailable: true },
    }
  }

  async till(name: string, isOn: boolean, limit: CallLimit): Promise<void> {
    const known = this.seen().tills[name]
    const { accountId: password, vatId: cf } = this.settings
    if (isOn && known === undefined) {
      const [shop, cash] = [name.slice(0, 4), name.slice(4)]
      const data = { description: name, shop, name: cash, password, cf }
      const said = await this.demand('insertCashRegister', { data }, { limit })
      const { cashUuid: uuid } = z.looseObject({ cashUuid: z.string().min(1) }).parse(said)
      const fresh = { uuid, before: '', z: 0, doc: 0, grand: '0', last: null, open: null }
      this.keepTill(name, { ...fresh, settled: [] })
    } else if (!isOn && known !== undefined) {
      const data = { type: 1, cf, cashuuid: known.uuid }
      await this.demand('updateCashRegister', { data }, { limit })
      const { [name]: _, ...tills } = this.seen().tills
      this.keep({ tills })
    }
  }

  // ------------------------------------------------------------------------ inside

  /** A day that is closed is opened by the first document. */
  private async opened(name: string, limit: CallLimit): Promise<Status> {
    const day = await this.dayStatus(name, limit)
    if (day.cashStatus !== CLOSED) return day
    const cashuuid = this.place(name).uuid
    const data = { cashuuid, dtime: romeTime(this.tools.now()) }
    return this.dayOf(await this.demand('getDailyOpen', { data }, { user: cashuuid, limit }))
  }

  private async dayStatus(name: string, limit: CallLimit): Promise<Status> {
    const cashuuid = this.place(name).uuid
    const asked = { data: { cashuuid } }
    return this.dayOf(await this.demand('getDailyStatus', asked, { user: cashuuid, limit }))
  }

  private dayOf(said: unknown): Status {
    const read = status.safeParse(said)
    if (!read.success) throw new DeviceError('the answer of the RT server cannot be read')
    this.keep({ serial: read.data.fiscalBoxId })
    return read.data
  }

  /** What says yes; throws RtRefusal for a no. */
  private async demand(...asked: Parameters<CustomServer['ask']>) {
    const said = await this.ask(...asked)
    if (said.responseCode === 0) return said
    throw new RtRefusal(said.responseCode, said.responseDesc ?? 'refused')
  }

  /** Without a till it is the administrator who asks. */
  private async ask(
    path: string,
    body: object,
    { user, limit }: { user?: string; limit: CallLimit },
  ) {
    const { username, accountId } = this.settings
    const login =
      user === undefined ? ([username, this.password()] as const) : ([user, accountId] as const)
    const message = { path: `/${path}.php`, body: JSON.stringify(body), login }
    const text = await this.post(message, limit)
    const said = answer.safeParse(readJson(text))
    if (said.success) return said.data
    throw new DeviceError('the answer of the RT server cannot be read')
  }

  protected place(name: string): Till {
    const known = this.seen().tills[name]
    if (known === undefined) throw new RtRefusal(-20, `till ${name} is not entered in the server`)
    return known
  }
}

export const customServer = rtDriver(CustomServer, { configuration, seen })

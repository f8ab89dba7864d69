// The driver of Custom RT servers: JSON documents of tills, each signed with the key of its till.
// The server is asked how far a till is before each document, so that one whose answer got lost is
// known again; of what nobody here knows a till is told apart only by closing its day.
import { z } from 'zod'
import { type CallLimit, DeviceError } from '../device.js'
import { accessToken, readJson } from '../remote.js'
import { romeTime } from './clock.js'
import { fiscalData, qrData, type Till, till } from './customrt.js'
import { RtServer, tillsOf } from './rt-server.js'
import { MOST_SETTLED, type Numbers, rtDriver, tlsFingerprint } from './rt-unit.js'
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
  grandTotalDB: z.preprocess((given) => String(given || '0'), till.shape.grand),
})
type Status = z.infer<typeof status>
const taken = z.looseObject({ responseSubCode: z.array(z.coerce.string()).nullish() })

const CLOSED = '0'
/** They are no business of who reads a receipt. */
const SECRET: ReadonlySet<string> = new Set(['cashToken', 'cashHmacKey'])

/** Without a till as user it is the administrator who asks. */
interface By {
  user?: string
  limit: CallLimit
}

class CustomServer extends RtServer<z.infer<typeof configuration>, Till> {
  protected async make(document: RtDocument, limit: CallLimit): Promise<Numbers> {
    const { till } = document
    const day = await this.opened(till, limit)
    const { before } = this.settle(till, day)
    const found = this.known(document)
    if (found !== undefined) return found
    if (before !== '') return this.send(document, day.cashHmacKey, limit)
    throw new DeviceError(`till ${till} has documents that nobody here has sent: close its day`)
  }

  /** Keeps what is asked before it is asked. */
  private async send(document: RtDocument, key: string, limit: CallLimit): Promise<Numbers> {
    const { id, till, lottery } = document
    const place = this.place(till)
    const at = { z: place.z, doc: place.doc + 1, moment: romeTime(this.tools.now()) }
    const data = fiscalData(document, { ...place, ...at, vatId: this.settings.vatId })
    const sealed = qrData(data, key)
    const { shaMetadata: sha, signature } = sealed
    const asked = { id, ...at, sha, signature, warnings: [], amount: `${totalOf(document)}` }
    this.keepTill(till, { open: asked })
    const path = lottery === '' ? 'insertFiscalDocument2' : 'insertFiscalDocumentLottery'
    const body = { fiscalData: data, qrData: sealed }
    const said = await this.ask(path, body, { user: place.uuid, limit })
    const { responseCode, responseDesc } = said
    if (responseCode !== 0) this.refuse(till, responseCode, responseDesc ?? 'refused')
    const warnings = taken.parse(said).responseSubCode ?? []
    return this.advance(till, { ...asked, warnings })
  }

  private advance(name: string, last: NonNullable<Till['open']>): Numbers {
    const grand = `${BigInt(this.place(name).grand) + BigInt(last.amount)}`
    this.keepTill(name, { before: last.signature, doc: last.doc, grand, last, open: null })
    return last
  }

  /** What was asked and not answered is in the server, or is not. */
  private settle(name: string, day: Status): Till {
    const { z: zNumber, doc, open, ...known } = this.place(name)
    const [running, newest] = [day.numberClosure + 1, day.cashLastDocNumber]
    const token = newest === 0 ? day.cashToken : undefined
    if (open !== null && zNumber === running && open.doc > 0 && newest === open.doc) {
      this.advance(name, open)
      this.keepTill(name, { settled: [...known.settled, open].slice(-MOST_SETTLED) })
    } else if (zNumber === running && newest === doc) {
      this.keepTill(name, { before: token ?? known.before, open: null })
    } else {
      // the process died before it could keep what it had sent, or somebody else has sent it
      const next = { z: running, doc: newest, grand: day.grandTotalDB, before: token ?? '' }
      this.keepTill(name, { ...next, open: null })
    }
    return this.place(name)
  }

  protected async close(id: string, name: string, limit: CallLimit): Promise<Numbers> {
    const isRepeated = this.place(name).open?.id === id
    const day = await this.dayStatus(name, limit)
    if (!isRepeated) this.settle(name, day)
    const [running, amount] = [day.numberClosure + 1, day.grandTotalDB]
    const last = { ...this.closingOf(id, name, running), signature: '' }
    if (last.z === running) {
      this.keepTill(name, { open: { ...last, amount: '0' } })
      const { uuid: user } = this.place(name)
      const data = { cashuuid: user, znum: running, dtime: last.moment, amount }
      await this.demand('insertZDocument', data, { user, limit })
    }
    this.keepTill(name, { before: '', z: last.z + 1, doc: 0, grand: amount, last, open: null })
    return last
  }

  async report(limit: CallLimit): Promise<void> {
    for (const name of Object.keys(this.seen().tills)) await this.dayStatus(name, limit)
  }

  /** The till prints what it has. */
  async reprint(): Promise<void> {}

  async status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>> {
    const memory = await this.demand('getDeviceMemStatus', { type: '3' }, { limit })
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
      const said = await this.demand('insertCashRegister', data, { limit })
      const { cashUuid: uuid } = z.looseObject({ cashUuid: z.string().min(1) }).parse(said)
      const fresh = { uuid, before: '', z: 0, doc: 0, grand: '0', last: null, open: null }
      this.keep({ tills: { ...this.seen().tills, [name]: { ...fresh, settled: [] } } })
    } else if (!isOn && known !== undefined) {
      const data = { type: 1, cf, cashuuid: known.uuid }
      await this.demand('updateCashRegister', data, { limit })
      const { [name]: _, ...tills } = this.seen().tills
      this.keep({ tills })
    }
  }

  /** A day that is closed is opened by the first document. */
  private async opened(name: string, limit: CallLimit): Promise<Status> {
    const day = await this.dayStatus(name, limit)
    if (day.cashStatus !== CLOSED) return day
    const { uuid: user } = this.place(name)
    const data = { cashuuid: user, dtime: romeTime(this.tools.now()) }
    return this.dayOf(await this.demand('getDailyOpen', data, { user, limit }))
  }

  private async dayStatus(name: string, limit: CallLimit): Promise<Status> {
    const { uuid: user } = this.place(name)
    return this.dayOf(await this.demand('getDailyStatus', { cashuuid: user }, { user, limit }))
  }

  private dayOf(said: unknown): Status {
    const read = status.safeParse(said)
    if (!read.success) throw new DeviceError('the answer of the RT server cannot be read')
    this.keep({ serial: read.data.fiscalBoxId })
    return read.data
  }

  /** What says yes; throws RtRefusal for a no. */
  private async demand(path: string, data: object, by: By) {
    const said = await this.ask(path, { data }, by)
    if (said.responseCode === 0) return said
    throw new RtRefusal(said.responseCode, said.responseDesc ?? 'refused')
  }

  private async ask(path: string, body: object, { user, limit }: By) {
    const { username, accountId } = this.settings
    const login = user === undefined ? [username, this.password()] : [user, accountId]
    const message = { path: `/${path}.php`, body: JSON.stringify(body), login }
    const said = answer.safeParse(readJson(await this.post(message, limit)))
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

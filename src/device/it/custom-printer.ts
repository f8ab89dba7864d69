// The driver of Custom RT printers. A document whose answer got lost is looked for by its number,
// which was read before; a document that nobody here knows is told, and never taken for ours.
import { z } from 'zod'
import { type CallLimit, DeviceError } from '../device.js'
import { accessToken } from '../remote.js'
import { romeTime } from './clock.js'
import {
  againXml,
  cancelXml,
  infoXml,
  lastPrinted,
  lastXml,
  momentOf,
  type PrinterForm,
  plainXml,
  receiptXml,
  resetXml,
  statusXml,
  USUAL,
  xXml,
  zXml,
} from './printer-htm.js'
import { asked, numbered, RtUnit, rtDriver, settle, settled } from './rt-unit.js'
import { totalOf } from './sums.js'
import {
  PAY_KINDS,
  type RtAnswer,
  type RtClosing,
  type RtDevice,
  type RtDocument,
  type RtReference,
  RtRefusal,
  VAT_KEYS,
} from './unit.js'
import { answerOf, type FpAnswer } from './wire.js'

const MOST_PAYMENTS = 30
const configuration = z.looseObject({
  /** Left out: the serial number, for name and password. */
  username: accessToken.optional(),
  password: accessToken.optional(),
  /** Rate or nature → number of the VAT, as the technician has programmed it. */
  vats: z.partialRecord(z.enum(VAT_KEYS), z.int().min(1).max(99)).default({}),
  /** Kind of payment → its number. */
  payments: z.partialRecord(z.enum(PAY_KINDS), z.int().min(1).max(MOST_PAYMENTS)).default({}),
  /** An electronic document instead of paper, where the printer can. */
  paperless: z.union([z.boolean(), z.stringbool()]).default(false),
})

const seen = z.object({
  serial: z.string(),
  last: numbered.nullable(),
  open: asked.nullable(),
  settled,
})
type Seen = z.infer<typeof seen>
interface Place {
  z: number
  doc: number
  moment: string
}

/** Places of the five digits of its state: what makes a document impossible. */
const STOPS = [
  [0, 64, 'the cover is open'],
  [1, 16, 'the paper is at its end'],
  [3, 30, 'the electronic journal is full'],
] as const
const JOURNAL_BUSY = 76
const UNKNOWN_DOCUMENT = 40

class CustomPrinter extends RtUnit<z.infer<typeof configuration>, Seen> implements RtDevice {
  readonly isServer = false

  async document(document: RtDocument, limit: CallLimit): Promise<RtAnswer> {
    const { id } = document
    const state = this.seen()
    if (state.last?.id === id) return this.told(document, state.last)
    const found = state.settled.find((one) => one.id === id)
    if (found !== undefined) return this.answered(document, found)
    const body = receiptXml(document, this.form())
    const before = await this.ready(limit)
    if (state.open?.id === id && isBehind(before, state.open)) return this.told(document, before)
    this.settleOpen(before, id)
    this.demandKnown(before, this.seen())
    const total = String(totalOf(document))
    this.keep({ ...this.seen(), open: { id, z: before.z, doc: before.doc, total } })
    const answer = await this.call(body, limit)
    // the paper is out; what is said is only that its picture is not made yet
    const isPrinted = answer.success || answer.status === JOURNAL_BUSY
    if (!isPrinted) await this.refuse(answer, limit)
    const { info } = answer
    const isNumbered =
      /^\d{1,4}$/.test(info.nClose ?? '') && /^[1-9]\d{0,3}$/.test(info.fiscalDoc ?? '')
    const moment = momentOf(info.dateTime ?? '')
    const done =
      answer.success && isNumbered
        ? { z: Number(info.nClose), doc: Number(info.fiscalDoc), moment }
        : await this.last(limit)
    if (!isBehind(done, before)) await this.refuse(answer, limit)
    return this.told(document, done)
  }

  async closing(id: string, _till: string, limit: CallLimit): Promise<RtClosing> {
    const state = this.seen()
    const { last, open } = state
    if (last?.id === id) return { serial: state.serial, z: last.z, moment: last.moment }
    const done = (number: number): RtClosing => {
      const moment = romeTime(this.tools.now())
      this.keep({ ...this.seen(), last: { id, z: number, doc: 0, moment }, open: null })
      return { serial: this.seen().serial, z: number, moment }
    }
    const before = await this.info(limit)
    const isMade = open?.id === id && before.zSetNumber > open.z
    if (isMade) return done(before.zSetNumber)
    if (open !== null) this.settleOpen(await this.last(limit), id)
    this.keep({ ...this.seen(), open: { id, z: before.zSetNumber, doc: 0 } })
    const answer = await this.call(zXml, limit)
    if (!answer.success) await this.refuse(answer, limit)
    const { zSetNumber } = await this.info(limit)
    return done(zSetNumber)
  }

  async report(limit: CallLimit): Promise<void> {
    await this.ask(xXml, limit)
  }

  /** The printer knows the last document only. */
  async reprint({ z: zNumber, doc }: RtReference, _till: string, limit: CallLimit): Promise<void> {
    const newest = await this.last(limit)
    if (newest.z !== zNumber || newest.doc !== doc) {
      throw new RtRefusal(UNKNOWN_DOCUMENT, 'the printer reprints its newest document only')
    }
    await this.ask(againXml, limit)
  }

  async print(lines: readonly string[], limit: CallLimit): Promise<void> {
    await this.ask(plainXml(lines), limit)
  }

  async status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>> {
    const { serial } = await this.info(limit)
    await this.call(resetXml, limit)
    const { info } = await this.ask(statusXml, limit)
    const { printerStatus = '', fpStatus = '' } = info
    return { PrinterStatus: printerStatus, FpStatus: fpStatus, SerialNumber: serial }
  }

  async till(): Promise<void> {}

  // ------------------------------------------------------------------------ inside

  /** Ends a document that was left open; the numbers of the newest one. */
  private async ready(limit: CallLimit): Promise<Place> {
    if (this.seen().serial === '') await this.info(limit)
    const { info } = await this.ask(statusXml, limit)
    if ((info.receiptStep ?? '0') !== '0') {
      await this.call(cancelXml, limit)
      await this.call(resetXml, limit)
    }
    const digits = info.printerStatus ?? ''
    for (const [place, status, text] of STOPS) {
      if (digits[place] === '1') throw new RtRefusal(status, text)
    }
    return this.last(limit)
  }

  private async last(limit: CallLimit): Promise<Place> {
    const { info } = await this.ask(lastXml, limit)
    const found = lastPrinted(info.responseBuf ?? '')
    const running = found?.z ?? (await this.info(limit)).zSetNumber + 1
    const moment = found === undefined ? '' : `${found.moment}:00`
    return { z: running, doc: found?.doc ?? 0, moment }
  }

  /** The document whose answer got lost, where it is the one behind what was there before. */
  private settleOpen(newest: Place, id: string): void {
    const state = this.seen()
    const found = settle(state, newest, id)
    if (found.length === state.settled.length) return
    this.keep({ ...state, settled: found, last: found.at(-1) ?? state.last })
  }

  /**
   * One that follows the newest known and is none of ours: a process died before it could keep
   * it, or somebody else prints. Told once, then it counts as known.
   */
  private demandKnown(before: Place, state: Seen): void {
    const { last } = state
    const isFirst = last === null || before.doc === 0
    const isKnown = isFirst || !isBehind(before, last.doc === 0 ? { ...last, z: last.z + 1 } : last)
    if (isKnown) return
    const { z: zNumber, doc, moment } = before
    const told = { id: '', z: zNumber, doc, moment }
    this.keep({ ...state, last: told })
    const name = `${zNumber}-${doc} of ${moment}`
    throw new RtRefusal(
      0,
      `the printer has document ${name}, which is not known here: compare it with this receipt; ` +
        'sent once more, it is printed anew',
    )
  }

  private async info(limit: CallLimit): Promise<{ serial: string; zSetNumber: number }> {
    const { info } = await this.ask(infoXml, limit)
    const { serialNumber: serial = '', zSetNumber = '' } = info
    if (serial === '' || !/^\d{1,4}$/.test(zSetNumber)) {
      throw new DeviceError('the printer does not tell its serial number and Z')
    }
    if (serial !== this.seen().serial) this.keep({ ...this.seen(), serial })
    return { serial, zSetNumber: Number(zSetNumber) }
  }

  private told(document: RtDocument, place: Place): RtAnswer {
    const { z: zNumber, doc, moment } = place
    this.keep({ ...this.seen(), last: { id: document.id, z: zNumber, doc, moment }, open: null })
    return this.answered(document, place)
  }

  private async ask(body: string, limit: CallLimit): Promise<FpAnswer> {
    const answer = await this.call(body, limit)
    return answer.success ? answer : this.refuse(answer, limit)
  }

  private async refuse({ status, code }: FpAnswer, limit: CallLimit): Promise<never> {
    await this.call(cancelXml, limit)
    await this.call(resetXml, limit)
    this.keep({ ...this.seen(), open: null })
    throw new RtRefusal(status, code || 'the printer refuses')
  }

  private form(): PrinterForm {
    const { vats, payments, paperless } = this.settings
    return {
      vats: { ...USUAL.vats, ...vats },
      payments: { ...USUAL.payments, ...payments },
      paperless,
    }
  }

  private async call(body: string, limit: CallLimit): Promise<FpAnswer> {
    const message = { path: '/xml/printer.htm', body, contentType: 'text/plain; charset=utf-8' }
    return answerOf(await this.post('the RT printer', { ...message, login: this.login() }, limit))
  }

  /** The very first question is asked without: its answer tells the usual login. */
  private login(): readonly [string, string] | undefined {
    const { username = '' } = this.settings
    if (username !== '') return [username, this.password()]
    const { serial } = this.seen()
    return serial === '' ? undefined : [serial, serial]
  }
}

/** By numbers alone: it came later. */
function isBehind(one: { z: number; doc: number }, other: { z: number; doc: number }): boolean {
  return one.z > other.z ? one.doc > 0 : one.z === other.z && one.doc > other.doc
}

export const customPrinter = rtDriver({
  configuration,
  fresh: { serial: '', last: null, open: null, settled: [] },
  open: (scu, tools) => new CustomPrinter({ scu, tools }, { configuration, seen }),
})

// The driver of Custom RT printers. A document whose answer got lost is looked for by its number,
// which was read before; a document that nobody here knows is told, and never taken for ours.
import { z } from 'zod'
import type { CallLimit } from '../device.js'
import { accessToken } from '../remote.js'
import * as htm from './printer-htm.js'
import { type Found, type Place, RtPrinter, seen } from './rt-printer.js'
import { rtDriver } from './rt-unit.js'
import { totalOf } from './sums.js'
import { PAY_KINDS, type RtDocument, type RtReference, RtRefusal, VAT_KEYS } from './unit.js'
import { answerOf, type FpAnswer, numberIn, xml } from './wire.js'

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

const { forms } = htm
const JOURNAL_BUSY = 76
const UNKNOWN_DOCUMENT = 40

class CustomPrinter extends RtPrinter<z.infer<typeof configuration>> {
  protected readonly words = htm
  protected readonly recovery = [forms.cancel, forms.reset]

  protected async printed(document: RtDocument, limit: CallLimit): Promise<Found> {
    const { id } = document
    const body = htm.receiptXml(document, this.settings)
    const before = await this.ready(limit)
    const { open } = this.seen()
    if (open?.id === id && isBehind(before, open)) return before
    this.settle(before, id)
    this.demandKnown(before)
    this.asking(id, before, totalOf(document))
    const answer = await this.call(body, limit)
    // the paper is out; what is said is only that its picture is not made yet
    const isPrinted = answer.success || answer.status === JOURNAL_BUSY
    if (!isPrinted) await this.refuse(answer, limit)
    const done = numbersIn(answer) ?? (await this.last(limit))
    return isBehind(done, before) ? done : this.refuse(answer, limit)
  }

  protected async closed(id: string, limit: CallLimit): Promise<number> {
    const { open } = this.seen()
    const before = await this.info(limit)
    if (open?.id === id && before.zSetNumber > open.z) return before.zSetNumber
    if (open !== null) this.settle(await this.last(limit), id)
    this.asking(id, { z: before.zSetNumber, doc: 0 })
    await this.ask(xml(forms.z), limit)
    return (await this.info(limit)).zSetNumber
  }

  /** The printer knows the last document only. */
  async reprint({ z: zNumber, doc }: RtReference, _till: string, limit: CallLimit) {
    const newest = await this.last(limit)
    if (newest.z !== zNumber || newest.doc !== doc) {
      throw new RtRefusal(UNKNOWN_DOCUMENT, 'the printer reprints its newest document only')
    }
    await this.ask(xml(forms.again), limit)
  }

  async status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>> {
    const { serial } = await this.info(limit)
    await this.call(xml(forms.reset), limit)
    const { info } = await this.ask(xml(forms.status), limit)
    const { printerStatus = '', fpStatus = '' } = info
    return { PrinterStatus: printerStatus, FpStatus: fpStatus, SerialNumber: serial }
  }

  /** Ends a document that was left open; the numbers of the newest one. */
  private async ready(limit: CallLimit): Promise<Found> {
    if (this.seen().serial === '') await this.info(limit)
    const { info } = await this.ask(xml(forms.status), limit)
    if ((info.receiptStep ?? '0') !== '0') await this.recover(limit)
    const digits = info.printerStatus ?? ''
    const stop = htm.stops.find(({ place }) => digits[place] === '1')
    if (stop !== undefined) throw new RtRefusal(stop.status, stop.text)
    return this.last(limit)
  }

  private async last(limit: CallLimit): Promise<Found> {
    const { info } = await this.ask(xml(forms.last), limit)
    const found = htm.lastPrinted(info.responseBuf ?? '')
    const running = found?.z ?? (await this.info(limit)).zSetNumber + 1
    const moment = found === undefined ? '' : `${found.moment}:00`
    return { z: running, doc: found?.doc ?? 0, moment }
  }

  /**
   * One that follows the newest known and is none of ours: a process died before it could keep
   * it, or somebody else prints. Told once, then it counts as known.
   */
  private demandKnown(before: Found): void {
    const { last } = this.seen()
    const isFirst = last === null || before.doc === 0
    const isKnown = isFirst || !isBehind(before, last.doc === 0 ? { ...last, z: last.z + 1 } : last)
    if (isKnown) return
    this.keep({ last: { ...before, id: '' } })
    const name = `${before.z}-${before.doc} of ${before.moment}`
    const next = 'compare it with this receipt; sent once more, it is printed anew'
    throw new RtRefusal(0, `the printer has document ${name}, which is not known here: ${next}`)
  }

  private async info(limit: CallLimit): Promise<{ serial: string; zSetNumber: number }> {
    const { info } = await this.ask(xml(forms.about), limit)
    const { serialNumber: serial = '', zSetNumber: told } = info
    const zSetNumber = numberIn(serial && told, 'the printer does not tell its serial number and Z')
    if (serial !== this.seen().serial) this.keep({ serial })
    return { serial, zSetNumber }
  }

  protected async call(body: string, limit: CallLimit): Promise<FpAnswer> {
    const { username = '' } = this.settings
    const { serial } = this.seen()
    const login = username === '' ? [serial, serial] : [username, this.password()]
    const message = { path: '/xml/printer.htm', body, contentType: 'text/plain; charset=utf-8' }
    // the very first question is asked without: its answer tells the usual login
    const isKnown = login[0] !== ''
    return answerOf(await this.post(isKnown ? { ...message, login } : message, limit))
  }
}

/** By numbers alone: it came later. */
function isBehind(one: Place, other: Place): boolean {
  return one.z > other.z ? one.doc > 0 : one.z === other.z && one.doc > other.doc
}

/** Of an answer that tells them. */
function numbersIn({ success, info }: FpAnswer): Found | undefined {
  const { nClose = '', fiscalDoc = '', dateTime = '' } = info
  const isNumbered = /^\d{1,4}$/.test(nClose) && /^[1-9]\d{0,3}$/.test(fiscalDoc)
  if (!success || !isNumbered) return undefined
  return { z: Number(nClose), doc: Number(fiscalDoc), moment: htm.momentOf(dateTime) }
}

export const customPrinter = rtDriver(CustomPrinter, { configuration, seen })

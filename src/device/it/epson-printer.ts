// The driver of Epson RT printers. A document whose answer got lost is looked for in the device
// by its numbers, which were read before: it is never printed twice.
import { z } from 'zod'
import { type CallLimit, DeviceError } from '../device.js'
import { accessToken } from '../remote.js'
import * as fpmate from './fpmate.js'
import { type Found, RtPrinter, type Seen, seen } from './rt-printer.js'
import { rtDriver } from './rt-unit.js'
import { totalOf } from './sums.js'
import { type RtDocument, type RtReference, VAT_KEYS } from './unit.js'
import { answerOf, type FpAnswer, four, numberIn, xml } from './wire.js'

const configuration = z.looseObject({
  /** Of the commands that want a login, such as a reprint. */
  password: accessToken.optional(),
  /** How long the printer may take for one document. */
  serverTimeoutMs: z.coerce.number().int().min(1000).max(60_000).default(10_000),
  /** Rate or nature → department, where it is programmed otherwise. */
  departments: z.partialRecord(z.enum(VAT_KEYS), z.int().min(1).max(99)).default({}),
})

const { forms } = fpmate
const LAST_DOCUMENT = '1387'
const NO_NUMBER = 'the answer of the printer has no number'
const ready = /^[02]/

class EpsonPrinter extends RtPrinter<z.infer<typeof configuration>> {
  protected readonly words = fpmate
  protected readonly recovery = [forms.reset]

  protected async printed(document: RtDocument, limit: CallLimit): Promise<Found> {
    const { id } = document
    const total = totalOf(document)
    const before = await this.last(limit)
    const isSame = before?.isFiscal === true && before.total === total
    if (before !== undefined && isSame && isOurs(before, this.seen(), id)) return before
    this.settle(before, id)
    this.asking(id, before, total)
    const body = fpmate.receiptXml(document, this.settings.departments)
    const { info } = await this.ask(body, limit)
    return {
      serial: info.serialNumber ?? before?.serial ?? (await this.serial(limit)),
      z: numberIn(info.zRepNumber, NO_NUMBER),
      doc: numberIn(info.fiscalReceiptNumber, NO_NUMBER),
      moment: fpmate.momentOf(info.fiscalReceiptDate ?? '', info.fiscalReceiptTime ?? ''),
    }
  }

  protected async closed(id: string, limit: CallLimit): Promise<number> {
    const { last, open } = this.seen()
    const before = await this.last(limit)
    if (open?.id === id) {
      // the day that was open then is closed now
      const { info } = await this.ask(xml(forms.status), limit)
      const isClosed = last !== null && last.doc === 0 && last.z >= open.z
      if (info.rtDailyOpen === '0' && open.doc > 0 && !isClosed) return open.z
    }
    this.settle(before, id)
    this.asking(id, before)
    const { info } = await this.ask(xml(forms.z), limit)
    this.keep({ serial: before?.serial ?? (await this.serial(limit)) })
    return numberIn(info.zRepNumber, NO_NUMBER)
  }

  async reprint({ doc, date }: RtReference, _till: string, limit: CallLimit): Promise<void> {
    const password = this.password()
    if (password !== '') await this.direct('4038', `02${password.padEnd(100)}`, limit)
    const [year = '', month = '', day = ''] = date.split('-')
    const number = four(doc)
    await this.direct('3098', `01${day}${month}${year.slice(2)}${number}${number}`, limit)
  }

  async status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>> {
    await this.recover(limit)
    const { success, code, status, info } = await this.ask(xml(forms.status), limit)
    return { PrinterStatus: { Success: success, Code: code, Status: status, Printerstatus: info } }
  }

  private async last(limit: CallLimit): Promise<fpmate.LastDocument | undefined> {
    return fpmate.lastDocument(await this.direct(LAST_DOCUMENT, '01', limit))
  }

  private async serial(limit: CallLimit): Promise<string> {
    const data = await this.direct('3217', '00', limit)
    const { info } = await this.ask(xml(forms.status), limit)
    return fpmate.serialOf(data, info.rtType ?? 'I')
  }

  /** A command by its number; what it answers. */
  private async direct(command: string, data: string, limit: CallLimit): Promise<string> {
    const { info } = await this.ask(xml(forms.direct, { command, data }), limit)
    return info.responseData ?? ''
  }

  protected override reason({ code, info: { printerStatus = '' } }: FpAnswer): string {
    // a line that broke: what was printed is looked for
    if (fpmate.silent.includes(code)) throw new DeviceError(`the printer reports ${code}`)
    const isReady = printerStatus === '' || ready.test(printerStatus)
    return `${code || 'refused'}${isReady ? '' : `, printer status ${printerStatus}`}`
  }

  protected async call(body: string, limit: CallLimit): Promise<FpAnswer> {
    const path = `/cgi-bin/fpmate.cgi?timeout=${this.settings.serverTimeoutMs}`
    return answerOf(await this.post({ path, ...fpmate.enveloped(body) }, limit))
  }
}

/**
 * Behind what was there when it was asked for the first time. A process that died in between
 * has not kept that: then it is the one that follows the newest known document of this device.
 */
function isOurs(found: fpmate.LastDocument, { last, open }: Seen, id: string): boolean {
  if (open?.id === id) return found.z > open.z || (found.z === open.z && found.doc > open.doc)
  // what another document has left behind is no proof
  if (open !== null) return false
  if (last === null || (found.serial !== '' && !SERIAL.test(found.serial))) return false
  // behind a closing the numbers begin anew, in the next Z
  const isFirst = last.doc === 0 && found.z === last.z + 1 && found.doc === 1
  return isFirst || (last.doc > 0 && found.z === last.z && found.doc === last.doc + 1)
}

const SERIAL = /^[0-9A-Z]{11}$/

export const epsonPrinter = rtDriver(EpsonPrinter, { configuration, seen })

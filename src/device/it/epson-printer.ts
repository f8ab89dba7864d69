// The driver of Epson RT printers. A document whose answer got lost is looked for in the device
// by its numbers, which were read before: it is never printed twice.
import { z } from 'zod'
import { type CallLimit, DeviceError } from '../device.js'
import { accessToken } from '../remote.js'
import { romeTime } from './clock.js'
import {
  DEPARTMENTS,
  directXml,
  envelope,
  type LastDocument,
  lastDocument,
  momentOf,
  nonFiscalXml,
  receiptXml,
  resetXml,
  serialOf,
  statusXml,
  XML_TYPE,
  xXml,
  zXml,
} from './fpmate.js'
import { asked, numbered, RtUnit, rtDriver, settle, settled } from './rt-unit.js'
import { totalOf } from './sums.js'
import {
  type RtAnswer,
  type RtClosing,
  type RtDevice,
  type RtDocument,
  type RtReference,
  RtRefusal,
  VAT_KEYS,
} from './unit.js'
import { answerOf, type FpAnswer, four } from './wire.js'

const configuration = z.looseObject({
  /** Of the commands that want a login, such as a reprint. */
  password: accessToken.optional(),
  /** How long the printer may take for one document. */
  serverTimeoutMs: z.coerce.number().int().min(1000).max(60_000).default(10_000),
  /** Rate or nature → department, where it is programmed otherwise. */
  departments: z.partialRecord(z.enum(VAT_KEYS), z.int().min(1).max(99)).default({}),
})
type Settings = z.infer<typeof configuration>

/** What this program has seen last: the numbers before a call, and the answer after it. */
const seen = z.object({
  serial: z.string().default(''),
  /** The newest document or closing. */
  last: numbered.nullable(),
  open: asked.nullable(),
  settled,
})
type Seen = z.infer<typeof seen>

const LAST_DOCUMENT = '1387'
const ready = /^[02]/

class EpsonPrinter extends RtUnit<Settings, Seen> implements RtDevice {
  readonly isServer = false

  async document(document: RtDocument, limit: CallLimit): Promise<RtAnswer> {
    const total = totalOf(document)
    const state = this.seen()
    const { id } = document
    const told = (answer: Pick<RtAnswer, 'serial' | 'z' | 'doc' | 'moment'>): RtAnswer => {
      const { z, doc, moment, serial } = answer
      const { settled } = this.seen()
      this.keep({ serial, last: { id, z, doc, moment }, open: null, settled })
      return this.answered(document, answer)
    }
    const known = [state.last, ...state.settled].find((one) => one?.id === id)
    if (known) return this.answered(document, known)
    const before = await this.last(limit)
    const isSame = before?.isFiscal === true && before.total === total
    if (before !== undefined && isSame && isOurs(before, state, id)) return told(before)
    const open = { id, z: before?.z ?? 0, doc: before?.doc ?? 0, total: String(total) }
    this.keep({ ...state, open, settled: settle(state, fiscal(before), id) })
    const departments = { ...DEPARTMENTS, ...this.settings.departments }
    const answer = await this.ask(receiptXml(document, departments), limit)
    const { info } = answer
    return told({
      serial: info.serialNumber ?? before?.serial ?? (await this.serial(limit)),
      z: numberIn(info.zRepNumber),
      doc: numberIn(info.fiscalReceiptNumber),
      moment: momentOf(info.fiscalReceiptDate ?? '', info.fiscalReceiptTime ?? ''),
    })
  }

  async closing(id: string, _till: string, limit: CallLimit): Promise<RtClosing> {
    const state = this.seen()
    const { last, open } = state
    const moment = romeTime(this.tools.now())
    if (last?.id === id) return { serial: state.serial, z: last.z, moment: last.moment }
    const done = (z: number, serial: string): RtClosing => {
      const { settled } = this.seen()
      this.keep({ serial, last: { id, z, doc: 0, moment }, open: null, settled })
      return { serial, z, moment }
    }
    const before = await this.last(limit)
    if (open?.id === id) {
      // the day that was open then is closed now
      const { info } = await this.ask(statusXml, limit)
      const isClosed = last !== null && last.doc === 0 && last.z >= open.z
      if (info.rtDailyOpen === '0' && open.doc > 0 && !isClosed) return done(open.z, state.serial)
    }
    this.keep({
      ...state,
      open: { id, z: before?.z ?? 0, doc: before?.doc ?? 0 },
      settled: settle(state, fiscal(before), id),
    })
    const { info } = await this.ask(zXml, limit)
    const serial = before?.serial ?? (await this.serial(limit))
    return done(numberIn(info.zRepNumber), serial)
  }

  async report(limit: CallLimit): Promise<void> {
    await this.ask(xXml, limit)
  }

  async reprint({ doc, date }: RtReference, _till: string, limit: CallLimit): Promise<void> {
    const password = this.password()
    if (password !== '') await this.ask(directXml('4038', `02${password.padEnd(100)}`), limit)
    const [year = '', month = '', day = ''] = date.split('-')
    const number = four(doc)
    await this.ask(directXml('3098', `01${day}${month}${year.slice(2)}${number}${number}`), limit)
  }

  async print(lines: readonly string[], limit: CallLimit): Promise<void> {
    await this.ask(nonFiscalXml(lines), limit)
  }

  async status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>> {
    await this.call(resetXml, limit)
    const { success, code, status, info } = await this.ask(statusXml, limit)
    return { PrinterStatus: { Success: success, Code: code, Status: status, Printerstatus: info } }
  }

  async till(): Promise<void> {}

  // ------------------------------------------------------------------------ inside

  private async last(limit: CallLimit): Promise<LastDocument | undefined> {
    const { info } = await this.ask(directXml(LAST_DOCUMENT, '01'), limit)
    return lastDocument(info.responseData ?? '')
  }

  private async serial(limit: CallLimit): Promise<string> {
    const { info } = await this.ask(directXml('3217', '00'), limit)
    const { info: status } = await this.ask(statusXml, limit)
    return serialOf(info.responseData ?? '', status.rtType ?? 'I')
  }

  /** A no is followed by a reset, which ends a broken document. */
  private async ask(body: string, limit: CallLimit): Promise<FpAnswer> {
    const answer = await this.call(body, limit)
    if (answer.success) return answer
    await this.call(resetXml, limit)
    // a line that broke: what was printed is looked for
    if (SILENT.has(answer.code)) throw new DeviceError(`the printer reports ${answer.code}`)
    const state = this.seen()
    this.keep({ ...state, open: null })
    const printer = answer.info.printerStatus ?? ''
    const told = printer === '' || ready.test(printer) ? '' : `, printer status ${printer}`
    throw new RtRefusal(answer.status, `${answer.code || 'refused'}${told}`)
  }

  private async call(body: string, limit: CallLimit): Promise<FpAnswer> {
    const path = `/cgi-bin/fpmate.cgi?timeout=${this.settings.serverTimeoutMs}`
    const message = { path, body: envelope(body), contentType: XML_TYPE }
    return answerOf(await this.post('the RT printer', message, limit))
  }
}

/**
 * Behind what was there when it was asked for the first time. A process that died in between
 * has not kept that: then it is the one that follows the newest known document of this device.
 */
function isOurs(found: LastDocument, { last, open }: Seen, id: string): boolean {
  if (open?.id === id) return found.z > open.z || (found.z === open.z && found.doc > open.doc)
  // what another document has left behind is no proof
  if (open !== null) return false
  if (last === null || (found.serial !== '' && !SERIAL.test(found.serial))) return false
  // behind a closing the numbers begin anew, in the next Z
  const isFirst = last.doc === 0 && found.z === last.z + 1 && found.doc === 1
  return isFirst || (last.doc > 0 && found.z === last.z && found.doc === last.doc + 1)
}

/** What is no commercial document has not answered for one. */
const fiscal = (found: LastDocument | undefined): LastDocument | undefined =>
  found?.isFiscal === true ? found : undefined

const SERIAL = /^[0-9A-Z]{11}$/

/** The device may have done it all the same. */
const SILENT: ReadonlySet<string> = new Set(['LAN_ERROR', 'LAN_TIME_OUT', 'FP_NO_ANSWER'])

function numberIn(text: string | undefined): number {
  if (text !== undefined && /^\d{1,4}$/.test(text)) return Number(text)
  throw new DeviceError('the answer of the printer has no number')
}

export const epsonPrinter = rtDriver({
  configuration,
  fresh: { serial: '', last: null, open: null, settled: [] },
  open: (scu, tools) => new EpsonPrinter({ scu, tools }, { configuration, seen }),
})

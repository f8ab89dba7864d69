// The threads that draw: pictures and PDF of receipts, whatever of a long receipt, and logos that
// somebody sends.
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { WALLET_DRIVERS } from '../../device/wallet/drivers.js'
import { type ErrorCode, type ErrorDetails, FiscalError } from '../../errors.js'
import { factsOf } from '../../market/index.js'
import type { WalletIssuer, WalletMaker } from '../../model/wallet.js'
import { eInvoice } from '../../render/e-invoice.js'
import { pdfReceipt } from '../../render/pdf.js'
import { jpegReceipt, pngReceipt } from '../../render/picture.js'
import { receiptData } from '../../render/receipt-data.js'
import { sheetPdf } from '../../render/sheet/pdf.js'
import type { Sheet } from '../../render/sheet/sheet.js'
import type { ReceiptView } from '../../render/view.js'
import { walletPass } from '../../render/wallet-pass.js'
import type { Language } from '../../render/words.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import { smallLogo } from './branding/small-logo.js'
import { isWritten, type RenderTask, taskView, write } from './render.js'
import { pairOf } from './shown-pair.js'

/** A refusal loses its class between threads. */
export type Rendered =
  | { bytes: Uint8Array; type?: string }
  | { refused: ErrorCode; details: ErrorDetails }

/** Below the signing thread where both want the processor. */
const PRIORITY = 19

// elsewhere the priority is one of the whole process
if (!isMainThread && process.platform === 'linux') setPriority(PRIORITY)

/** A picture that is to become a logo; its bytes arrive plain as well. */
export interface LogoTask {
  picture: Uint8Array
}

/** A sheet to be drawn as PDF. */
export interface SheetTask {
  sheet: Sheet
}

/** A receipt for a wallet. */
export interface PassTask {
  maker: WalletMaker
  issuer: WalletIssuer
  receipt: IssuedReceipt
  /** Public address of the receipt. */
  address: string
  language: Language
  moment: Date
}

type Task = RenderTask | LogoTask | SheetTask | PassTask

export async function work(task: Task): Promise<Rendered> {
  try {
    if ('sheet' in task) return { bytes: sheetPdf(task.sheet) }
    if ('picture' in task) {
      const { type, data } = await smallLogo(Buffer.from(task.picture))
      return { bytes: data, type }
    }
    if ('issuer' in task) return await madePass(task)
    const own = revived(task)
    return { bytes: await render(own, taskView(own, factsOf)) }
  } catch (error) {
    if (error instanceof FiscalError) return { refused: error.code, details: error.details }
    throw error
  }
}

/** An address is one without a type. */
async function madePass(task: PassTask): Promise<Rendered> {
  const { maker, issuer, address, moment } = task
  const view = taskView({ ...revived(task), copy: false }, factsOf)
  const pass = await walletPass(view, { serial: task.receipt.queueItemId, address })
  const made = await WALLET_DRIVERS[maker].issue(pass, issuer, moment)
  if ('address' in made) return { bytes: Buffer.from(made.address) }
  return { bytes: made.file, type: made.mediaType }
}

async function render(task: RenderTask, view: ReceiptView): Promise<Buffer> {
  const { format, widthMm } = task
  if (isWritten(format)) return write(format, task, view)
  if (format === 'png') return pngReceipt(view, { widthMm })
  if (format === 'jpg') return jpegReceipt(view, { widthMm })
  const pair = pairOf(task.receipt, factsOf)
  const invoice = eInvoice(pair, view)
  const attachments = [receiptData(pair, view), ...(invoice === undefined ? [] : [invoice])]
  return pdfReceipt(view, { widthMm, moment: task.receipt.issuedAt, attachments })
}

/** Buffers arrive from another thread as plain bytes. */
function revived<T extends { receipt: IssuedReceipt }>(task: T): T {
  const { branding } = task.receipt
  if (branding?.logo === undefined) return task
  const logo = { ...branding.logo, data: Buffer.from(branding.logo.data) }
  return { ...task, receipt: { ...task.receipt, branding: { ...branding, logo } } }
}

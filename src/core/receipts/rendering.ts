// Receipts as bytes, made once: small pages in this thread, everything else in the threads of the
// pool. Put together by src/deps.ts.
import { LRUCache } from 'lru-cache'
import { type ErrorCode, FiscalError } from '../../errors.js'
import type { IssuedPass } from '../../model/wallet.js'
import { drawsLetters } from '../../render/escpos.js'
import { strongTag } from '../../render/etag.js'
import { createPool } from '../../render/pool.js'
import type { Sheet } from '../../render/sheet/sheet.js'
import type { DrawLogo } from './branding/logo.js'
import { type FactsOf, isWritten, type RenderTask, taskView, write } from './render.js'
import type { LogoTask, PassTask, Rendered, SheetTask } from './render-worker.js'

export interface Page {
  bytes: Buffer
  /** Strong: of these bytes. */
  etag: string
}

export interface Rendering {
  /** Throws RENDERING_BUSY when too much is being drawn, PICTURE_TOO_LONG. */
  render(task: RenderTask): Promise<Page>
  /** A small logo of a picture of which the size was checked. Throws FIELD_INVALID as well. */
  drawLogo: DrawLogo
  /** As PDF; `line`: for whom, who has his turn. Throws RENDERING_BUSY. */
  drawSheet(sheet: Sheet, line: string): Promise<Buffer>
  /** A receipt for a wallet, signed there: that takes its time. Throws RENDERING_BUSY. */
  makePass(task: PassTask): Promise<MadePass>
  close(): Promise<void>
}

export type MadePass = IssuedPass

export interface RenderingOptions {
  factsOf: FactsOf
  threads: number
  /** Most bytes of pages that are kept. */
  cacheBytes: number
  log: { error(details: object, message: string): void }
}

/** Tasks that may wait for a thread, each some ten milliseconds of work. */
const WAITING = 256
const LIMIT_MS = 15_000
/** Letters of a pair whose page is made within a millisecond; one of twenty lines has 8000. */
const SHORT = 20_000

export function createRendering(options: RenderingOptions): Rendering {
  const { factsOf, threads, cacheBytes, log } = options
  const pages = new LRUCache<string, Page>({ maxSize: Math.max(1, cacheBytes) })
  const running = new Map<string, Promise<Page>>()
  const pool = createPool({
    entry: new URL(import.meta.url.replace(/rendering(\.[jt]s)/, 'render-worker$1')),
    ...{ threads, waiting: WAITING, limitMs: LIMIT_MS },
    onBroken: (error) => log.error({ err: error }, 'a thread that draws receipts has died'),
  })
  const make = async (task: RenderTask): Promise<Page> => {
    const { format, receipt } = task
    const short = receipt.request.length + receipt.response.length <= SHORT
    const view = isWritten(format) && short ? taskView(task, factsOf) : undefined
    const bytes =
      isWritten(format) && view !== undefined && !(format === 'escpos' && drawsLetters(view, task))
        ? write(format, task, view)
        : bytesOf((await pool.run(task, receipt.cashBoxId)) as Rendered)
    return { bytes, etag: strongTag(bytes) }
  }
  const render = async (task: RenderTask): Promise<Page> => {
    const key = keyOf(task)
    const known = pages.get(key) ?? running.get(key)
    if (known !== undefined) return known
    const made = make(task)
    running.set(key, made)
    try {
      const page = await made
      pages.set(key, page, { size: page.bytes.length + key.length })
      return page
    } finally {
      running.delete(key)
    }
  }
  const drawLogo: DrawLogo = async (picture, line) => {
    const rendered = (await pool.run({ picture } satisfies LogoTask, line)) as Rendered
    const data = bytesOf(rendered)
    return { type: 'type' in rendered ? (rendered.type ?? '') : '', data }
  }
  const drawSheet: Rendering['drawSheet'] = async (sheet, line) =>
    bytesOf((await pool.run({ sheet } satisfies SheetTask, line)) as Rendered)
  const makePass: Rendering['makePass'] = async (task) => {
    const made = (await pool.run(task, task.receipt.cashBoxId)) as Rendered
    const bytes = bytesOf(made)
    const type = 'type' in made ? made.type : undefined
    return type === undefined ? { address: bytes.toString() } : { mediaType: type, file: bytes }
  }
  return { render, drawLogo, drawSheet, makePass, close: () => pool.close() }
}

function bytesOf(rendered: Rendered): Buffer {
  if ('refused' in rendered) {
    throw new FiscalError(rendered.refused satisfies ErrorCode, rendered.details)
  }
  const { buffer, byteOffset, byteLength } = rendered.bytes
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** The pair of a receipt never changes; everything else that its pages depend on is in here. */
function keyOf({ receipt, ...wish }: RenderTask): string {
  const { request: _, response: __, branding: ___, issuedAt: ____, ...known } = receipt
  return JSON.stringify([known, wish])
}

// DEP131, the full electronic journal (§ 131 BAO), as JSON: every queue item, question and answer.
// Dep131-csv.ts is the table form.
import { writeJson } from '../../../lib/json-write.js'
import { unixMillisecondsOf } from '../../../lib/ticks.js'
import type { ExportSource } from '../../../model/export-source.js'
import type { StoredItem } from '../../../model/journal.js'
import type { Export } from '../../contract.js'
import { isWord } from '../../kit/journal-word.js'
import { moneyText } from './amount-text.js'
import { storedReceiptOf } from './stored-receipt.js'

/** Pieces leave when they have about this many characters, however large the pages are. */
const PIECE_CHARACTERS = 65_536
/** Ticks of 9999-12-31T23:59:59.999Z: a later end means the same. */
const LAST_TICKS = 3155378975999990000n

export const dep131Json: Export = {
  matches: isWord('0x4154000000000131'),
  contentType: 'application/json; charset=utf-8',
  async *run(source) {
    let piece = jsonStart(source)
    let separator = ''
    for await (const page of source.items()) {
      for (const item of page) {
        piece += separator + entryText(item)
        separator = ','
        if (piece.length < PIECE_CHARACTERS) continue
        yield piece
        piece = ''
      }
    }
    yield `${piece}]}}`
  },
}

function jsonStart(source: ExportSource): string {
  const { queue, range, now } = source
  const head = {
    Version: '1.0',
    CashBoxId: queue.cashBoxId,
    QueueId: queue.id,
    'Kassen-ID': queue.identification,
    From: tickText(range.from),
    // without an end, or with a number of rows instead: nothing later than this export is in it
    To: range.to > 0n ? tickText(range.to) : now.toISOString(),
    Created: now.toISOString(),
  }
  return `{"DEP131":${writeJson(head).slice(0, -1)},"Entries":[`
}

function tickText(ticks: bigint): string {
  const bounded = ticks < 0n ? 0n : ticks > LAST_TICKS ? LAST_TICKS : ticks
  return new Date(unixMillisecondsOf(bounded)).toISOString()
}

function entryText(item: StoredItem): string {
  const receipt = storedReceiptOf(item)
  return writeJson({
    ftQueueRow: item.row,
    ftQueueItemId: item.id,
    ftReceiptNumber: item.receiptNumber,
    ftReceiptIdentification: receipt.identification,
    ftReceiptMoment: receipt.moment?.toISOString() ?? null,
    cbReceiptMoment: item.receiptMoment.toISOString(),
    cbTerminalID: item.terminalId,
    cbReceiptReference: item.receiptReference,
    cbUser: receipt.user,
    ftReceiptCase: receipt.receiptCase,
    ftState: receipt.state,
    ftReceiptTotal: item.receiptTotal === null ? null : moneyText(item.receiptTotal),
    ChargeItems: receipt.chargeItems,
    PayItems: receipt.payItems,
    MachineCode: receipt.machineCode,
    Request: item.request,
    RequestHash: item.requestHash.toString('base64'),
    Response: item.response,
    ResponseHash: base64OrNull(item.responseHash),
    ftReceiptHash: base64OrNull(item.receipt?.receiptHash ?? null),
  })
}

function base64OrNull(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('base64')
}

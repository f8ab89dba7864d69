// A till whose receipts went through the German queue and a TSE emulator: requests, answers and
// closings as a server would have stored them.
import { archivedTar } from '../../../../src/market/de/export/tar.js'
import {
  ARCHIVE_KIND,
  LOG_KIND,
  logMessages,
  readArchive,
} from '../../../../src/market/de/queue.js'
import { decodeStoredRequest } from '../../../../src/model/stored-texts.js'
import { TestQueue } from '../../../support/de/test-queue.js'
import { archiveRow, bytesOf, logRow, tarSource } from './tar-source.js'
import { IMPLICIT, type Members, masterData, momentText, Till, wireText } from './till.js'
import { TseStand } from './tse-stand.js'

export class SignedTill {
  readonly till = new Till()
  readonly stand: TseStand
  private readonly queue: TestQueue

  private constructor(stand: TseStand) {
    this.stand = stand
    const { scu, tse: device } = stand
    const configuration = { init_masterData: masterData }
    this.queue = new TestQueue({ configuration, devices: [{ scu, device }] })
    this.till.units.push({ serialHex: '', entry: device.identity().certificate })
  }

  static async started(): Promise<SignedTill> {
    const signed = new SignedTill(await TseStand.make())
    await signed.add({ ftReceiptCase: IMPLICIT | 3n })
    return signed
  }

  /** Signs and stores; a closing gets its row. */
  async add(members: Members): Promise<string> {
    const row = this.till.items.length + 1
    const request = {
      cbTerminalID: 'T1',
      cbReceiptReference: `order-${row}`,
      cbReceiptMoment: momentText(row),
      ...members,
    }
    // two seconds behind the register, so that no log time lies before the action
    this.stand.time = Date.parse(momentText(row, 2000))
    this.queue.moment = new Date(momentText(row, 2345))
    const rows = this.queue.rowsOf('closing').length
    const accepted = await this.queue.accept(decodeStoredRequest(wireText(request)))
    const identification = this.till.add(request, {
      identification: accepted.identification,
      state: accepted.stateWord,
      receiptMoment: this.queue.moment.toISOString(),
      signatures: accepted.signatures.map(({ format, type, caption, data }) => ({
        ...{ ftSignatureFormat: format, ftSignatureType: type, caption, data },
      })),
    })
    for (const closing of this.queue.rowsOf('closing').slice(rows)) {
      this.till.closings.push({
        ...{ id: closing.id, kind: closing.kind, number: closing.number, scuId: closing.scuId },
        ...{ content: closing.content, queueItemId: closing.id, certificateFingerprint: null },
        timeStamp: (this.till.items.at(-1)?.timeStamp ?? 0n) + 2n,
      })
    }
    return identification
  }

  async close(): Promise<void> {
    await this.add({ ftReceiptCase: IMPLICIT | 7n })
  }

  /** What the closings have archived of the TSE. */
  async tar(): Promise<Buffer> {
    const { id } = this.stand.scu
    const { certificate } = this.stand.tse.identity()
    const { fingerprint } = certificate
    const logs = this.queue
      .rowsOf(LOG_KIND)
      .map((row) => logRow({ scuId: id, fingerprint, messages: logMessages(row) }))
    const archives = this.queue
      .rowsOf(ARCHIVE_KIND)
      .map((row) => archiveRow(id, readArchive(row.content)))
    const units = [this.stand.exportUnit()]
    const rows = [...logs, ...archives]
    return bytesOf(archivedTar.run(tarSource({ rows, certificates: [certificate], units })))
  }
}

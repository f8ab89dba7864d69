// A German till in memory: requests with the answers that a queue would have stored, closings, and
// the ExportSource over both. Written from the interface texts, without code of src/market/de.
import { createHash } from 'node:crypto'
import type { ExportSource, Spool, UnitRow } from '../../../../src/model/export-source.js'
import type {
  CertificateEntry,
  StoredItem,
  StoredMarketRow,
} from '../../../../src/model/journal.js'
import type { PosSystem } from '../../../../src/model/pos-system.js'
import vectors from '../vectors/tse-p256.json' with { type: 'json' }

export const DE = 0x4445_0000_0000_0000n
/** Base of v0 cases: implicit flow. */
export const IMPLICIT = 0x4445_0001_0000_0000n
export const FIRST_TICKS = 639028000000000000n

export const certificate: CertificateEntry = entryOf(
  Buffer.from(vectors.certificateBase64, 'base64'),
)

export function entryOf(der: Buffer): CertificateEntry {
  return { fingerprint: createHash('sha256').update(der).digest(), der, chain: [] }
}

export interface TestUnit {
  serialHex: string
  entry: CertificateEntry
}

export const unit: TestUnit = { serialHex: vectors.serialHex, entry: certificate }

export const masterData = {
  Account: {
    AccountName: 'Muster GmbH',
    Street: 'Musterweg 1',
    Zip: '10115',
    City: 'Berlin',
    Country: 'DE',
    TaxId: '11/222/33333',
    VatId: 'DE123456789',
  },
  Outlet: {
    OutletName: 'Filiale Mitte',
    Street: 'Musterweg 1',
    Zip: '10115',
    City: 'Berlin',
    Country: 'DE',
    VatId: 'DE123456789',
  },
  PosSystems: [
    {
      PosSystemId: 'd0bd1ac9-6f49-4d7a-8b2b-3a6d7b2b6a01',
      Brand: 'ExamplePOS',
      Model: 'Register 1',
      SoftwareVersion: '1.0.0',
      BaseCurrency: 'EUR',
    },
  ],
}

export type Members = Record<string, unknown>

/** What the queue's answer says; without `fault` the TSE has signed. */
export interface Answer {
  fault?: { caption: string; type: bigint }
  identification?: string
  state?: bigint
  signatures?: readonly SignatureMembers[]
  receiptMoment?: string
  /** Merged into the usual TSE values. */
  tse?: Partial<TseValues>
  unit?: TestUnit
  /** No row in the receipt journal: the request was refused. */
  refused?: true
}

export interface SignatureMembers {
  ftSignatureFormat: bigint
  ftSignatureType: bigint
  caption: string
  data: string
}

export interface TseValues {
  processType: string
  processData: string
  transactionNumber: string
  counter: string
  startTime: string
  logTime: string
  signature: string
  actionStart: string | null
}

export interface SourceChanges {
  posSystems?: PosSystem[]
  range?: { from: bigint; to: bigint }
  configuration?: object
  pageSize?: number
}

/** JSON with 64-bit numbers as they are. */
export function wireText(value: unknown): string {
  const marked = JSON.stringify(value, (_, member) =>
    typeof member === 'bigint' ? `\u0001${member}\u0001` : member,
  )
  return marked.replace(/"\\u0001(-?\d+)\\u0001"/g, '$1')
}

export class Till {
  readonly items: StoredItem[] = []
  readonly closings: StoredMarketRow[] = []
  readonly units: TestUnit[] = []
  /** Rows of the kinds `ended` and `late`. */
  readonly ends: UnitRow[] = []
  spools = { open: 0, bytes: 0 }
  questions = 0
  pages = 0
  private closingRow = 0
  readonly identification: string

  constructor(identification = 'KASSE-0001') {
    this.identification = identification
  }

  /** Stores a receipt; returns its ftReceiptIdentification. */
  add(members: Members, answer: Answer = {}): string {
    const row = this.items.length + 1
    const request = {
      ftCashBoxID: '3d6a1a2c-0d53-4c44-9a0f-64ad5d7a9c11',
      cbTerminalID: 'T1',
      cbReceiptReference: `order-${row}`,
      cbReceiptMoment: momentText(row),
      cbChargeItems: [],
      cbPayItems: [],
      ...members,
    }
    const number = this.numberOf(answer)
    const suffix = answer.fault === undefined ? `IT${row}` : ''
    const identification =
      answer.identification ?? `ft${((number ?? 1) - 1).toString(16).toUpperCase()}#${suffix}`
    const response = {
      ftQueueID: 'f05f0f42-6069-4418-885c-434afc7ed2eb',
      ftQueueItemID: itemId(row),
      ftQueueRow: row,
      ftCashBoxID: request.ftCashBoxID,
      ftCashBoxIdentification: this.identification,
      ftReceiptIdentification: identification,
      ftReceiptMoment: answer.receiptMoment ?? momentText(row, 345),
      ftSignatures: answer.signatures ?? signaturesOf(row, answer),
      ftState: answer.state ?? (answer.fault === undefined ? DE : DE | 2n),
    }
    this.store({ row, number, request, response })
    return identification
  }

  private numberOf(answer: Answer): number | null {
    if (answer.refused === true) return null
    return this.items.filter(({ receiptNumber }) => receiptNumber !== null).length + 1
  }

  private store(input: {
    row: number
    number: number | null
    request: Members
    response: Members
  }): void {
    const { row, number } = input
    const [request, response] = [wireText(input.request), wireText(input.response)]
    const hash = (text: string) => createHash('sha256').update(text).digest()
    const moment = new Date(momentText(row))
    this.items.push({
      row,
      id: itemId(row),
      queueMoment: moment,
      timeoutMs: 15_000,
      workMoment: moment,
      doneMoment: moment,
      receiptMoment: moment,
      terminalId: null,
      posSystemId: null,
      receiptReference: String(input.request.cbReceiptReference),
      country: 'DE',
      version: 'v1',
      request,
      requestHash: hash(request),
      response,
      responseHash: hash(response),
      processingVersion: '1',
      timeStamp: FIRST_TICKS + BigInt(row) * 10n,
      receipt: null,
      receiptNumber: number,
      receiptTotal: null,
    })
  }

  /** A daily closing (Tagesabschluss); returns the time stamp of its row. */
  close(changes: { moment?: string; masterData?: object | null; units?: TestUnit[] } = {}): bigint {
    const row = this.items.length + 1
    const moment = changes.moment ?? momentText(row)
    const members = { ftReceiptCase: IMPLICIT | 7n, cbReceiptMoment: moment }
    const identification = this.add(members)
    const units = changes.units ?? [unit]
    for (const one of units) this.units.push(one)
    const timeStamp = FIRST_TICKS + BigInt(row) * 10n + 2n
    const content = {
      row,
      previousRow: this.closingRow,
      receiptNumber: this.items.at(-1)?.receiptNumber ?? 0,
      identification,
      moment: Date.parse(moment),
      masterData: changes.masterData === undefined ? masterData : changes.masterData,
      units: units.map(({ serialHex, entry }) => ({
        scuId: '6f3f9d80-8ed3-4f0b-9a6e-0d2d3c7b1a11',
        serialHex,
        fingerprintHex: entry.fingerprint.toString('hex'),
      })),
    }
    this.closings.push({
      timeStamp,
      id: itemId(row),
      kind: 'closing',
      number: this.closings.length + 1,
      scuId: null,
      queueItemId: itemId(row),
      certificateFingerprint: null,
      content: JSON.stringify(content),
    })
    this.closingRow = row
    return timeStamp
  }

  source(changes: SourceChanges = {}): ExportSource {
    const range = changes.range ?? { from: 0n, to: 0n }
    const size = changes.pageSize ?? 100
    const inRange = this.items.filter(
      ({ timeStamp }) => timeStamp >= range.from && (range.to <= 0n || timeStamp <= range.to),
    )
    return {
      queue: {
        id: 'f05f0f42-6069-4418-885c-434afc7ed2eb',
        cashBoxId: '3d6a1a2c-0d53-4c44-9a0f-64ad5d7a9c11',
        identification: this.identification,
        configuration: changes.configuration ?? {},
        startMoment: null,
        stopMoment: null,
        lastMoment: null,
        receiptNumerator: this.items.length,
        accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
      },
      state: '{}',
      options: new Map(),
      range,
      now: new Date('2026-02-01T08:00:00Z'),
      marketRows: ({ kind } = {}) =>
        this.paged(
          this.closings.filter((one) => kind === undefined || one.kind === kind),
          size,
        ),
      items: () => this.paged(range.to < 0n ? inRange.slice(0, Number(-range.to)) : inRange, size),
      certificate: async (fingerprint) =>
        this.units.find(({ entry }) => entry.fingerprint.equals(fingerprint))?.entry,
      units: async () => [],
      unit: async () => undefined,
      posSystems: async () => [...(changes.posSystems ?? [])],
      logRows: () => this.paged<StoredMarketRow>([], size),
      unitRows: (unitId, { kind, after, upTo }) =>
        this.paged(
          this.ends.filter(
            (row) =>
              row.kind === kind &&
              row.scuId === unitId &&
              row.timeStamp > after &&
              row.timeStamp <= upTo,
          ),
          size,
        ),
      rangeEnd: async () => range.to || 2n ** 63n - 1n,
      lateRows: async ({ from, to }) =>
        this.ends.filter(({ kind, number }) => kind === 'late' && number >= from && number <= to),
      marketRowAfter: async (kind, timeStamp) =>
        this.closings.find((one) => one.kind === kind && one.timeStamp > timeStamp),
      itemsBetween: ({ from, to }) =>
        this.paged(
          this.items.filter(({ row }) => row >= Number(from) && row <= Number(to)),
          size,
        ),
      receiptsBefore: async (asked) => {
        this.questions += 1
        return asked.map(({ reference, row }) =>
          this.items.findLast(
            (one) =>
              one.row < row && one.receiptNumber !== null && one.receiptReference === reference,
          ),
        )
      },
      certificateBefore: async () => undefined,
      keptTar: async function* () {},
      spool: () => this.spool(),
    }
  }

  private async *paged<T>(all: readonly T[], size: number): AsyncGenerator<T[], void, undefined> {
    for (let at = 0; at < all.length; at += size) {
      this.pages += 1
      yield all.slice(at, at + size)
    }
  }

  private spool(): Spool {
    const parts: Uint8Array[] = []
    let open = true
    this.spools.open += 1
    return {
      write: async (bytes) => {
        this.spools.bytes += bytes.length
        parts.push(Uint8Array.from(bytes))
      },
      read: async function* read() {
        yield* parts
      },
      close: async () => {
        if (open) this.spools.open -= 1
        open = false
      },
    }
  }
}

function itemId(row: number): string {
  return `00000000-0000-7000-8000-${String(row).padStart(12, '0')}`
}

/** One receipt a minute from 09:00 on. */
export function momentText(row: number, milliseconds = 0): string {
  return new Date(Date.UTC(2026, 0, 1, 9, row - 1, 0, milliseconds)).toISOString()
}

function signaturesOf(row: number, answer: Answer): SignatureMembers[] {
  const { fault } = answer
  if (fault !== undefined) {
    const { caption, type } = fault
    return [{ ftSignatureFormat: 1n, ftSignatureType: type, caption, data: '' }]
  }
  const start = momentText(row)
  const values: TseValues = {
    processType: 'Kassenbeleg-V1',
    processData: 'Beleg^0.00_0.00_0.00_0.00_0.00^',
    transactionNumber: String(row),
    counter: String(2 * row + 3),
    startTime: start,
    logTime: momentText(row, 2000),
    signature: Buffer.alloc(64, row).toString('base64'),
    actionStart: start,
    ...answer.tse,
  }
  return businessSignatures(values, answer.unit ?? unit)
}

/** The signature items of a business receipt in their order. */
export function businessSignatures(values: TseValues, of: TestUnit): SignatureMembers[] {
  const text = (type: bigint, caption: string, data: string) => ({
    ftSignatureFormat: 0x1_0001n,
    ftSignatureType: DE | type,
    caption,
    data,
  })
  const action =
    values.actionStart === null ? [] : [text(0x1fn, '<vorgangsbeginn>', values.actionStart)]
  return [
    text(0x01n, 'www.example.test', 'V0;…'),
    text(0x10n, 'start-transaction-signature', 'AAAA'),
    text(0x11n, 'finish-transaction-payload', Buffer.from(values.processData).toString('base64')),
    text(0x12n, 'finish-transaction-signature', values.signature),
    text(0x22n, '<certification-id>', 'BSI-K-TR-0000-2026'),
    text(0x23n, '<tse-seriennummer>', of.serialHex),
    text(0x13n, '<qr-code-version>', 'V0'),
    text(0x14n, '<kassen-seriennummer>', 'KASSE-0001'),
    text(0x15n, '<processType>', values.processType),
    text(0x16n, '<processData>', values.processData),
    text(0x17n, '<transaktions-nummer>', values.transactionNumber),
    text(0x18n, '<signatur-zaehler>', values.counter),
    text(0x19n, '<start-zeit>', values.startTime),
    text(0x1an, '<log-time>', values.logTime),
    text(0x1bn, '<sig-alg>', 'ecdsa-plain-SHA256'),
    text(0x1cn, '<log-time-format>', 'unixTime'),
    text(0x1dn, '<signatur>', values.signature),
    text(0x1en, '<public-key>', vectors.publicKeyBase64),
    ...action,
  ]
}

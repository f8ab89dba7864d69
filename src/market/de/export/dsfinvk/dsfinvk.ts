// DSFinV-K, the digital interface of the German tax authority for cash registers (§ 4 KassenSichV):
// twenty CSV files, index.xml and its grammar in one ZIP archive.
import type { ZipEntry } from '../../../../lib/zip.js'
import { inLargePieces, zipInBlocks } from '../../../../lib/zip-blocks.js'
import type { ExportSource } from '../../../../model/export-source.js'
import type { Export } from '../../../contract.js'
import { isWord } from '../../../kit/journal-word.js'
import { closingsOf, type StoredClosing } from './closings.js'
import { dtdText } from './dtd.js'
import { DTD_NAME, indexXml, type Supplier } from './index-xml.js'
import { Master } from './master.js'
import { ClosingPass, type PassInput, type Sheets } from './pass.js'
import { type Settings, settingsOf } from './settings.js'
import { Sheet } from './sheet.js'
import { type Table, type TableKey, tableKeys, tables } from './tables.js'
import { certificateParts, tseTable } from './units.js'

/**
 * The largest file leaves while the receipts are read; the others wait in temporary storage for
 * their place in the archive. So one pass is enough, and the first bytes come at once.
 */
const STREAMED: TableKey = 'lines'

/** Of zlib: what signs needs the processor as well. */
const LEVEL = 3

/** Nothing at all where no cash point closing is in the range. */
export const dsfinvk: Export = {
  matches: isWord('0x4445000000000002', '0x4445200000001002'),
  contentType: 'application/zip',
  async *run(source) {
    const overview = await overviewOf(source)
    if (overview === undefined) return
    const sheets = sheetsOf(source, overview.tables)
    const posSystems = await source.posSystems()
    const input = { source, settings: overview.settings, sheets, posSystems }
    try {
      // by this thread, which has the priority that it has: those of a stream would have another
      yield* zipInBlocks(entriesOf(input, overview), { moment: source.now, level: LEVEL })
    } finally {
      await Promise.all(Object.values(sheets).map((sheet) => sheet.close()))
    }
  },
}

interface Overview {
  settings: Settings
  tables: Record<TableKey, Table>
  last: StoredClosing
}

/** What has to be known before the first file: the columns of tse.csv and who delivers. */
async function overviewOf(source: ExportSource): Promise<Overview | undefined> {
  const fingerprints = new Set<string>()
  let last: StoredClosing | undefined
  for await (const closing of closingsOf(source)) {
    for (const unit of closing.units) fingerprints.add(unit.fingerprintHex)
    last = closing
  }
  if (last === undefined) return undefined
  const parts = await certificateParts(source, fingerprints)
  return {
    settings: settingsOf(source.queue.configuration),
    tables: { ...tables, tse: tseTable(parts) },
    last,
  }
}

function sheetsOf(source: ExportSource, layout: Record<TableKey, Table>): Sheets {
  const sheets = tableKeys.map((key) => [key, new Sheet(layout[key], () => source.spool())])
  return Object.fromEntries(sheets) as Sheets
}

function entriesOf(input: PassInput, overview: Overview): ZipEntry[] {
  const { sheets } = input
  const layout = tableKeys.map((key) => overview.tables[key])
  const index = indexXml(layout, supplierOf(overview))
  const waiting = tableKeys.filter((key) => key !== STREAMED)
  return [
    { name: 'index.xml', content: () => oneText(index) },
    { name: DTD_NAME, content: () => oneText(dtdText()) },
    {
      name: sheets[STREAMED].table.file,
      content: () => inLargePieces(passOver(input, overview.last)),
    },
    ...waiting.map((key) => ({
      name: sheets[key].table.file,
      content: () => inLargePieces(sheets[key].read()),
    })),
  ]
}

function supplierOf({ settings, last }: Overview): Supplier {
  const { account } = new Master(last.masterData ?? settings.masterData)
  const town = [account.Zip, account.City].filter(isGiven).join(' ')
  return {
    name: account.AccountName ?? '',
    location: [account.Street, town].filter(isGiven).join(', '),
    comment: `DSFinV-K ${settings.version}`,
  }
}

function isGiven(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== ''
}

async function* oneText(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text)
}

/** Reads all receipts, fills all files, and gives the pieces of the one that leaves at once. */
async function* passOver(
  input: PassInput,
  last: StoredClosing,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { source, sheets } = input
  for await (const closing of closingsOf(source, last.timeStamp)) {
    const pass = new ClosingPass(input, closing)
    const rows = { from: closing.previousRow + 1, to: closing.row - 1 }
    for await (const page of rows.from <= rows.to ? source.itemsBetween(rows) : []) {
      await pass.add(page)
      await settle(sheets)
      yield* sheets[STREAMED].leave()
    }
    await pass.end()
    await settle(sheets)
  }
  yield* sheets[STREAMED].read()
}

async function settle(sheets: Sheets): Promise<void> {
  for (const key of tableKeys) if (key !== STREAMED) await sheets[key].overflow()
}

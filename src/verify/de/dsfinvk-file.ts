// The independent verifier of DSFinV-K exports: container, tables, keys, sums, signatures.
import { isUtf8 } from 'node:buffer'
import type { Finding, ReadPart, VerifyOptions } from '../contract.js'
import { Reporter } from '../reporter.js'
import { ZipArchive, ZipFault, type ZipMember } from '../zip-reader.js'
import { judgeBon } from './bon-judge.js'
import { TseJudge } from './bon-tse.js'
import { bonsOf, indexBons } from './bons.js'
import { ClosingTotals } from './closing-totals.js'
import { Closings, type Sources } from './closings.js'
import { type DsfinvkCode, dsfinvkNotices } from './dsfinvk-rules.js'
import { judgeIndex } from './index-xml.js'
import { type Report, rowsOf, type TableSource } from './table-reader.js'
import { TABLES } from './tables.js'
import { TarComparison } from './tar-comparison.js'
import { type TarOptions, type TarSummary, verifyTar } from './tar-file.js'
import { Trust } from './trust.js'

export interface DsfinvkSummary {
  closings: number
  receipts: number
  /** Transactions with a signature that holds. */
  proven: number
  /** The log that the export was compared with. */
  tar?: TarSummary
}

type Options = Pick<VerifyOptions, 'certificates' | 'tar' | 'partial'>

const INDEX = 'index.xml'
const DTD = 'gdpdu-01-09-2004.dtd'
/** The description of 20 tables has 30 KB. */
const MOST_INDEX_BYTES = 1 << 20

/** A table of the standard, or the description of the tables. */
export const isTable = (name: string): boolean => TABLES.has(name) || name === INDEX || name === DTD

/**
 * Verifies the export; whatever is wrong is a finding, never an error. Throws FiscalError
 * FIELD_INVALID for wrong options.
 */
export async function verifyDsfinvk(
  read: ReadPart,
  options: Options,
  sink: (finding: Finding) => void,
): Promise<DsfinvkSummary> {
  const trust = new Trust(options.certificates)
  const report = new Reporter<DsfinvkCode>(sink, dsfinvkNotices)
  const summary: DsfinvkSummary = { closings: 0, receipts: 0, proven: 0 }
  try {
    const archive = await ZipArchive.open(read)
    const members = judgeMembers(await archive.members(), report)
    await judgeDescription(archive, members, report)
    const sources = await readable(archive, members, report)
    Object.assign(summary, await judgeTables(sources, { report, trust, options, sink }))
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error
    report.add('ZIP_BROKEN', '', `expected a complete ZIP, found a fault: ${error.message}`)
  }
  if (!trust.isGiven && summary.proven > 0) {
    const text = 'expected certificates given beside the file, found none: none is trusted'
    report.add('CERTIFICATE_UNTRUSTED', '', text)
  }
  report.flush()
  return summary
}

type Members = ReadonlyMap<string, ZipMember>

function judgeMembers(all: ZipMember[], report: Report): Members {
  const members = new Map<string, ZipMember>()
  for (const member of all) {
    const { name, fault } = member
    if (!isTable(name)) {
      const text = 'expected the tables of DSFinV-K, index.xml and its DTD, found another member'
      report.add('MEMBER_UNKNOWN', name, text)
    } else if (members.has(name)) {
      report.add('ZIP_MEMBER', name, 'expected this member once, found it again')
    } else if (fault !== undefined) report.add('ZIP_MEMBER', name, `expected ${fault}`)
    if (isTable(name) && !members.has(name)) members.set(name, member)
  }
  for (const name of [...TABLES.keys(), INDEX]) {
    if (!members.has(name)) report.add('MEMBER_MISSING', name, 'expected this member, found none')
  }
  if (!members.has(DTD)) {
    report.add('DTD_MISSING', DTD, 'expected the DTD that index.xml names, found none')
  }
  return new Map([...members].filter(([, { fault }]) => fault === undefined))
}

async function judgeDescription(
  archive: ZipArchive,
  members: Members,
  report: Report,
): Promise<void> {
  const member = members.get(INDEX)
  if (member === undefined) return
  if (member.size > MOST_INDEX_BYTES) {
    const text = `expected at most ${MOST_INDEX_BYTES} bytes, found ${member.size}`
    report.add('INDEX_FORM', INDEX, text)
    return
  }
  const parts: Buffer[] = []
  try {
    for await (const part of archive.content(member)) parts.push(part)
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error
    report.add('ZIP_BROKEN', INDEX, error.message)
    return
  }
  const bytes = Buffer.concat(parts)
  if (isUtf8(bytes)) judgeIndex(bytes.toString('utf8'), report)
  else report.add('INDEX_FORM', INDEX, 'expected UTF-8, found other bytes')
}

/** The tables whose first row is right; what is wrong with the others is told here. */
async function readable(archive: ZipArchive, members: Members, report: Report): Promise<Sources> {
  const sources = new Map<string, TableSource>()
  for (const table of TABLES.values()) {
    const member = members.get(table.file)
    if (member === undefined) continue
    const source = { table, content: () => archive.content(member) }
    if (await hasHeader(source, report)) sources.set(table.file, source)
  }
  return sources
}

async function hasHeader(source: TableSource, report: Report): Promise<boolean> {
  const heading = new Reporter<DsfinvkCode>((finding) => {
    if (HEADER_CODES.has(finding.code)) faults.push(finding)
  }, dsfinvkNotices)
  const faults: Finding[] = []
  const rows = rowsOf(source, heading)
  const first = await rows.next()
  await rows.return()
  for (const { code, receipt, text } of faults) {
    if (first.done === true) report.add(code as DsfinvkCode, receipt, text)
  }
  return first.done !== true
}

const HEADER_CODES: ReadonlySet<string> = new Set<DsfinvkCode>([
  'CSV_HEADER',
  'CSV_FORM',
  'ZIP_BROKEN',
])

interface Judging {
  report: Report
  trust: Trust
  options: Options
  sink: (finding: Finding) => void
}

async function judgeTables(
  sources: Sources,
  { report, trust, options, sink }: Judging,
): Promise<DsfinvkSummary> {
  const closings = new Closings(sources, { report, trust })
  await closings.load()
  const pass = { sources, closings, report }
  const index = await indexBons(pass)
  const log = await compared(closings, options, sink)
  const [totals, tse] = [new ClosingTotals(closings), new TseJudge(closings, log?.comparison)]
  const tools = { closings, index, totals, tse }
  for await (const bon of bonsOf(pass, index)) judgeBon(bon, tools)
  totals.judge()
  log?.comparison.end()
  const summary = { closings: closings.all.size, receipts: index.count, proven: tse.proven }
  return log === undefined ? summary : { ...summary, tar: log.summary }
}

/** The log beside the export: judged itself, and kept for the comparison. */
async function compared(
  closings: Closings,
  { tar, partial = false, certificates }: Options,
  sink: (finding: Finding) => void,
): Promise<{ comparison: TarComparison; summary: TarSummary } | undefined> {
  if (tar === undefined) return undefined
  const comparison = new TarComparison(closings, partial)
  const options: TarOptions = { partial, proven: (message) => comparison.logged(message) }
  if (certificates !== undefined) options.certificates = certificates
  // that nothing is trusted is told once, of the export
  const summary = await verifyTar(tar, options, (finding) => {
    if (finding.code !== 'CERTIFICATE_UNTRUSTED') sink(finding)
  })
  return { comparison, summary }
}

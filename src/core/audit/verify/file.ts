// Verifies an exported file: recognises its kind, streams it to the verifier that knows it,
// keeps what is found.
import { fail } from '../../../errors.js'
import { lookInto } from '../../../verify/archive.js'
import type {
  FileVerifier,
  Finding,
  OtherLanguage,
  ReadPart,
  UnknownFile,
  VerifyOptions,
} from '../../../verify/contract.js'
import { verifierOf, verifiers } from '../../../verify/index.js'
import { quote } from '../../../verify/text.js'
import { type ExportFile, openExport } from './export-file.js'
import { Kept, type Part } from './kept.js'
import { commonWording } from './wording.js'

export interface VerifyInput extends Omit<VerifyOptions, 'after' | 'tar'> {
  /** So many findings are kept, the rest is counted. */
  keep?: number
  /** The chaining value before a slice, or the path of the export before it. */
  after?: string | { path: string }
  /** Path of the device's log that a DSFinV-K is compared with. */
  tar?: string
  /** Language of the findings' texts. */
  language?: OtherLanguage | 'en'
  /**
   * Called while the file is read, which goes on when it is done; a file that is read twice is more
   * than it has bytes.
   */
  progress?: (done: number, bytes: number) => void | Promise<void>
}

export interface VerifyResult {
  /** True when both parts are sound; notices do not count. */
  ok: boolean
  /** The log of the device or the chain: complete, and proven by its signatures. */
  device: Part
  /** What was signed is regular. */
  content: Part
  findings: Finding[]
  /** Lawful, but other verifiers complain about it. */
  notices: Finding[]
  /** Name of the verifier that recognised the file; null when none did. */
  kind: string | null
  summary: (object & { durationMs: number }) | null
}

const KEEP = 1000

/**
 * Verifies one file. What is wrong in the file is a finding. Throws FiscalError REQUEST_INVALID
 * when a file cannot be read and FIELD_INVALID when an option is wrong.
 */
export async function verifyFile(path: string, input: VerifyInput = {}): Promise<VerifyResult> {
  const opened: ExportFile[] = []
  const open = async (one: string) => {
    const file = await openExport(one)
    opened.push(file)
    return file
  }
  try {
    const file = await open(path)
    const looked = await lookInto(file.head, file.read)
    const kind = await verifierOf(looked)
    const result =
      kind === undefined
        ? refused(looked, file.fault)
        : await judge(file, kind, { input, options: await optionsOf(kind, input, open) })
    const { language = 'en' } = input
    return language === 'en' ? result : told(result, kind, language)
  } finally {
    for (const file of opened) await file.close()
  }
}

interface Judging {
  input: VerifyInput
  options: VerifyOptions
}

async function judge(
  file: ExportFile,
  kind: FileVerifier,
  { input, options }: Judging,
): Promise<VerifyResult> {
  const { fault } = file
  const kept = new Kept(input.keep ?? KEEP, kind.contentCodes)
  const started = performance.now()
  const summary = await kind.verify(watched(file, input.progress), options, kept)
  const durationMs = Math.round(performance.now() - started)
  if (fault !== undefined) kept.add(packedFault(fault))
  kept.close()
  const { device, content, findings, notices } = kept
  return {
    ok: device.ok && content.ok,
    device,
    content,
    findings,
    notices,
    kind: kind.name,
    summary: { ...summary, durationMs },
  }
}

function watched({ read, size }: ExportFile, progress: VerifyInput['progress']): ReadPart {
  if (progress === undefined) return read
  let done = 0
  return async function* (range) {
    for await (const piece of read(range)) {
      done += piece.length
      await progress(done, size)
      yield piece
    }
  }
}

async function optionsOf(
  kind: FileVerifier,
  input: VerifyInput,
  open: (path: string) => Promise<ExportFile>,
): Promise<VerifyOptions> {
  const { key, certificates, partial, now = new Date(), after, tar } = input
  for (const name of ['after', 'tar', 'partial'] as const) {
    if (input[name] === undefined || kind.takes.has(name)) continue
    throw fail('FIELD_INVALID', { field: name, expected: `another file: it is a ${kind.name}` })
  }
  const options: VerifyOptions = { now }
  if (key !== undefined) options.key = key
  if (certificates !== undefined) options.certificates = certificates
  if (partial !== undefined) options.partial = partial
  if (after !== undefined) {
    options.after = typeof after === 'string' ? after : (await open(after.path)).read
  }
  if (tar !== undefined) options.tar = (await open(tar)).read
  return options
}

function packedFault(fault: string): Finding {
  return { code: 'GZIP_BROKEN', receipt: '', text: `expected a complete gzip, found ${fault}` }
}

function refused(file: UnknownFile, fault: string | undefined): VerifyResult {
  const known = verifiers.map((verifier) => verifier.name).join(', ')
  const text = `no known export: expected one of ${known}, found ${shownOf(file)}`
  const findings = [{ code: 'FILE_UNKNOWN', receipt: '', text }]
  if (fault !== undefined) findings.push(packedFault(fault))
  const parts = { ok: false, device: { ok: false }, content: { ok: false } }
  return { ...parts, findings, notices: [], kind: null, summary: null }
}

/** So many members of a foreign archive are named. */
const NAMED = 3

function shownOf({ head, archive }: UnknownFile): string {
  if (head.length === 0) return 'an empty file'
  if (archive === undefined) return 'a file of another kind'
  const names = archive.names.slice(0, NAMED).map(quote)
  if (names.length === 0) return `a ${archive.format} without members`
  return `a ${archive.format} of other members: ${names.join(', ')}`
}

/** What has no words in the language stays English. */
function told(
  result: VerifyResult,
  kind: FileVerifier | undefined,
  language: OtherLanguage,
): VerifyResult {
  const inWords = (finding: Finding): Finding => {
    const { text } = finding
    return {
      ...finding,
      text: commonWording[language](text) ?? kind?.wording?.[language]?.(text) ?? text,
    }
  }
  return {
    ...result,
    findings: result.findings.map(inWords),
    notices: result.notices.map(inWords),
  }
}

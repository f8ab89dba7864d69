// verify: checks an export with the independent verifier of its market.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { type VerifyInput, type VerifyResult, verifyFile } from '../core/audit/verify/file.js'
import { optionsFrom } from '../core/audit/verify/given.js'
import { FiscalError } from '../errors.js'
import type { Finding } from '../model/verdict.js'
import { type Command, type Input, oneOf, optional } from './command.js'
import { barOf } from './progress.js'

/** Only the content is irregular. */
const IRREGULAR = 3
const LANGUAGES = ['de', 'en', 'fr'] as const
type Language = (typeof LANGUAGES)[number]

export const verifyCommands: Record<string, Command> = {
  verify: {
    usage:
      'verify FILE [--key K] [--certificate C] [--after FILE|CHAIN] [--partial] [--tar FILE] ' +
      '[--language de|en|fr] [--json]',
    summary:
      'Checks an export (DEP7, TSE TAR, DSFinV-K, French archive or journal, also as .gz). ' +
      'Exit code 1: the log of a device ' +
      'or a chain is broken, or the file is no known export; 3: only the content is irregular. ' +
      'C: Base64, or a file (PEM, DER, Base64, or a crypto container): nothing else is trusted ' +
      'then. --after: the export or chaining value before a slice of a DEP7. --partial: a TAR ' +
      'that was filtered. --tar: the log that a DSFinV-K is compared with.',
    examples: ['npx fiskalwerk verify dep7.json --key AES_KEY_BASE64'],
    options: {
      key: { type: 'string' },
      certificate: { type: 'string' },
      after: { type: 'string' },
      partial: { type: 'boolean' },
      tar: { type: 'string' },
      language: { type: 'string' },
    },
    positionals: ['FILE'],
    run: async (input) => {
      const language = oneOf(optional(input, 'language') ?? 'en', LANGUAGES, 'language')
      const verdict = await result(input, language)
      const { ok, device, content } = verdict
      const text = textOfVerdict(verdict, WORDS[language])
      const output = { json: documentOf(verdict), text, ok }
      return !ok && device.ok && !content.ok ? { ...output, exitCode: IRREGULAR } : output
    },
  },
}

/** Every finding says whether it is a notice; notices stand behind the others. */
function documentOf({ ok, device, content, findings, notices, kind, summary }: VerifyResult) {
  const told = [...findings, ...notices].map(({ code, receipt, text, notice = false }) => {
    return { code, receipt, text, notice }
  })
  return { ok, device, content, findings: told, kind, summary }
}

interface Words {
  note: string
  accepted: string
  device: string
  content: string
  unknown: string
  findings(count: number): string
  /** The counts of a summary; those that are missing are called as they are. */
  counts: Readonly<Record<string, string>>
}

const WORDS: Record<Language, Words> = {
  en: {
    note: 'note',
    accepted: 'accepted',
    device: 'refused: the log of the device or the chain is not sound',
    content: 'irregular: the log is sound, what was signed is not regular',
    unknown: 'refused',
    findings: (count) => `${count} finding(s)`,
    counts: {},
  },
  de: {
    note: 'Hinweis',
    accepted: 'in Ordnung',
    device: 'abgelehnt: das Protokoll des Geräts oder die Kette ist nicht in Ordnung',
    content: 'auffällig: das Protokoll ist in Ordnung, der Inhalt ist nicht regelgerecht',
    unknown: 'abgelehnt',
    findings: (count) => `${count} Feststellung(en)`,
    counts: {
      groups: 'Gruppen',
      receipts: 'Belege',
      signed: 'signiert',
      failed: 'ohne Gerät',
      lastCounter: 'letzter Umsatzzähler',
      archives: 'Archive',
      messages: 'Meldungen',
      proven: 'bewiesen',
      transactions: 'Transaktionen',
      closings: 'Kassenabschlüsse',
      documents: 'signierte Inhalte',
    },
  },
  fr: {
    note: 'remarque',
    accepted: 'en ordre',
    device: "refusé : le journal de l'appareil ou la chaîne n'est pas en ordre",
    content: "irrégulier : le journal est en ordre, ce qui a été signé ne l'est pas",
    unknown: 'refusé',
    findings: (count) => `${count} constat(s)`,
    counts: {
      groups: 'groupes',
      receipts: 'tickets',
      signed: 'signés',
      failed: 'sans appareil',
      lastCounter: 'dernier compteur',
      archives: 'archives',
      messages: 'messages',
      proven: 'prouvés',
      transactions: 'transactions',
      closings: 'clôtures',
      documents: 'documents',
    },
  },
}

function textOfVerdict(verdict: VerifyResult, words: Words): string {
  const { ok, device, findings, notices, summary, kind } = verdict
  const part = kind === null ? words.unknown : device.ok ? words.content : words.device
  const text = [
    ...findings.map(lineOf),
    ...notices.map((notice) => `${words.note}: ${lineOf(notice)}`),
    summaryLine(summary, words),
    ok ? words.accepted : `${part}, ${words.findings(findings.length)}`,
  ]
  return text.filter((line) => line !== '').join('\n')
}

async function result(input: Input, language: Language): Promise<VerifyResult> {
  const [path = ''] = input.positionals
  const certificate = optional(input, 'certificate')
  const [key, after, tar] = ['key', 'after', 'tar'].map((name) => optional(input, name))
  const options: VerifyInput = { language }
  if (after !== undefined) options.after = existsSync(after) ? { path: after } : after
  if (tar !== undefined) options.tar = tar
  if (input.options.partial === true) options.partial = true
  const bar = barOf()
  try {
    const given = certificate === undefined ? {} : optionsFrom(contentOf(certificate))
    return await verifyFile(path, {
      progress: bar.at,
      ...options,
      ...given,
      ...(key === undefined ? {} : { key }),
    })
  } catch (error) {
    throw optionFault(error)
  } finally {
    bar.end()
  }
}

/** The member at fault by the name of its option; a mistyped file name is taken for Base64. */
function optionFault(error: unknown): unknown {
  if (!(error instanceof FiscalError) || error.code !== 'FIELD_INVALID') return error
  const { expected } = error.details
  if (error.field === 'key') return new Error(`--key is not valid: expected ${expected}`)
  if (error.field === 'after') {
    return new Error(`--after is neither an existing file nor valid: expected ${expected}`)
  }
  if (error.field === 'tar' || error.field === 'partial') {
    return new Error(`--${error.field} does not fit: expected ${expected}`)
  }
  return new Error(`--certificate is neither an existing file nor ${expected}`)
}

function contentOf(given: string): string | Buffer {
  if (!existsSync(given)) return given
  if (statSync(given).isDirectory()) {
    throw new Error(`--certificate ${given} cannot be read: it is a folder.`)
  }
  return readFileSync(given)
}

function lineOf({ code, receipt, text }: Finding): string {
  return [code, receipt, text].filter((part) => part !== '').join('  ')
}

/** The plain counts of a summary: `receipts 12, signed 12, failed 0`. */
function summaryLine(summary: object | null, { counts }: Words): string {
  return Object.entries(summary ?? {})
    .filter(([name]) => name !== 'durationMs')
    .filter(([, value]) => ['number', 'string'].includes(typeof value))
    .map(([name, value]) => `${counts[name] ?? name} ${value}`)
    .join(', ')
}

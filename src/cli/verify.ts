// verify: checks an export with the independent verifier of its market.
import { existsSync, readFileSync } from 'node:fs'
import { type VerifyResult, verifyFile } from '../core/verify/file.js'
import { optionsFrom } from '../core/verify/given.js'
import { FiscalError } from '../errors.js'
import { markets } from '../market/index.js'
import type { Finding } from '../market/market.js'
import { type Command, type Input, optional } from './command.js'

export const verifyCommands: Record<string, Command> = {
  verify: {
    usage: 'verify FILE [--key K] [--certificate C] [--json]',
    summary:
      'Checks an export (DEP7, TSE TAR, DSFinV-K); exit code 1 when anything is wrong. ' +
      'C: Base64, or a file (PEM, Base64, or a crypto container).',
    options: { key: { type: 'string' }, certificate: { type: 'string' } },
    positionals: ['FILE'],
    run: async (input) => {
      const { ok, findings, notices, summary } = await result(input)
      const text = [
        ...findings.map(lineOf),
        ...notices.map((notice) => `note: ${lineOf(notice)}`),
        summaryLine(summary),
        ok ? 'accepted' : `refused: ${findings.length} finding(s)`,
      ]
      const json = { ok, findings, notices, summary }
      return { json, text: text.filter((line) => line !== '').join('\n'), ok }
    },
  },
}

async function result(input: Input): Promise<VerifyResult> {
  const [path = ''] = input.positionals
  const key = optional(input, 'key')
  const certificate = optional(input, 'certificate')
  try {
    const given = certificate === undefined ? {} : optionsFrom(textOf(certificate))
    return await verifyFile(path, {
      verifiers: Object.values(markets).flatMap((market) => market.verifiers),
      ...given,
      ...(key === undefined ? {} : { key }),
    })
  } catch (error) {
    throw optionFault(error)
  }
}

/** The member at fault by the name of its option; a mistyped file name is taken for Base64. */
function optionFault(error: unknown): unknown {
  if (!(error instanceof FiscalError) || error.code !== 'FIELD_INVALID') return error
  const { expected } = error.details
  if (error.field === 'key') return new Error(`--key is not valid: expected ${expected}`)
  return new Error(`--certificate is neither an existing file nor ${expected}`)
}

function textOf(given: string): string {
  return existsSync(given) ? readFileSync(given, 'utf8') : given
}

function lineOf({ code, receipt, text }: Finding): string {
  return [code, receipt, text].filter((part) => part !== '').join('  ')
}

/** The plain counts of a summary: `receipts 12, signed 12, failed 0`. */
function summaryLine(summary: object | null): string {
  return Object.entries(summary ?? {})
    .filter(([name]) => name !== 'durationMs')
    .filter(([, value]) => ['number', 'string'].includes(typeof value))
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

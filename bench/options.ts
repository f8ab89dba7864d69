// Words and options of `npm run bench`.
import { parseArgs } from 'node:util'

export const PARTS = [
  'core',
  'json',
  'start',
  'echo',
  'sign',
  'export',
  'verify',
  'tse',
  'germany',
  'france',
  'possystem',
  'soap',
  'render',
  'grpc',
  'dealer',
  'fleet',
  'portal',
  'portal-work',
  'events',
  'beside',
  'rows',
  'processes',
  'devices',
  'autopilot',
  'blocks',
] as const
export type PartName = (typeof PARTS)[number]

export interface Options {
  parts: PartName[]
  rounds: number
  /** Length of one measurement. */
  seconds: number
  /** Receipts in the exported journal. */
  receipts: number
  /** Merchants that are imported and listed. */
  merchants: number
  /** Where CPU profiles of the server go; undefined: none are made. */
  profile: string | undefined
  /** False: a try that leaves results and page alone. */
  keep: boolean
}

export const USAGE = `npm run bench -- [${PARTS.join('|')} …] [options]
  --rounds N      rounds per comparison, 3 unless told
  --seconds N     length of one measurement, 6 unless told
  --receipts N    receipts in the exported journal, 1000000 unless told
  --merchants N   merchants of a dealer, 10000 unless told
  --profile DIR   leave CPU profiles of the server there
  --no-keep       neither write bench/results nor docs/performance.md`

/** Throws an Error whose message is for the person who typed. */
export function readOptions(words: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '6' },
      receipts: { type: 'string', default: '1000000' },
      merchants: { type: 'string', default: '10000' },
      profile: { type: 'string' },
      'no-keep': { type: 'boolean', default: false },
    },
  })
  return {
    parts: positionals.length === 0 ? [...PARTS] : positionals.map(partOf),
    rounds: count(values.rounds, 'rounds'),
    seconds: count(values.seconds, 'seconds'),
    receipts: count(values.receipts, 'receipts'),
    merchants: count(values.merchants, 'merchants'),
    profile: values.profile,
    keep: !values['no-keep'],
  }
}

function partOf(word: string): PartName {
  const found = PARTS.find((part) => part === word)
  if (found === undefined) throw new Error(`there is no part "${word}"\n${USAGE}`)
  return found
}

function count(text: string, name: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`--${name} wants a whole number above 0`)
}

// Answers of the German signing-device interface (fiskaltrust.ifPOS v1, de), checked: a DeviceError
// where one is not as it should be.
import { z } from 'zod'
import { DeviceError } from '../../../device/device.js'
import { lowerNames, readJson } from '../../../device/remote.js'
import { TSE_STATES, type TseState } from '../../../device/tse/tse.js'

/** Longest answer but for a part of an export. */
export const MOST_ANSWER_BYTES = 2 * 1024 * 1024
/** A whole export in one part, base64. */
export const MOST_PART_BYTES = Math.ceil((32 * 1024 * 1024) / 3) * 4 + 64 * 1024

const MOST_ENTRIES = 10_000
/** Twice the coordinates of the largest curve. */
const MOST_SIGNATURE_BYTES = 132

const count = z.int().min(0)
/** Limits may be the largest 64-bit number, which stands for none. */
const size = z.number().transform((value) => Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER))
const text = z.string().max(1000)
const bytes = z.base64().transform((base64) => Buffer.from(base64, 'base64'))

/** ISO 8601; a time without zone is UTC, as all of this interface. */
const moment = z.iso
  .datetime({ offset: true, local: true })
  .transform((value) => new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`))

const signed = z.object({
  transactionnumber: count,
  timestamp: moment,
  tseserialnumberoctet: text.nullish(),
  signaturedata: z.preprocess(
    lowerNames,
    z.object({
      signaturecounter: count,
      signaturebase64: bytes.refine(
        ({ length }) => length > 0 && length <= MOST_SIGNATURE_BYTES,
        'no signature',
      ),
    }),
  ),
})

export type SignedAnswer = z.infer<typeof signed>

/** Numbers, and names as writers of enumerations put them. */
const state = z
  .union([z.literal([0, 1, 2]), z.string().transform(stateOfName)])
  .refine((value): value is TseState => value !== undefined, 'no state')

function stateOfName(name: string): TseState | undefined {
  const names: Readonly<Record<string, TseState>> = TSE_STATES
  return names[name.toLowerCase()]
}

const clients = z
  .array(text)
  .max(MOST_ENTRIES)
  .nullish()
  .transform((ids) => ids ?? [])

const info = z.object({
  maxnumberofclients: size,
  currentclientids: clients,
  maxnumberofstartedtransactions: size,
  currentstartedtransactionnumbers: z
    .array(count)
    .max(MOST_ENTRIES)
    .nullish()
    .transform((numbers) => (numbers ?? []).sort((a, b) => a - b)),
  maxnumberofsignatures: size,
  currentnumberofsignatures: size,
  maxlogmemorysize: size,
  currentlogmemorysize: size,
  currentstate: state,
  firmwareidentification: text.nullish().transform((value) => value ?? ''),
  certificationidentification: text.nullish().transform((value) => value ?? ''),
  signaturealgorithm: text,
  logtimeformat: text,
  serialnumberoctet: text,
  certificatesbase64: z.array(bytes).min(1).max(16),
})

export type InfoAnswer = z.infer<typeof info>

export const answers = {
  start: signed,
  finish: signed.extend({ starttransactiontimestamp: moment }),
  info,
  state: z.object({ currentstate: state }),
  clients: z.object({ clientids: clients }),
  none: z.unknown(),
  exportStart: z.object({ tokenid: text.min(1), tseserialnumberoctet: text.nullish() }),
  exportPart: z.object({
    tarfilebytechunkbase64: z
      .string()
      .nullish()
      .transform((value) => value ?? ''),
    tarfileendoffile: z.boolean(),
    totaltarfilesizeavailable: z.boolean(),
    totaltarfilesize: z.number().default(-1),
  }),
  exportEnd: z.object({ isvalid: z.boolean(), iserased: z.boolean() }),
}

/** Member names in any case. Throws DeviceError, which names the member, not its value. */
export function readAnswer<T>(
  body: Buffer,
  { schema, name }: { schema: z.ZodType<T>; name: string },
): T {
  const parsed = schema.safeParse(lowerNames(readJson(body.toString('utf8'))))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const place = issue === undefined || issue.path.length === 0 ? '' : `: ${issue.path.join('.')}`
  throw new DeviceError(`the answer to ${name} cannot be read${place}`)
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** By hand: the pattern of the schemas is not made for millions of characters. */
export function partBytes(base64: string): Buffer {
  const part = Buffer.from(base64, 'base64')
  if (BASE64.test(base64) && part.length === Buffer.byteLength(base64, 'base64')) return part
  throw new DeviceError('a part of the export is not base64')
}

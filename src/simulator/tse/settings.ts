// Settings of the TSE emulator: what an administrator gives, and what its SCU row holds.
import { z } from 'zod'
import { MOST_OPEN_TRANSACTIONS } from '../../device/tse/tse.js'

/** Printable ASCII without blank. */
const pin = z.string().regex(/^[\x21-\x7e]{4,64}$/, 'expected 4 to 64 printable characters')
const count = (most: number) => z.int().min(1).max(most)

const GIB = 1024 ** 3

/** Defaults: a device of the usual size. */
export const configuration = z.looseObject({
  /** Left out: the device makes its own PIN and uses it by itself. */
  adminPin: pin.optional(),
  timeAdminPin: pin.optional(),
  maxClients: count(10_000).default(100),
  maxOpenTransactions: count(MOST_OPEN_TRANSACTIONS).default(512),
  maxSignatures: count(Number.MAX_SAFE_INTEGER).default(20_000_000),
  maxLogMemory: count(Number.MAX_SAFE_INTEGER).default(8 * GIB),
  /** End of the certificate; left out: eight years after it was made. */
  certificateValidUntil: z.iso.datetime({ offset: true }).optional(),
  profile: z.enum(['P-256', 'P-384']).default('P-256'),
})

export type Settings = z.infer<typeof configuration>

/** As stored: with the certificates, leaf first, that never change. */
const stored = configuration.extend({ certificatesBase64: z.array(z.base64()).min(2) })

export type StoredSettings = z.infer<typeof stored>

export const readSettings = (text: string): StoredSettings => stored.parse(JSON.parse(text))

/** What is stored plain: the PINs are sealed with the key. */
export function settingsText(settings: Settings, certificates: readonly Buffer[]): string {
  const { adminPin: _, timeAdminPin: __, ...plain } = settings
  const certificatesBase64 = certificates.map((der) => der.toString('base64'))
  return JSON.stringify({ ...plain, certificatesBase64 })
}

const secrets = z.object({
  privateKeyPkcs8Base64: z.base64(),
  /** From the settings, or made by the device. */
  adminPin: z.string(),
  timeAdminPin: z.string(),
})

export type Secrets = z.infer<typeof secrets>

export const readSecrets = (text: string): Secrets => secrets.parse(JSON.parse(text))
export const secretsText = (value: Secrets): string => JSON.stringify(value)

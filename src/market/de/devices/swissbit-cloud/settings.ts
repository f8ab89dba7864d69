// Settings of a unit of Swissbit's cloud service (web-tse, version 2).
import { z } from 'zod'
import { DeviceError, type ScuHead } from '../../../../device/device.js'
import { addressOf, lowerNames, readJson } from '../../../../device/remote.js'

const HOSTS = { live: 'https://web-tse.de', test: 'https://dev.web-tse.de' } as const

const word = z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,512}$/, { error: 'no blank, no colon' })

/** Names in any case. */
export const swissbitConfiguration = z.preprocess(
  lowerNames,
  z.object({
    /** Fixes the host. */
    environment: z.enum(['test', 'live']).default('live'),
    /** Serial number of the unit: the user of the service. */
    serial: word,
    token: word,
  }),
)

const storedConfiguration = z.object({
  environment: z.enum(['test', 'live']).default('live'),
  serial: word,
  /** Fingerprints of issuers that somebody has looked at (`scu check`). */
  confirmed: z.array(z.string()).default([]),
  named: z.boolean().default(false),
})
const storedSecrets = z.object({ token: word })

export interface SwissbitAccess
  extends z.infer<typeof storedConfiguration>,
    z.infer<typeof storedSecrets> {
  /** Without a slash at the end. */
  address: string
}

export function storedTexts(given: z.infer<typeof swissbitConfiguration>) {
  const { token, ...rest } = given
  return {
    configuration: JSON.stringify(rest),
    secrets: JSON.stringify({ token }),
    state: '{}',
  }
}

/** Throws DeviceError when the row lacks what a call needs; the text never shows a secret. */
export function swissbitAccessOf(scu: ScuHead): SwissbitAccess {
  const secrets = storedSecrets.safeParse(readJson(scu.secrets))
  const settings = storedConfiguration.safeParse(readJson(scu.configuration))
  if (!secrets.success || !settings.success) {
    throw new DeviceError('the configuration of the signing unit is not valid', {
      kind: 'broken-unit',
    })
  }
  // an address is for a proxy in between, and for tests
  const isUsual = scu.url === null || scu.url === ''
  const address = isUsual ? HOSTS[settings.data.environment] : addressOf(scu)
  return { ...secrets.data, ...settings.data, address }
}

/** The host for tests, or a setting that says so; undefined: the certificate decides. */
export function isForTests({ configuration, url }: ScuHead): boolean {
  const { environment } =
    storedConfiguration.partial().safeParse(readJson(configuration)).data ?? {}
  return environment === 'test' || (url ?? '').includes('//dev.web-tse.de')
}

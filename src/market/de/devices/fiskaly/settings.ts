// Settings of a unit of the cloud service SIGN DE v2.
import { z } from 'zod'
import { DeviceError, type ScuHead } from '../../../../device/device.js'
import { addressOf, lowerNames, readJson } from '../../../../device/remote.js'

/** The one host of the service; test and live are told apart by the key. */
const LIVE_ADDRESS = 'https://kassensichv-middleware.fiskaly.com/api/v2'

const word = z.string().regex(/^[\x21-\x7e]{1,512}$/)

/** Names in any case. The PIN is for registering clients alone, and may be left out. */
export const fiskalyConfiguration = z.preprocess(
  lowerNames,
  z.object({
    apikey: word,
    apisecret: word,
    tssid: z.guid(),
    adminpin: word.min(6).optional(),
  }),
)

const storedConfiguration = z.object({
  tssId: z.guid(),
  /** Set by the command line only: the address may be private. */
  named: z.boolean().default(false),
})
const storedSecrets = z.object({
  apiKey: word,
  apiSecret: word,
  adminPin: word.optional(),
})

export interface FiskalyAccess extends z.infer<typeof storedSecrets> {
  /** Without a slash at the end. */
  address: string
  tssId: string
  named: boolean
}

export function storedTexts(given: z.infer<typeof fiskalyConfiguration>) {
  const { apikey: apiKey, apisecret: apiSecret, tssid: tssId, adminpin: adminPin } = given
  return {
    configuration: JSON.stringify({ tssId: tssId.toLowerCase() }),
    secrets: JSON.stringify({ apiKey, apiSecret, adminPin }),
    state: '{}',
  }
}

/** Throws DeviceError when the row lacks what a call needs; the text never shows a secret. */
export function fiskalyAccessOf(scu: ScuHead): FiskalyAccess {
  const secrets = storedSecrets.safeParse(readJson(scu.secrets))
  const settings = storedConfiguration.safeParse(readJson(scu.configuration))
  if (!secrets.success || !settings.success) {
    throw new DeviceError('the configuration of the signing unit is not valid', {
      kind: 'broken-unit',
    })
  }
  // an address is for a proxy in between, and for tests
  const address = scu.url === null || scu.url === '' ? LIVE_ADDRESS : addressOf(scu)
  return { ...secrets.data, ...settings.data, address }
}

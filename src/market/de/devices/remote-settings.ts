// Settings of a TSE behind another server: what an administrator gives, and what its SCU row holds.
import { z } from 'zod'
import { DeviceError, type ScuHead } from '../../../device/device.js'
import { accessToken, addressOf, lowerNames, readJson } from '../../../device/remote.js'

/**
 * Names in lower case here, any case in the input. A service on the own machine often wants no
 * credentials; one that does wants both.
 */
export const remoteConfiguration = z.preprocess(
  lowerNames,
  z
    .object({ cashboxid: z.guid().optional(), accesstoken: accessToken.optional() })
    .refine(
      ({ cashboxid, accesstoken }) => (cashboxid === undefined) === (accesstoken === undefined),
      { error: 'expected cashboxid and accesstoken together', path: ['accesstoken'] },
    ),
)

const storedConfiguration = z.object({
  /** Set by the command line only: the address may be private. */
  named: z.boolean().default(false),
})
const storedSecrets = z.object({
  cashBoxId: z.guid().optional(),
  accessToken: accessToken.optional(),
})

export interface RemoteAccess {
  /** Base address without a slash at the end. */
  address: string
  /** Headers that let the caller in. */
  credentials: Record<string, string>
  named: boolean
}

/** Throws DeviceError when the row lacks what a call needs; the text never shows a secret. */
export function remoteAccessOf(scu: ScuHead): RemoteAccess {
  const address = addressOf(scu)
  const secrets = storedSecrets.safeParse(readJson(scu.secrets))
  const settings = storedConfiguration.safeParse(readJson(scu.configuration))
  if (!secrets.success || !settings.success) {
    throw new DeviceError('the configuration of the signing unit is not valid')
  }
  const { cashBoxId, accessToken: token } = secrets.data
  const isOpen = cashBoxId === undefined || token === undefined
  return {
    address,
    credentials: isOpen ? {} : { cashboxid: cashBoxId, accesstoken: token },
    named: settings.data.named,
  }
}

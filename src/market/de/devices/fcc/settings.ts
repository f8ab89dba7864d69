// Settings of a connector of the Deutsche Fiskal (FCC) and its D-Trust unit.
import { z } from 'zod'
import { DeviceError, type ScuHead } from '../../../../device/device.js'
import { addressOf, lowerNames, readJson } from '../../../../device/remote.js'

/** Where the connector stands that was set up with nothing else said. */
const USUAL = 'http://localhost:20001'
/** The newest that is known of such units; another one stands in the contract. */
const CERTIFICATION = 'BSI-K-TR-0524-2024'

const secret = z.string().min(1).max(512)

/** Names in any case. */
export const fccConfiguration = z.preprocess(
  lowerNames,
  z.object({
    /** Registers and administrator know the same one. */
    erscode: secret,
    /** Only for registering clients. */
    registrationtoken: secret.optional(),
    /** The unit does not tell it. */
    certificationid: z.string().min(1).max(60).default(CERTIFICATION),
  }),
)

const storedConfiguration = z.object({
  certificationid: z.string(),
  /** Fingerprints that somebody has looked at (`scu check`). */
  confirmed: z.array(z.string()).default([]),
  named: z.boolean().default(false),
})
const storedSecrets = z.object({ erscode: secret, registrationtoken: secret.optional() })

export interface FccAccess
  extends z.infer<typeof storedConfiguration>,
    z.infer<typeof storedSecrets> {
  /** Without a slash at the end. */
  address: string
}

export function storedTexts(given: z.infer<typeof fccConfiguration>) {
  const { erscode, registrationtoken, ...rest } = given
  return {
    configuration: JSON.stringify(rest),
    secrets: JSON.stringify({ erscode, registrationtoken }),
    state: '{}',
  }
}

/** Throws DeviceError when the row lacks what a call needs; the text never shows a secret. */
export function fccAccessOf(scu: ScuHead): FccAccess {
  const secrets = storedSecrets.safeParse(readJson(scu.secrets))
  const settings = storedConfiguration.safeParse(readJson(scu.configuration))
  if (!secrets.success || !settings.success) {
    throw new DeviceError('the configuration of the signing unit is not valid', {
      kind: 'broken-unit',
    })
  }
  const isUsual = scu.url === null || scu.url === ''
  return { ...secrets.data, ...settings.data, address: isUsual ? USUAL : addressOf(scu) }
}

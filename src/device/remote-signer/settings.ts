// Settings of a unit behind a signing service: what an administrator gives, and what its SCU row
// holds.
import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { DeviceError, type ScuHead } from '../device.js'
import type { NewScu } from '../driver.js'
import { accessToken, addressOf, readJson } from '../remote.js'

const certificateBase64 = z.base64().refine(isCertificate, 'expected an X.509 certificate')

/**
 * What the driver of every market takes, by `lowerNames`: both `cashboxid` and `cashBoxId` occur.
 */
export const serviceSettings = z.object({
  cashboxid: z.guid(),
  accesstoken: accessToken,
  /** Issuers of the device's certificate, nearest first, base64 of the DER bytes. */
  certificatechain: z.array(certificateBase64).default([]),
})

/** What every driver of such a unit says of itself. */
export const SERVICE_FACTS = {
  remote: true,
  stateful: false,
  software: false,
  // what goes wrong on the other side is scripted there
  faults: [],
} as const

/** A new unit; `more`: what a market keeps beside it, nothing secret. */
export function newServiceUnit(given: z.infer<typeof serviceSettings>, more: object = {}): NewScu {
  return {
    configuration: JSON.stringify({ certificateChain: given.certificatechain, ...more }),
    secrets: JSON.stringify({ cashBoxId: given.cashboxid, accessToken: given.accesstoken }),
    state: '{}',
  }
}

const storedConfiguration = z.object({
  certificateChain: z.array(z.base64()).default([]),
  /** Set by the command line only: the address may be private. */
  named: z.boolean().default(false),
})
const storedSecrets = z.object({ cashBoxId: z.guid(), accessToken })
/** `zda`: of an Austrian device. */
const storedState = z.object({ zda: z.string().optional(), certificateBase64: z.base64() })

export interface ServiceAccess {
  /** Base address without a slash at the end. */
  address: string
  cashBoxId: string
  accessToken: string
  chain: Buffer[]
  named: boolean
}

/** Throws DeviceError when the row lacks what a call needs; the text never shows a secret. */
export function accessOf(scu: ScuHead): ServiceAccess {
  const address = addressOf(scu)
  const secrets = storedSecrets.safeParse(readJson(scu.secrets))
  if (!secrets.success)
    throw new DeviceError('the signing unit has no cash box id and access token')
  const settings = storedConfiguration.safeParse(readJson(scu.configuration))
  if (!settings.success) throw new DeviceError('the configuration of the signing unit is not valid')
  return {
    address,
    cashBoxId: secrets.data.cashBoxId,
    accessToken: secrets.data.accessToken,
    named: settings.data.named,
    chain: settings.data.certificateChain.map((der) => Buffer.from(der, 'base64')),
  }
}

/** Issuers of its certificate, nearest first, as they were configured. */
export function chainOf({ configuration }: Pick<ScuHead, 'configuration'>): Buffer[] {
  const settings = storedConfiguration.safeParse(readJson(configuration)).data
  return (settings?.certificateChain ?? []).map((der) => Buffer.from(der, 'base64'))
}

/** The identity that the device last told, or undefined when it was never reached. */
export function toldOf(state: string): z.infer<typeof storedState> | undefined {
  return storedState.safeParse(readJson(state)).data
}

function isCertificate(base64: string): boolean {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).raw.length > 0
  } catch {
    return false
  }
}

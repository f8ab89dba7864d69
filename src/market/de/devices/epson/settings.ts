// Settings of an Epson device: a printer with a TSE, or a TSE Server.
import { z } from 'zod'
import { DeviceError, type ScuHead } from '../../../../device/device.js'
import { lowerNames, readJson } from '../../../../device/remote.js'

const pin = z.string().regex(/^\d{5}$/)
const fingerprint = z.string().regex(/^(?:[0-9A-Fa-f]{2}:?){32}$/)

/**
 * Names in any case. `adminPin` is for registering clients and exports alone.
 */
export const epsonConfiguration = z.preprocess(
  lowerNames,
  z.object({
    timeadminpin: pin,
    adminpin: pin.optional(),
    secretkey: z.string().length(8).optional(),
    deviceid: z.string().min(1).max(64).optional(),
    tlsfingerprint: fingerprint.optional(),
  }),
)

const FACTORY_SECRET = 'EPSONKEY'
/** Of the device inside a printer. */
const PRINTER_DEVICE = 'local_TSE'

const storedConfiguration = z.object({
  deviceId: z.string(),
  tlsFingerprint: z.string().optional(),
  /** Fingerprints of issuers that somebody has looked at (`scu check`). */
  confirmed: z.array(z.string()).default([]),
  named: z.boolean().default(false),
})
const storedSecrets = z.object({
  timeAdminPin: pin,
  adminPin: pin.optional(),
  secretKey: z.string(),
})

export interface EpsonAccess
  extends z.infer<typeof storedConfiguration>,
    z.infer<typeof storedSecrets> {
  host: string
  port: number
  isTls: boolean
}

export function storedTexts(given: z.infer<typeof epsonConfiguration>) {
  const { deviceid: deviceId = PRINTER_DEVICE, secretkey: secretKey = FACTORY_SECRET } = given
  const { tlsfingerprint: tlsFingerprint, timeadminpin: timeAdminPin, adminpin: adminPin } = given
  return {
    configuration: JSON.stringify({ deviceId, tlsFingerprint }),
    secrets: JSON.stringify({ timeAdminPin, adminPin, secretKey }),
    state: '{}',
  }
}

const PORTS: Readonly<Record<string, number>> = { 'tcp:': 8009, 'tls:': 8143 }

/** Throws DeviceError when the row lacks what a call needs; the text never shows a secret. */
export function epsonAccessOf(scu: ScuHead): EpsonAccess {
  const secrets = storedSecrets.safeParse(readJson(scu.secrets))
  const settings = storedConfiguration.safeParse(readJson(scu.configuration))
  if (!secrets.success || !settings.success) {
    throw new DeviceError('the configuration of the signing unit is not valid', {
      kind: 'broken-unit',
    })
  }
  const url = scu.url !== null && URL.canParse(scu.url) ? new URL(scu.url) : undefined
  const standard = PORTS[url?.protocol ?? '']
  if (url === undefined || standard === undefined || url.hostname === '') {
    throw new DeviceError('the signing unit has no tcp: or tls: address', { kind: 'broken-unit' })
  }
  const port = url.port === '' ? standard : Number(url.port)
  const place = { host: url.hostname, port, isTls: url.protocol === 'tls:' }
  return { ...secrets.data, ...settings.data, ...place }
}

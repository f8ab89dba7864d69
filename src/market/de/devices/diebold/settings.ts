// Settings of a Diebold Nixdorf device behind its vendor's web service.
import { z } from 'zod'
import { DeviceError, type ScuHead } from '../../../../device/device.js'
import { lowerNames, readJson } from '../../../../device/remote.js'

const password = z.string().min(1).max(100)

/** Names in any case. The password is that of the time administrator. */
export const dieboldConfiguration = z.preprocess(
  lowerNames,
  z.object({ timeadminpassword: password }),
)

const storedConfiguration = z.object({
  /** Fingerprints of issuers that somebody has looked at (`scu check`). */
  confirmed: z.array(z.string()).default([]),
  named: z.boolean().default(false),
})
const storedSecrets = z.object({ timeAdminPassword: password })

export interface DieboldAccess
  extends z.infer<typeof storedConfiguration>,
    z.infer<typeof storedSecrets> {
  host: string
  port: number
  /** As the web service is told it. */
  address: string
}

export function storedTexts(given: z.infer<typeof dieboldConfiguration>) {
  return {
    configuration: '{}',
    secrets: JSON.stringify({ timeAdminPassword: given.timeadminpassword }),
    state: '{}',
  }
}

const PORT = 10_001

/** Throws DeviceError when the row lacks what a call needs; the text never shows a secret. */
export function dieboldAccessOf(scu: ScuHead): DieboldAccess {
  const secrets = storedSecrets.safeParse(readJson(scu.secrets))
  const settings = storedConfiguration.safeParse(readJson(scu.configuration))
  if (!secrets.success || !settings.success) {
    throw new DeviceError('the configuration of the signing unit is not valid', {
      kind: 'broken-unit',
    })
  }
  const url = scu.url !== null && URL.canParse(scu.url) ? new URL(scu.url) : undefined
  if (url?.protocol !== 'ws:' || url.hostname === '') {
    throw new DeviceError('the signing unit has no ws: address', { kind: 'broken-unit' })
  }
  const port = url.port === '' ? PORT : Number(url.port)
  const address = `ws://${url.hostname}:${port}${url.pathname}`
  return { ...secrets.data, ...settings.data, host: url.hostname, port, address }
}

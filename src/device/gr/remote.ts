// The unit that speaks with myDATA of the AADE, as a provider or as the merchant's own program. It
// asks while a receipt is made: the MARK is printed.
import { z } from 'zod'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../device.js'
import type { Driver } from '../driver.js'
import { CHANNELS, type GrCall, type GrDevice, type GrReply, MYDATA_PACKAGE } from './unit.js'

const address = z
  .string()
  .regex(/^https?:\/\/[^\s/]+(\/[^\s]*)?$/)
  .transform((text) => text.replace(/\/+$/, ''))

const configuration = z.looseObject({
  channel: z.enum(CHANNELS).default('provider'),
  /** Left out: the master data of the merchant say it. */
  vat: z
    .string()
    .regex(/^\d{9}$/, { error: '9 digits' })
    .or(z.literal(''))
    .default(''),
  username: z.string().default(''),
  /** Sealed. */
  subscriptionKey: z.string().optional(),
  baseAddress: address.optional(),
  /** Without it no document is sent. */
  receiptBaseAddress: address.or(z.literal('')).default(''),
  providerId: z.string().max(20).default('126'),
  providerName: z.string().default(''),
  providerLicence: z.string().default(''),
  /** True: the test service of the authority. */
  sandbox: z.union([z.boolean(), z.stringbool()]).default(true),
})
const secrets = z.object({ subscriptionKey: z.string() })

const HOSTS = {
  test: 'https://mydataapidev.aade.gr',
  production: 'https://mydatapi.aade.gr/myDATA',
}

const settingsOf = ({ configuration: text }: ScuHead) => configuration.parse(JSON.parse(text))

function baseOf({ sandbox, channel, baseAddress }: z.infer<typeof configuration>): string {
  const host = baseAddress ?? HOSTS[sandbox ? 'test' : 'production']
  return channel === 'provider' ? `${host}/myDataProvider/` : `${host}/`
}

const MOST_BYTES = 16 * 1024 * 1024

async function send(
  { scu, tools }: { scu: ScuHead; tools: DriverTools },
  { method, name, query = {}, body }: GrCall,
  limit: CallLimit,
): Promise<GrReply> {
  const settings = settingsOf(scu)
  const { subscriptionKey } = secrets.parse(JSON.parse(scu.secrets))
  const asked = new URLSearchParams(query).toString()
  try {
    const reply = await tools.fetch(
      `${baseOf(settings)}${name}${asked === '' ? '' : `?${asked}`}`,
      {
        ...{ method, timeoutMs: limit.timeoutMs, maxBytes: MOST_BYTES },
        ...(body !== undefined && { body: `<?xml version="1.0" encoding="utf-8"?>${body}` }),
        headers: {
          ...{ 'content-type': 'application/xml', accept: 'application/xml' },
          ...{ 'aade-user-id': settings.username, 'ocp-apim-subscription-key': subscriptionKey },
        },
      },
    )
    return { status: reply.status, text: reply.body.toString('utf8') }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DeviceError(`myDATA cannot be reached: ${reason}`, { cause: error })
  }
}

const driver: Driver<GrDevice> = {
  configuration,
  async create({ configuration: given }) {
    const { subscriptionKey = '', ...plain } = configuration.parse(given ?? {})
    return {
      configuration: JSON.stringify(plain),
      secrets: JSON.stringify({ subscriptionKey }),
      state: '{}',
    }
  },
  open: (scu, tools) => ({
    identity: async () => {
      const settings = settingsOf(scu)
      const { channel, vat, providerId: id, providerName: name } = settings
      const provider = { id, name, licence: settings.providerLicence }
      const receiptBase = settings.receiptBaseAddress
      return { channel, vat, provider, base: baseOf(settings), receiptBase }
    },
    call: (call, limit) => send({ scu, tools }, call, limit),
  }),
  reach: async (scu, tools, limit) => {
    // any answer will do: nothing is sent
    const query = { mark: '999999999999999' }
    await send({ scu, tools }, { method: 'GET', name: 'RequestTransmittedDocs', query }, limit)
  },
  ...{ remote: true, stateful: false, software: false, faults: [] },
  async describe(scu) {
    const { vat, channel } = settingsOf(scu)
    const members = { Channel: channel, VatNumber: vat === '' ? null : vat }
    return { certificateBase64: '', serial: '', members }
  },
}

export const remoteDrivers: Readonly<Record<string, Driver<GrDevice>>> = {
  [MYDATA_PACKAGE]: driver,
}

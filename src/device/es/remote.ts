// Units that speak with the real authorities: a certificate of the merchant or of their agent signs
// files and opens the line (TLS). Nothing is sent while a receipt is made.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../device.js'
import type { Driver } from '../driver.js'
import { qrBases, services } from './policies.js'
import { N3_HEADERS } from './ticketbai.js'
import { type EsCall, type EsDevice, type EsKind, type EsReply, PACKAGES, REGIMES } from './unit.js'
import { signXml } from './xades.js'

const address = z
  .string()
  .regex(/^https?:\/\/[^\s/]+(\/[^\s]*)?$/)
  .transform((text) => text.replace(/\/+$/, ''))

const configuration = z.looseObject({
  /** Left out: the master data of the merchant say it. */
  nif: z
    .string()
    .regex(/^[A-Z0-9]{9}$/, { error: '9 letters and digits' })
    .or(z.literal(''))
    .default(''),
  name: z.string().max(120).default(''),
  taxRegime: z.enum(REGIMES).default('MainlandVat'),
  /** True: the test services of the authority. */
  sandbox: z.union([z.boolean(), z.stringbool()]).default(true),
  baseUrl: address.optional(),
  qrCodeBaseUrl: z.string().optional(),
  licence: z.string().max(20).default(''),
  /** PEM of the key and of its certificate; sealed. */
  privateKeyPem: z.string().optional(),
  certificatePem: z.string().optional(),
})
const secrets = z.object({ privateKeyPem: z.string(), certificatePem: z.string() })

interface Opened {
  key: KeyObject
  certificate: X509Certificate
}

function openKey(scu: ScuHead): Opened {
  const { privateKeyPem, certificatePem } = secrets.parse(JSON.parse(scu.secrets))
  if (privateKeyPem === '' || certificatePem === '') {
    throw new DeviceError('the signing unit has no certificate')
  }
  return { key: createPrivateKey(privateKeyPem), certificate: new X509Certificate(certificatePem) }
}

function driverOf(kind: EsKind): Driver<EsDevice> {
  const settingsOf = (scu: ScuHead) => configuration.parse(JSON.parse(scu.configuration))
  const open = (scu: ScuHead, tools: DriverTools): EsDevice => ({
    identity: async () => {
      const { nif, name, taxRegime: regime, licence, sandbox, qrCodeBaseUrl } = settingsOf(scu)
      const site = sandbox ? 'test' : 'production'
      const qrBase = qrCodeBaseUrl ?? qrBases[kind][site]
      return { kind, nif, name, regime, licence, qrBase, isDirect: false }
    },
    sign: async (what) => signXml(what, openKey(scu)),
    call: (call, limit) => send({ scu, tools, kind }, call, limit),
  })
  return {
    configuration,
    async create({ configuration: given }) {
      const { privateKeyPem = '', certificatePem = '', ...plain } = configuration.parse(given ?? {})
      return {
        configuration: JSON.stringify(plain),
        secrets: JSON.stringify({ privateKeyPem, certificatePem }),
        state: '{}',
      }
    },
    open,
    reach: async (scu, tools, limit) => {
      // any answer will do: a message that says nothing changes nothing
      await send({ scu, tools, kind }, { path: '/', type: 'text/xml', body: '' }, limit)
    },
    ...{ remote: false, stateful: false, software: false, faults: [] },
    async describe(scu) {
      const { nif } = settingsOf(scu)
      const members = { Kind: kind, Nif: nif === '' ? null : nif }
      const { certificatePem } = secrets.parse(JSON.parse(scu.secrets))
      if (certificatePem === '') return { certificateBase64: '', serial: '', members }
      const certificate = new X509Certificate(certificatePem)
      const certificateBase64 = certificate.raw.toString('base64')
      return { certificateBase64, serial: certificate.serialNumber, members }
    },
  }
}

const MOST_BYTES = 16 * 1024 * 1024

async function send(
  { scu, tools, kind }: { scu: ScuHead; tools: DriverTools; kind: EsKind },
  { path, type, body, headers }: EsCall,
  limit: CallLimit,
): Promise<EsReply> {
  const { baseUrl, sandbox } = configuration.parse(JSON.parse(scu.configuration))
  const base = baseUrl ?? services[kind][sandbox ? 'test' : 'production']
  const { privateKeyPem, certificatePem } = secrets.parse(JSON.parse(scu.secrets))
  const hasKey = privateKeyPem !== '' && certificatePem !== ''
  try {
    const reply = await tools.fetch(base + path, {
      ...{ method: 'POST', body, timeoutMs: limit.timeoutMs, maxBytes: MOST_BYTES },
      headers: { 'content-type': type, accept: 'text/xml, application/xml', ...headers },
      wanted: N3_HEADERS,
      ...(hasKey && { client: { key: privateKeyPem, cert: certificatePem } }),
    })
    const text = reply.body.toString('utf8')
    return { status: reply.status, text, headers: reply.headers ?? {} }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DeviceError(`the authority cannot be reached: ${reason}`, { cause: error })
  }
}

export const remoteDrivers: Readonly<Record<string, Driver<EsDevice>>> = Object.fromEntries(
  Object.entries(PACKAGES).map(([name, kind]) => [name, driverOf(kind)]),
)

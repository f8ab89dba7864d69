// The Spanish software unit: an RSA key with a certificate of its own, sealed in the server, and
// the emulated authority of its territory beside it. It tells nobody, and nothing is certified.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../../device/device.js'
import type { Driver } from '../../device/driver.js'
import { qrBases } from '../../device/es/policies.js'
import { type EsCall, type EsDevice, type EsReply, KINDS, REGIMES } from '../../device/es/unit.js'
import { signXml } from '../../device/es/xades.js'
import { type FaultKind, takeFault } from '../faults.js'
import { opening } from '../opened.js'
import { newSerial, reachSoftly } from '../soft-key.js'
import { serve } from './authority.js'
import { makeRsaCertificate } from './key.js'
import { serveProvince } from './province.js'
import { emptyRegister, register } from './register.js'

const configuration = z.looseObject({
  kind: z.enum(KINDS).default('VeriFactu'),
  nif: z
    .string()
    .regex(/^[A-Z0-9]{9}$/, { error: '9 letters and digits' })
    .or(z.literal(''))
    .default(''),
  name: z.string().max(120).default(''),
  taxRegime: z.enum(REGIMES).default('MainlandVat'),
  qrCodeBaseUrl: z.string().default(''),
  licence: z.string().max(20).default('TBAIEMU0000000000000'),
  /** TiempoEsperaEnvio of its answers. */
  waitSeconds: z.coerce.number().int().min(0).max(9999).default(0),
})
const secrets = z.object({ privateKeyPkcs8Base64: z.string() })
const state = z.object({ certificateBase64: z.string(), register })

/** What a script may ask of it; the last four are about the line to the authority. */
const FAULTS = [
  ...(['unreachable', 'error', 'error-after', 'delay', 'garbage'] as const),
  ...(['authority-away', 'authority-error', 'authority-error-after'] as const),
] as const satisfies readonly FaultKind[]

/** So many invoices are remembered with all that is known of them. */
const MOST = 25

interface Opened {
  settings: z.infer<typeof configuration>
  key: KeyObject
  certificate: X509Certificate
}

const openUnit = opening(
  ({ secrets: sealed, configuration: given, state: kept }) => [
    ...[sealed, given],
    state.parse(JSON.parse(kept)).certificateBase64,
  ],
  (scu): Opened => {
    const { privateKeyPkcs8Base64 } = secrets.parse(JSON.parse(scu.secrets))
    const { certificateBase64 } = state.parse(JSON.parse(scu.state))
    return {
      settings: configuration.parse(JSON.parse(scu.configuration)),
      key: createPrivateKey({
        ...{ key: Buffer.from(privateKeyPkcs8Base64, 'base64'), format: 'der', type: 'pkcs8' },
      }),
      certificate: new X509Certificate(Buffer.from(certificateBase64, 'base64')),
    }
  },
)

const isLine = (kind: string): boolean => kind.startsWith('authority-')

function open(scu: ScuHead, tools: DriverTools): EsDevice {
  const unit = openUnit(scu)
  const { settings } = unit
  return {
    identity: async () => ({
      ...{ kind: settings.kind, nif: settings.nif, name: settings.name },
      ...{ regime: settings.taxRegime, isDirect: true, licence: settings.licence },
      qrBase: settings.qrCodeBaseUrl || qrBases[settings.kind].test,
    }),
    sign: async (what, limit) => {
      const step = takeFault(scu)
      if (step !== undefined && !isLine(step.do)) await fail({ scu, tools }, step, limit)
      return signXml(what, unit)
    },
    call: (call, limit) => tell({ scu, tools, unit }, call, limit),
  }
}

interface At {
  scu: ScuHead
  tools: DriverTools
}

async function fail(
  { tools }: At,
  { do: kind, ms = 0 }: { do: string; ms?: number | undefined },
  { timeoutMs }: CallLimit,
): Promise<void> {
  if (kind !== 'delay') throw new DeviceError(`the unit says: ${kind}`)
  await tools.sleep(Math.min(ms, timeoutMs))
  if (ms >= timeoutMs) throw new DeviceError(`no answer within ${Math.round(timeoutMs)} ms`)
}

/** A message is read by the emulated authority, and its answer comes back as over a line. */
async function tell(at: At & { unit: Opened }, call: EsCall, limit: CallLimit): Promise<EsReply> {
  const { scu, tools, unit } = at
  const step = takeFault(scu)
  if (step !== undefined && step.do === 'authority-error') {
    return { status: 503, text: 'Service Unavailable', headers: {} }
  }
  if (step !== undefined && step.do === 'garbage') {
    return { status: 200, text: '<html><body>Mantenimiento</body></html>', headers: {} }
  }
  const isLost = step !== undefined && /error-after$/.test(step.do)
  if (step?.do === 'authority-away' || limit.timeoutMs <= 0) {
    throw new DeviceError('the authority does not answer')
  }
  if (step !== undefined && !isLost) await fail(at, step, limit)
  const kept = state.parse(JSON.parse(scu.state))
  const { kind, waitSeconds } = unit.settings
  const now = tools.now()
  const answer =
    kind === 'VeriFactu'
      ? {
          ...serve(
            kept.register,
            { method: 'POST', body: String(call.body), now },
            { waitSeconds, most: MOST },
          ),
          headers: {},
        }
      : serveProvince(kept.register, { province: kind, call, now, most: MOST })
  scu.state = JSON.stringify(kept)
  scu.changed = true
  if (isLost) throw new DeviceError('the answer was lost')
  return answer
}

export const emulator: Driver<EsDevice> = {
  configuration,
  async create({ configuration: given, now, randomBytes }) {
    const settings = configuration.parse(given ?? {})
    const made = await makeRsaCertificate({
      ...{ commonName: `fiskalwerk emulation ${settings.kind}`, serialHex: newSerial(randomBytes) },
      now,
    })
    const pkcs8 = made.key.export({ format: 'der', type: 'pkcs8' }).toString('base64')
    return {
      configuration: JSON.stringify(settings),
      secrets: JSON.stringify({ privateKeyPkcs8Base64: pkcs8 }),
      state: JSON.stringify({
        certificateBase64: made.certificate.raw.toString('base64'),
        register: emptyRegister(),
      }),
    }
  },
  open,
  reach: (scu, tools, limit) => reachSoftly({ scu, tools }, limit),
  remote: false,
  stateful: true,
  software: true,
  faults: FAULTS,
  async describe(scu) {
    const { certificate, settings } = openUnit(scu)
    const members = { Kind: settings.kind, Nif: settings.nif === '' ? null : settings.nif }
    const serial = certificate.serialNumber
    return { certificateBase64: certificate.raw.toString('base64'), serial, members }
  },
}

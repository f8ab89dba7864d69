// The Greek software unit: the emulated myDATA lies beside it in the server. It tells nobody, and
// nothing is licensed.
import { z } from 'zod'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../../device/device.js'
import type { Driver } from '../../device/driver.js'
import { CHANNELS, type GrCall, type GrDevice, type GrReply } from '../../device/gr/unit.js'
import { type FaultKind, takeFault } from '../faults.js'
import { reachSoftly } from '../soft-key.js'
import { serve } from './authority.js'
import { emptyRegister, register } from './register.js'

/** An issuer that nobody is: its check digit is right. */
const SANDBOX_VAT = '112545020'

const configuration = z.looseObject({
  channel: z.enum(CHANNELS).default('provider'),
  vat: z
    .string()
    .regex(/^\d{9}$/, { error: '9 digits' })
    .default(SANDBOX_VAT),
  receiptBaseAddress: z.string().default('https://receipts.fiskalwerk.example'),
})
const state = z.object({ register })
const KEY_BYTES = 16
const secrets = z.object({ subscriptionKey: z.string() })

/** What a script may ask of it; the last three are about the line to the authority. */
const FAULTS = [
  ...(['unreachable', 'error', 'error-after', 'delay', 'garbage'] as const),
  ...(['authority-away', 'authority-error', 'authority-error-after'] as const),
] as const satisfies readonly FaultKind[]

/** So many documents are remembered with all that is known of them. */
const MOST = 50

interface At {
  scu: ScuHead
  tools: DriverTools
}

/** A message is read by the emulated authority, and its answer comes back as over a line. */
async function tell({ scu, tools }: At, call: GrCall, { timeoutMs }: CallLimit): Promise<GrReply> {
  const { do: kind, ms = 0 } = takeFault(scu) ?? { do: undefined }
  if (kind === 'authority-error') return { status: 503, text: 'Service Unavailable' }
  if (kind === 'garbage') return { status: 200, text: '<html><body>maintenance</body></html>' }
  if (kind === 'delay') await tools.sleep(Math.min(ms, timeoutMs))
  const isLate = kind === 'delay' && ms >= timeoutMs
  const isLost = kind === 'error-after' || kind === 'authority-error-after'
  if (timeoutMs <= 0 || isLate || (kind !== undefined && kind !== 'delay' && !isLost)) {
    throw new DeviceError('myDATA does not answer')
  }
  const kept = state.parse(JSON.parse(scu.state))
  const { receiptBaseAddress: base, channel } = configuration.parse(JSON.parse(scu.configuration))
  const answer = serve(kept.register, call, { now: tools.now(), most: MOST, base, channel })
  scu.state = JSON.stringify(kept)
  scu.changed = true
  if (isLost) throw new DeviceError('the answer was lost')
  return answer
}

export const emulator: Driver<GrDevice> = {
  configuration,
  async create({ configuration: given, randomBytes }) {
    const subscriptionKey = randomBytes(KEY_BYTES).toString('hex')
    return {
      configuration: JSON.stringify(configuration.parse(given ?? {})),
      secrets: JSON.stringify(secrets.parse({ subscriptionKey })),
      state: JSON.stringify({ register: emptyRegister() }),
    }
  },
  open: (scu, tools) => ({
    identity: async () => {
      const {
        channel,
        vat,
        receiptBaseAddress: base,
      } = configuration.parse(JSON.parse(scu.configuration))
      const licence = 'emulation, not licensed by the AADE'
      const provider = { id: '126', name: 'fiskalwerk emulation', licence }
      return { channel, vat, provider, base: 'emulation/', receiptBase: base }
    },
    call: (call, limit) => tell({ scu, tools }, call, limit),
  }),
  reach: (scu, tools, limit) => reachSoftly({ scu, tools }, limit),
  ...{ remote: false, stateful: true, software: true, faults: FAULTS },
  async describe(scu) {
    const { vat, channel } = configuration.parse(JSON.parse(scu.configuration))
    const members = { Channel: channel, VatNumber: vat }
    return { certificateBase64: '', serial: '', members }
  },
}

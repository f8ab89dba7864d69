// Driver of A-Trust's signing services: a.sign RK Online (user and password), and the appliance
// a.sign RK HSM (a key label). Both sign a hash that was made here.
import { z } from 'zod'
import { DeviceError, type DriverTools, type ScuHead } from '../../../device/device.js'
import type { UnitEnvironment } from '../../../device/driver.js'
import { lowerNames } from '../../../device/remote.js'
import { Appliance } from './atrust-appliance.js'
import { isTestHost, RkOnline } from './atrust-online.js'
import { hsmDriver } from './hsm-driver.js'
import { type HsmService, settingsOf } from './hsm-unit.js'

export const ATRUST_PACKAGE = 'fiskalwerk.SCU.AT.ATrust'

/** A part of an address: no slash, no blank. */
const word = z.string().regex(/^[\w.@-]{1,100}$/, { error: 'letters, digits and . _ @ -' })
const password = z.string().min(1).max(200)
const fingerprint = z
  .string()
  .regex(/^(?:[0-9a-f]{2}:?){32}$/i, { error: 'SHA-256 of the certificate, 64 hexadecimal digits' })

const configuration = z.preprocess(
  lowerNames,
  z
    .object({
      /** Fixes the host of RK Online; an appliance has an address of its own. */
      environment: z.enum(['test', 'live']).default('live'),
      user: word.optional(),
      password: password.optional(),
      /** Of the appliance. */
      keylabel: word.optional(),
      /** Of the appliance's own TLS certificate. */
      fingerprint: fingerprint.optional(),
    })
    .refine((one) => (one.user === undefined) === (one.password === undefined), {
      error: 'expected user and password together',
      path: ['password'],
    })
    .refine((one) => one.keylabel !== undefined || one.user !== undefined, {
      error: 'expected a user and a password, or the key label of an appliance',
      path: ['user'],
    }),
)

export const atrustDriver = hsmDriver({
  configuration,
  async create(input) {
    const { password: secret, ...rest } = configuration.parse(input.configuration)
    return {
      configuration: JSON.stringify(rest),
      secrets: JSON.stringify(secret === undefined ? {} : { password: secret }),
      state: '{}',
    }
  },
  serviceOf,
  placeOf,
})

const storedConfiguration = z.object({
  environment: z.enum(['test', 'live']).default('live'),
  user: z.string().optional(),
  keylabel: z.string().optional(),
  fingerprint: z.string().optional(),
})
const storedSecrets = z.object({ password: z.string().optional() })

/** A host or a setting for tests; undefined: they say nothing, and the certificate decides. */
function placeOf(scu: ScuHead): UnitEnvironment | undefined {
  const { environment } = storedConfiguration.parse(JSON.parse(scu.configuration))
  return environment === 'test' || isTestHost(scu.url ?? '') ? 'test' : undefined
}

function serviceOf(scu: ScuHead, tools: DriverTools): HsmService {
  const { user, keylabel, ...settings } = storedConfiguration.parse(JSON.parse(scu.configuration))
  const { password: secret } = storedSecrets.parse(JSON.parse(scu.secrets || '{}'))
  const login = user === undefined || secret === undefined ? undefined : { user, password: secret }
  const unit = { scu, tools, named: settingsOf(scu).named, ...settings, place: () => placeOf(scu) }
  if (keylabel !== undefined) return new Appliance({ ...unit, keyLabel: keylabel, login })
  if (login === undefined) throw new DeviceError('the signing unit has no user and password')
  return new RkOnline({ ...unit, login })
}

// For those who set up Italian registers: templates of the field, and the demo.
import {
  CUSTOM_PRINTER,
  CUSTOM_SERVER,
  EPSON_PRINTER,
  EPSON_SERVER,
  SOFTWARE_PACKAGE,
} from '../../device/it/unit.js'
import { textMember } from '../../lib/json-object.js'
import { digitsOf } from '../../lib/moment.js'
import type { RolloutRules } from '../../model/rollout.js'
import { demoOf, namesOf, PLAIN_TEMPLATES, packagesOf } from '../kit/rollout.js'
import sale from './demo.json' with { type: 'json' }

const BEGIN = 'fiskaltrust.Middleware.SCU.IT.'
/** As the field names them; those that are no driver here are simulated. */
const USUAL: Readonly<Record<string, 'printer' | 'server'>> = {
  [`${BEGIN}EpsonRTPrinter`]: 'printer',
  [`${BEGIN}EpsonRTServer`]: 'server',
  [`${BEGIN}CustomRTPrinter`]: 'printer',
  [`${BEGIN}CustomRTServer`]: 'server',
}

/** Of real devices. */
const DRIVEN: readonly string[] = [EPSON_PRINTER, EPSON_SERVER, CUSTOM_PRINTER, CUSTOM_SERVER]

export const templates: RolloutRules = {
  ...{ ...PLAIN_TEMPLATES, ...namesOf('IT') },
  ...packagesOf([SOFTWARE_PACKAGE, ...DRIVEN, ...Object.keys(USUAL)], SOFTWARE_PACKAGE),
  driverOf: ({ package: name }) => (DRIVEN.includes(name) ? name : SOFTWARE_PACKAGE),
  driverSettings: ({ package: name, settings }) => {
    if (DRIVEN.includes(name)) return {}
    const given = textMember(settings, 'Kind') ?? ''
    return { kind: given === 'server' || given === 'printer' ? given : (USUAL[name] ?? 'printer') }
  },
  identificationOf: ({ now }) => `IT${digitsOf(now).slice(-6)}`,
  unitFaultsOf: () => [],
}

export const demo = demoOf('IT', { scuPackage: SOFTWARE_PACKAGE, ...sale })

// What a test gives a server: variables of the environment, and what no setting changes.
import { type Config, FIXED, type Fixed, readConfig } from '../../src/config.js'

export interface TestSettings extends Partial<Fixed> {
  [variable: Uppercase<string>]: string
}

export function configOf(settings: TestSettings): Config {
  const { variables, fixed } = partsOf(settings)
  return readConfig(variables, { exports: IN_PLACE, ...fixed })
}

/** In one process with a hundred others a thread for each of them would be too many. */
const IN_PLACE = { ...FIXED.exports, threads: 0 }

export function partsOf(settings: TestSettings): {
  variables: Record<string, string>
  fixed: Partial<Fixed>
} {
  const entries = Object.entries(settings)
  return {
    variables: Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(FIXED, name))),
    fixed: Object.fromEntries(entries.filter(([name]) => Object.hasOwn(FIXED, name))),
  }
}

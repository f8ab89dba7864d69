// doctor: looks at everything that a server needs, changes nothing, and says the next step.
import { ConfigError, readConfig } from '../config.js'
import { createStore } from '../deps/store.js'
import type { Command, Input, Opened } from './command.js'
import { type Check, check, line } from './doctor-check.js'
import { closedStore, databaseChecks } from './doctor-database.js'
import {
  addressChecks,
  archiveChecks,
  diskCheck,
  mailCheck,
  nodeCheck,
  secretChecks,
} from './doctor-place.js'
import { signingChecks } from './doctor-units.js'
import { sentenceOf } from './sentence.js'

export const doctorCommands: Record<string, Command> = {
  doctor: {
    usage: 'doctor [--json]',
    summary:
      'Looks at settings, database, clock, disk, mail, signing units and jobs, and says what to ' +
      'do. Changes nothing; exit code 1 when something is bad.',
    options: {},
    positionals: [],
    run: async (input) => {
      const checks = await examine(input)
      const ok = checks.every(({ state }) => state !== 'bad')
      return { json: { ok, checks }, text: checks.map(line).join('\n'), ok }
    },
  },
}

async function examine(input: Input): Promise<Check[]> {
  const settings = settingsOf()
  if ('checks' in settings) return [nodeCheck(process.versions.node), ...settings.checks]
  const { config } = settings
  const checks = [
    nodeCheck(process.versions.node),
    ...config.retired.map((text) =>
      check('settings', 'warn', text, 'Take it out of the settings.'),
    ),
    check('settings', 'ok', `all of them can be read (${config.ENVIRONMENT})`),
    ...addressChecks(config),
    ...(await secretChecks(config)),
    await diskCheck(config.DATA_DIR, config.DATABASE_URL === undefined),
    await mailCheck(config),
    ...(await archiveChecks(config)),
  ]
  const [opened] = await Promise.allSettled([input.openDatabase()])
  if (opened.status === 'fulfilled') return [...checks, ...(await behind(opened.value))]
  const next = 'Start the database, or mend DATABASE_URL; see docs/operating.md, "The database".'
  return [...checks, check('database', 'bad', sentenceOf(opened.reason), next)]
}

function settingsOf() {
  try {
    return { config: readConfig() }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const next = 'Mend it; docs/settings.md has all settings.'
    return { checks: error.faults.map((text) => check('settings', 'bad', text, next)) }
  }
}

async function behind(opened: Opened): Promise<Check[]> {
  const [made] = await Promise.allSettled([createStore(opened)])
  if (made.status === 'rejected') {
    const next = 'Restore master.key in DATA_DIR from a backup.'
    return [check('master key', 'bad', sentenceOf(made.reason), next)]
  }
  return closedStore(made.value, async (store) => {
    const { checks, isCurrent } = await databaseChecks(opened, store)
    return isCurrent ? [...checks, ...(await signingChecks(opened.config, store))] : checks
  })
}

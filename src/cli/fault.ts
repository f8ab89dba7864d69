// fault set, show, clear: scripts the failures of a sandbox signing device.
import { clearFault, setFault, showFault } from '../core/faults.js'
import { marketOf } from '../market/index.js'
import { type Command, type Context, type Input, needed, UsageError } from './command.js'

const scu = { scu: { type: 'string' } } as const

const deps = ({ store, config }: Context) => ({
  store,
  marketOf,
  now: () => new Date(),
  sandbox: !config.production,
})

function shown(json: { scuId: string; steps: unknown[] }) {
  const lines = json.steps.map((step) => JSON.stringify(step))
  return { json, text: lines.length === 0 ? 'no faults' : lines.join('\n') }
}

export const faultCommands: Record<string, Command> = {
  'fault set': {
    usage: 'fault set --scu ID --script JSON [--json]',
    summary: 'Sets the fault script of a sandbox signing unit.',
    examples: ['npx fiskalwerk fault set --scu SCU_ID --script \'[{"do":"unreachable"}]\''],
    options: { ...scu, script: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const scuId = needed(input, 'scu')
      const steps = parseScript(input)
      return shown(await setFault(deps(await input.open()), { scuId, steps }))
    },
  },
  'fault show': {
    usage: 'fault show --scu ID [--json]',
    summary: 'Shows what is left of the script.',
    options: scu,
    positionals: [],
    run: async (input) => {
      const scuId = needed(input, 'scu')
      return shown(await showFault(deps(await input.open()), { scuId }))
    },
  },
  'fault clear': {
    usage: 'fault clear --scu ID [--json]',
    summary: 'Removes the script: the device works again.',
    options: scu,
    positionals: [],
    run: async (input) => {
      const scuId = needed(input, 'scu')
      return shown(await clearFault(deps(await input.open()), { scuId }))
    },
  },
}

function parseScript(input: Input): unknown {
  try {
    return JSON.parse(needed(input, 'script')) as unknown
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError('--script is no JSON: expected [{"do":"unreachable","calls":2}]')
  }
}

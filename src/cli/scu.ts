// scu add, scu configure, scu check, scu switch, scu mode: signing units by hand.
import { setTimeout as sleep } from 'node:timers/promises'
import { checkUnit, configureUnit, confirmIssuer, tryAgain } from '../core/rollout/check.js'
import { addUnit, MODES, planSwitch, setMode } from '../core/rollout/units.js'
import { createUnitLogins } from '../core/unit-logins.js'
import type { DriverTools } from '../device/device.js'
import type { ProofLine } from '../device/driver.js'
import { createOutbound } from '../device/outbound.js'
import { createConnect } from '../device/socket.js'
import { type Command, type Context, needed, oneOf, optional } from './command.js'
import { objectOf, rolloutDeps } from './rollout.js'

const toolsOf = ({ config, store }: Context): DriverTools => ({
  fetch: createOutbound({ allow: config.OUTBOUND_ALLOW }),
  connect: createConnect({ allow: config.OUTBOUND_ALLOW }),
  logins: createUnitLogins(store),
  production: config.production,
  now: () => new Date(),
  sleep: (milliseconds) => sleep(milliseconds),
})
const modeOf = (text: string) => oneOf(text, Object.keys(MODES), 'mode') as keyof typeof MODES

export const scuCommands: Record<string, Command> = {
  'scu add': {
    usage:
      'scu add --queue ID [--package P] [--mode normal|backup|disabled] [--url U] ' +
      '[--configuration JSON] [--untried] [--json]',
    summary:
      'Gives a queue a further signing unit, used after those that it has. A device behind an ' +
      'address must answer, unless --untried says that it will later.',
    options: {
      queue: { type: 'string' },
      package: { type: 'string' },
      mode: { type: 'string' },
      url: { type: 'string' },
      configuration: { type: 'string' },
      untried: { type: 'boolean' },
    },
    positionals: [],
    run: async (input) => {
      const unit = {
        queueId: needed(input, 'queue'),
        package: optional(input, 'package'),
        mode: modeOf(optional(input, 'mode') ?? 'normal'),
        url: optional(input, 'url'),
        configuration: objectOf(optional(input, 'configuration')),
        untried: input.options.untried === true,
      }
      const context = await input.open()
      const json = await addUnit({ ...rolloutDeps(context), tools: toolsOf(context) }, unit)
      return { json, text: `signing unit  ${json.scuId}` }
    },
  },
  'scu switch': {
    usage: 'scu switch --from ID --to ID [--json]',
    summary: 'Plans the switch from one signing unit to another, which receipts carry out.',
    options: { from: { type: 'string' }, to: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const plan = { source: needed(input, 'from'), target: needed(input, 'to') }
      const json = await planSwitch(rolloutDeps(await input.open()), plan)
      return { json, text: `planned: ${json.source} to ${json.target}` }
    },
  },
  'scu mode': {
    usage: 'scu mode --scu ID --mode normal|backup|disabled [--json]',
    summary: 'Changes the mode of a signing unit, from the next receipt on.',
    options: { scu: { type: 'string' }, mode: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const change = { scuId: needed(input, 'scu'), mode: modeOf(needed(input, 'mode')) }
      const json = await setMode(rolloutDeps(await input.open()), change)
      return { json, text: `${json.scuId} is ${json.mode}` }
    },
  },
  'scu configure': {
    usage: 'scu configure --scu ID --configuration JSON [--json]',
    summary:
      'Replaces settings and credentials of a signing unit, from the next receipt on. The unit ' +
      'must answer with them; nothing is stored when it does not.',
    options: { scu: { type: 'string' }, configuration: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const scuId = needed(input, 'scu')
      const configuration = objectOf(needed(input, 'configuration'))
      const context = await input.open()
      const on = { ...rolloutDeps(context), tools: toolsOf(context) }
      const json = await configureUnit(on, { scuId, configuration })
      return { json, text: `${json.scuId} is configured` }
    },
  },
  'scu check': {
    usage: 'scu check --scu ID [--confirm FINGERPRINT] [--again] [--json]',
    summary:
      'Asks a signing unit what it is and proves it: certificate and chain, company, key, test ' +
      'or live. --confirm says that the issuer of this SHA-256 is the right one; --again, that ' +
      'the device takes credentials again that it refused. Where the law knows no log it costs ' +
      'one signature.',
    examples: ['npx fiskalwerk scu check --scu SCU_ID'],
    options: {
      scu: { type: 'string' },
      confirm: { type: 'string' },
      again: { type: 'boolean' },
    },
    positionals: [],
    run: async (input) => {
      const scuId = needed(input, 'scu')
      const issuer = optional(input, 'confirm')
      const context = await input.open()
      const on = { ...rolloutDeps(context), tools: toolsOf(context) }
      if (input.options.again === true) await tryAgain(on, scuId)
      if (issuer !== undefined) await confirmIssuer(on, { scuId, issuer })
      const json = await checkUnit(on, scuId)
      const ok = json.lines.every(({ level }) => level !== 'bad')
      return { json, text: json.lines.map(lineText).join('\n'), ok }
    },
  },
}

function lineText({ name, level, text, next }: ProofLine): string {
  return `${level.padEnd(4)}  ${name}: ${text}${next === undefined ? '' : `\n      ${next}`}`
}

// The table of commands, in the groups in which the help shows them. A file of commands is loaded
// when its first word is called: what one command needs, others do not wait for.
import type { Command } from './command.js'

export type Table = Readonly<Record<string, Command>>

interface Part {
  /** First words of its commands. */
  words: readonly string[]
  load(): Promise<Table>
}

const part = (words: string, load: Part['load']): Part => ({ words: words.split(' '), load })

export const GROUPS: Readonly<Record<string, readonly Part[]>> = {
  'The server': [
    part('serve migrate', async () => (await import('./server.js')).serverCommands),
    part('demo', async () => (await import('./demo.js')).demoCommands),
    part('doctor', async () => (await import('./doctor.js')).doctorCommands),
    part('reseal', async () => (await import('./reseal.js')).resealCommands),
  ],
  'Dealers, merchants and people': [
    part('dealer', async () => (await import('./dealer.js')).dealerCommands),
    part('connection', async () => (await import('./connection.js')).connectionCommands),
    part('user', async () => (await import('./user.js')).userCommands),
    part('audit', async () => (await import('./audit.js')).auditCommands),
    part('personal-data', async () => (await import('./personal.js')).personalCommands),
  ],
  'CashBoxes, Queues and signing units': [
    part('operator cashbox queue', async () => (await import('./rollout.js')).rolloutCommands),
    part('scu', async () => (await import('./scu.js')).scuCommands),
    part('possystem', async () => (await import('./pos-system.js')).posSystemCommands),
    part('pin', async () => (await import('./pin.js')).pinCommands),
    part('terminal', async () => (await import('./terminal.js')).terminalCommands),
    part('template', async () => (await import('./template.js')).templateCommands),
    part('fault', async () => (await import('./fault.js')).faultCommands),
    part('simulate', async () => (await import('./simulate.js')).simulateCommands),
  ],
  'Products and orders': [
    part('entitlement plan order', async () => (await import('./sales.js')).salesCommands),
  ],
  'Receipts, exports and auditors': [
    part('app link-key', async () => (await import('./app.js')).appCommands),
    part('journal', async () => (await import('./journal.js')).journalCommands),
    part('inspect', async () => (await import('./inspect.js')).inspectCommands),
    part('verify', async () => (await import('./verify.js')).verifyCommands),
    part('backups', async () => (await import('./backups.js')).backupCommands),
  ],
  'What happens': [
    part('events', async () => (await import('./events.js')).eventCommands),
    part('logs', async () => (await import('./logs.js')).logCommands),
    part('jobs', async () => (await import('./jobs.js')).jobCommands),
  ],
}

/** Of the part that has this first word; none: no command begins with it. */
export async function commandsOf(word: string): Promise<Table | undefined> {
  const found = Object.values(GROUPS)
    .flat()
    .find(({ words }) => words.includes(word))
  return found?.load()
}

/** All commands, in their groups. */
export async function allCommands(): Promise<Record<string, Table>> {
  const groups = Object.entries(GROUPS).map(async ([title, parts]) => {
    const tables = await Promise.all(parts.map(({ load }) => load()))
    return [title, Object.assign({}, ...tables)] as const
  })
  return Object.fromEntries(await Promise.all(groups))
}

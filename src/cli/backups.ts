// backups check: reads everything that is said to be kept, from its first byte to its last.
import { accountOf } from '../core/accounts/accounts.js'
import { checkBackups } from '../core/event/backup/check.js'
import { archiveOf } from '../deps/backups.js'
import { createOutbound } from '../device/outbound.js'
import { type Command, UsageError } from './command.js'
import { barOf } from './progress.js'

export const backupCommands: Record<string, Command> = {
  'backups check': {
    usage: 'backups check [--account ID] [--json]',
    summary:
      'Reads every backup in the archive again and compares it with its proof. Exit code 1 when ' +
      'one is missing, differs, or cannot be read.',
    examples: ['npx fiskalwerk backups check'],
    options: { account: { type: 'string' } },
    positionals: [],
    run: async ({ open, options }) => {
      const { store, config } = await open()
      const fetch = createOutbound({ allow: config.OUTBOUND_ALLOW })
      const archive = archiveOf(config, { fetch, now: () => new Date() })
      if (archive === undefined) throw new UsageError('BACKUP_STORE is not set')
      const given = typeof options.account === 'string' ? options.account : undefined
      const accountId = given === undefined ? null : (await accountOf(store, given)).id
      const bar = barOf()
      const work = { store, archive, progress: bar.at }
      const { read, faults } = await checkBackups(work, accountId).finally(bar.end)
      const ok = faults.length === 0
      const lines = faults.map(({ object, fault }) => `${fault}  ${object}`)
      const end = `${read} read in ${archive.place}, ${faults.length} with a fault`
      return { json: { ok, read, faults }, text: [...lines, end].join('\n'), ok }
    },
  },
}

// reseal: the last step of changing the master key.
import { resealAll } from '../core/reseal.js'
import type { Command } from './command.js'
import { barOf } from './progress.js'

export const resealCommands: Record<string, Command> = {
  reseal: {
    usage: 'reseal [--json]',
    summary: 'Seals all secrets anew with the first key of MASTER_KEY, so that older ones can go.',
    options: {},
    positionals: [],
    run: async (input) => {
      const { store } = await input.open()
      const bar = barOf()
      const json = await resealAll(store, bar.at).finally(bar.end)
      const text =
        json.resealed === 0
          ? `Nothing to do: all ${json.kept} secrets are sealed with the first key.`
          : `${json.resealed} secrets sealed anew, ${json.kept} were already.`
      return { json, text }
    },
  },
}

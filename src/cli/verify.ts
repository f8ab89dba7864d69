// verify: checks an export with the independent verifier of its market.
import { verifyFile } from '../core/verify/file.js'
import { type Command, optional } from './command.js'

export const verifyCommands: Record<string, Command> = {
  verify: {
    usage: 'verify FILE [--key K] [--certificate C] [--json]',
    summary: 'Checks a DEP7 export; exit code 1 when anything is wrong.',
    options: { key: { type: 'string' }, certificate: { type: 'string' } },
    positionals: 1,
    run: async (input) => {
      const [path = ''] = input.positionals
      const key = optional(input, 'key')
      const certificate = optional(input, 'certificate')
      const { ok, findings, summary } = await verifyFile(path, {
        ...(key === undefined ? {} : { key }),
        ...(certificate === undefined ? {} : { certificate }),
      })
      const lines = findings.map(({ code, receipt, text }) => `${code}  ${receipt}  ${text}`)
      const last = ok ? 'accepted' : `refused: ${findings.length} finding(s)`
      return { json: { ok, findings, summary }, text: [...lines, last].join('\n'), ok }
    },
  },
}

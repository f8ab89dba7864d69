// What a shell completes: commands, then their options.
import { type Command, oneOf } from './command.js'

const SHELLS = ['bash', 'zsh'] as const

/** `commands`: all of them, read when somebody asks. */
export const completionCommands = (
  commands: () => Promise<ReadonlyMap<string, Command>>,
): Record<string, Command> => ({
  completion: {
    usage: 'completion bash|zsh [--json]',
    summary: 'Prints what makes a shell complete commands and options.',
    examples: ['source <(npx fiskalwerk completion bash)'],
    options: {},
    positionals: ['SHELL'],
    run: async ({ positionals: [shell = ''] }) => {
      const text = script(oneOf(shell, SHELLS, 'shell'), await commands())
      return { json: { script: text }, text }
    },
  },
})

const NAME = 'fiskalwerk'

/** Letters, digits and hyphens alone: nothing of the table means something to a shell. */
const WORD = /^[\w-]+$/

function script(shell: (typeof SHELLS)[number], commands: ReadonlyMap<string, Command>): string {
  const names = [...commands.keys()].map((name) => name.split(' '))
  const firsts = [...new Set(names.map(([first = '']) => first))]
  const cases = firsts.map((first) => {
    const seconds = names.flatMap(([one, second]) =>
      one === first && second !== undefined ? [second] : [],
    )
    return `    ${first}) words="${wordsOf(seconds, commands.get(first))}" ;;`
  })
  const longer = [...commands]
    .filter(([name]) => name.includes(' '))
    .map(([name, command]) => `    "${name}") words="${wordsOf([], command)}" ;;`)
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    `_${NAME}() {`,
    `  local words= first="\${COMP_WORDS[1]-}" second="\${COMP_WORDS[2]-}"`,
    `  if [ "$COMP_CWORD" -le 1 ]; then words="${wordsOf([...firsts, 'help', 'version'])}"`,
    '  else case "$first" in',
    ...cases,
    '  esac; fi',
    '  if [ "$COMP_CWORD" -gt 2 ]; then case "$first $second" in',
    ...longer,
    '  esac; fi',
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    `complete -o default -F _${NAME} ${NAME}`,
  ].join('\n')
}

function wordsOf(words: readonly string[], command?: Command): string {
  const options = command === undefined ? [] : ['json', ...Object.keys(command.options), 'help']
  const all = [...words, ...options.filter((name) => name.length > 1).map((name) => `--${name}`)]
  const strange = all.find((word) => !WORD.test(word))
  if (strange !== undefined) throw new Error(`${strange} cannot be completed`)
  return all.join(' ')
}

// `.env.example` and docs/settings.md as the table of settings has them.
import { SECTIONS, type Setting } from '../../src/config/table.js'

const HEAD = [
  'Settings of fiskalwerk. All are optional; each stands here with its default. To change one,',
  'copy this file to `.env`, take the # away and put your value; variables of the process count',
  'more than the file. A wrong value stops the start with one line that names it.',
  'docs/settings.md explains them.',
]

const sections: [string, [string, Setting][]][] = Object.entries(SECTIONS).map(([title, rows]) => [
  title,
  Object.entries<Setting>(rows),
])

export function sampleFile(): string {
  const lines = sections.flatMap(([title, rows]) => [
    '',
    `# --- ${title}`,
    '',
    ...rows.flatMap(([name, { fallback, text }]) => [`# ${text}`, `# ${name}=${fallback}`]),
  ])
  return `${[...HEAD.map((line) => `# ${line}`), ...lines].join('\n')}\n`
}

const INTRODUCTION = `# Settings

Settings are environment variables. A file \`.env\` in the folder where the program is started is
read as well, by the server and by the command line; variables of the process count more. All are
optional, and an empty one counts as not set. A wrong value stops the start with one line that names
it. [operating.md](operating.md) tells more about some of them.

This page and [\`.env.example\`](../.env.example) are made from \`src/config/table.ts\` by
\`UPDATE_SETTINGS=1 npx vitest run test/config.test.ts\`.
`

export function settingsPage(): string {
  const parts = sections.map(([title, rows]) => {
    const lines = rows.map(([name, { fallback, text, more }]) => {
      const meaning = more === undefined ? text : `${text.replace(/\.?$/, '.')} ${more}`
      return `| \`${name}\` | ${fallback === '' ? 'empty' : `\`${fallback}\``} | ${meaning} |`
    })
    return [`## ${title}`, '', '| Variable | Default | Meaning |', '|---|---|---|', ...lines].join(
      '\n',
    )
  })
  return `${[INTRODUCTION.trimEnd(), ...parts].join('\n\n')}\n`
}

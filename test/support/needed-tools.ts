// Programs of others that a script for the long form cannot do without.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** `packages`: of Debian, by the name of the command. Ends the process where one is missing. */
export function needTools(packages: Readonly<Record<string, string>>): void {
  const places = (process.env.PATH ?? '').split(delimiter)
  const isHere = (command: string) => places.some((folder) => existsSync(join(folder, command)))
  const missing = Object.entries(packages).filter(([command]) => !isHere(command))
  if (missing.length === 0) return
  const [names, wanted] = [0, 1].map((at) => missing.map((one) => one[at]).join(' '))
  console.error(`Not installed here: ${names}. On Debian: apt-get install ${wanted}`)
  process.exit(2)
}

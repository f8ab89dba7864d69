// Where a script of this folder lies as Node.js runs it: joined with the program from dist/.
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

const SUPPORT = fileURLToPath(new URL('.', import.meta.url))
export const SCRIPTS = fileURLToPath(new URL('../../node_modules/.cache/scripts', import.meta.url))

/** `file`: below this folder. */
export function scriptFile(file: string): string {
  const name = path.relative(SUPPORT, path.resolve(SUPPORT, file))
  return path.join(SCRIPTS, `${name.replaceAll(path.sep, '-').slice(0, -'.ts'.length)}.js`)
}

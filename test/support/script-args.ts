// How Node.js runs a script of this folder: TypeScript through tsx, the program from dist/.
export const SCRIPT_ARGS = [
  ...['--import', import.meta.resolve('tsx')],
  ...['--import', new URL('built-program.mjs', import.meta.url).href],
]

// The command line: `npx fiskalwerk <command>`, through bin/fiskalwerk.mjs.
import { main } from './run.js'

// `npx fiskalwerk demo | head -3`: who reads has enough, and the command still ends in order
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await main(process.argv.slice(2))

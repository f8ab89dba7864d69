// The command line: `npx fiskalwerk <command>`, through bin/fiskalwerk.mjs.
import { main } from './run.js'

process.exitCode = await main(process.argv.slice(2))

// The server as main.ts starts it, with what no setting changes handed to it as JSON.
// Run by test/support/server.ts.
import { faultLines, serve } from '../../src/serve.js'

try {
  await serve(undefined, JSON.parse(process.argv[2] ?? '{}'))
} catch (error) {
  for (const line of faultLines(error)) process.stderr.write(`fiskalwerk: ${line}\n`)
  process.exit(1)
}

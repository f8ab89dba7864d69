// What `npm start` runs after preparing. Every fault of the start is one clear sentence.
import { unoptimized } from './lib/unoptimized.js'

const { faultLines, serve } = await unoptimized(() => import('./serve.js'))
try {
  await serve()
} catch (error) {
  for (const line of faultLines(error)) process.stderr.write(`fiskalwerk: ${line}\n`)
  process.exit(1)
}

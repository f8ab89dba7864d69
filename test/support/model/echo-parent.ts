// Forks a process, tells its pid and waits to be killed. Run by
// test/model-based/server-process.test.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EchoCalls } from './echo-script.js'
import { ServerProcess } from './server-process.js'

const script = new URL('echo-script.ts', import.meta.url)
const { pid } = await ServerProcess.fork<EchoCalls>(script, {})
console.log(pid)
await sleep(60_000)

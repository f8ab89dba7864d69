// Servers behind HAProxy (the second part of docs/operations/haproxy.cfg), started anew one after
// the other while tills of Austria and Germany sign: not one call may fail. Debian: haproxy.
//   npm run -s rolling -- [--servers 3] [--rounds 5] [--clients 16] [--tills 4]
import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import { Load } from '../support/load.js'
import { needTools } from '../support/needed-tools.js'
import { Row } from '../support/rolling.js'
import { freePort } from '../support/server.js'
import { Site } from '../support/site.js'

needTools({ haproxy: 'haproxy' })

const SAMPLE = fileURLToPath(new URL('../../docs/operations/haproxy.cfg', import.meta.url))

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '16' },
    tills: { type: 'string', default: '4' },
  },
})

/** After its first good check a server gets more and more of the calls for two seconds. */
const SLOW_START_MS = 3_000

/** The sample with these servers in place of its own, and without the part about the database. */
function configuration(port: number, urls: readonly string[]): string {
  const text = readFileSync(SAMPLE, 'utf8')
  const [head = ''] = text.split('\nlisten database')
  const [, tail = ''] = text.split('\nlisten fiskalwerk')
  const lines = tail
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .split('\n')
    .filter((line) => !/^ {2}server /.test(line))
  const servers = urls.map((url, at) => `  server app${at + 1} ${new URL(url).host} check`)
  return [head, `listen fiskalwerk${lines.join('\n')}`, ...servers, ''].join('\n')
}

async function startProxy(folder: string, urls: readonly string[]) {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(port, urls))
  const out = openSync(join(folder, 'haproxy.log'), 'a')
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', out, out] })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries += 1) {
    const [asked] = await Promise.allSettled([fetch(`${url}/version`)])
    if (asked.status === 'fulfilled' && asked.value.ok) return { child, url }
    await sleep(100)
  }
  child.kill('SIGKILL')
  throw new Error(`HAProxy does not work: ${readFileSync(join(folder, 'haproxy.log'), 'utf8')}`)
}

const faults: string[] = []
const folder = makeThrowAwayFolder()
const tills = Number(values.tills)
const site = await Site.make({ tills, external: true, till: { market: 'AT' } })
await site.more(tills, { market: 'DE' })
const row = await Row.start(site, Number(values.servers))
let proxy: ChildProcess | undefined
try {
  const { child, url } = await startProxy(folder, row.urls)
  proxy = child
  const load = new Load({ tills: site.tills, clients: Number(values.clients), urls: () => [url] })
  await load.more(100)
  const from = performance.now()
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const stops = await row.roll(() => sleep(SLOW_START_MS))
    const told = stops.map((ms) => Math.round(ms)).join(', ')
    console.log(`${round + 1}/${values.rounds} stops took ${told} ms; ${load.figures}`)
  }
  const seconds = (performance.now() - from) / 1000
  await load.more(100)
  await load.stop()
  for (const [status, count] of load.refusals) {
    faults.push(`${count} calls failed: ${status === 0 ? 'no answer' : status}`)
  }
  faults.push(...load.faults)
  await row.stop()
  faults.push(...(await site.faults(load)))
  const count = Number(values.rounds) * Number(values.servers)
  console.log(`${count} restarts in ${Math.round(seconds)} s; ${load.figures}`)
} finally {
  await row.kill()
  proxy?.kill('SIGKILL')
  await site.remove()
  rmSync(folder, { recursive: true, force: true })
}
for (const fault of faults) console.log(`FAULT ${fault}`)
console.log(faults.length === 0 ? 'not one call failed' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1

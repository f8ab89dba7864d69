// The reverse proxies of docs/operations in front of real servers: nginx and Caddy as Debian has
// them, with TLS by a certificate of this run. Debian: nginx, caddy.
//   npm run -s proxies
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { needTools } from '../support/needed-tools.js'
import { freePort } from '../support/server.js'

needTools({ nginx: 'nginx', caddy: 'caddy', openssl: 'openssl' })

const NAME = 'fiskal.example'
const OWN = ['10.20.0.21:8080', '10.20.0.22:8080']
const sample = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/operations/${name}`, import.meta.url)), 'utf8')

interface Seen {
  server: number
  url: string
  headers: Record<string, string | string[] | undefined>
}

/** A server that tells what has arrived; `/slow` sends its second half when it is asked to. */
async function backend(server: number) {
  const one = createServer((incoming, outgoing) => {
    const { url = '', headers } = incoming
    if (url === '/slow') {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write('data: first\n\n')
      setTimeout(() => outgoing.end('data: second\n\n'), 1_500)
      return
    }
    let size = 0
    incoming.on('data', (part: Buffer) => {
      size += part.length
    })
    incoming.on('end', () => {
      const seen: Seen & { size: number } = { server, url, headers, size }
      outgoing.writeHead(200, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify(seen))
    })
  })
  await new Promise<void>((done) => one.listen(0, '127.0.0.1', done))
  return { address: `127.0.0.1:${(one.address() as AddressInfo).port}`, close: () => one.close() }
}

interface Proxy {
  name: string
  files(places: Places): { file: string; text: string }[]
  command(folder: string): [string, string[]]
}

interface Places {
  folder: string
  plain: number
  secure: number
  servers: readonly string[]
}

const withServers = (text: string, servers: readonly string[]): string =>
  OWN.reduce((all, own, at) => all.replace(own, servers[at] ?? ''), text)

const proxies: Proxy[] = [
  {
    name: 'nginx',
    files: ({ folder, plain, secure, servers }) => {
      const site = withServers(sample('nginx.conf'), servers)
        .replace('listen 80;', `listen 127.0.0.1:${plain};`)
        .replace('listen 443 ssl http2;', `listen 127.0.0.1:${secure} ssl http2;`)
        .replaceAll('/etc/nginx/fiskalwerk.', `${folder}/server.`)
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const temporary = paths.map((one) => `${one}_temp_path ${folder}/${one};`).join(' ')
      const frame = `daemon off; pid ${folder}/pid; events {} http { ${temporary} access_log off;`
      return [{ file: 'nginx.conf', text: `${frame}\n${site}\n}\n` }]
    },
    command: (folder) => ['nginx', ['-c', join(folder, 'nginx.conf'), '-e', 'stderr']],
  },
  {
    name: 'caddy',
    files: ({ folder, plain, secure, servers }) => {
      const head = `{\n\tadmin off\n\thttp_port ${plain}\n\thttps_port ${secure}\n}\n`
      const site = withServers(sample('Caddyfile'), servers).replace(
        `${NAME} {`,
        `${NAME} {\n\ttls ${folder}/server.crt ${folder}/server.key`,
      )
      return [{ file: 'Caddyfile', text: head + site }]
    },
    command: (folder) => [
      'caddy',
      ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    ],
  },
]

interface Answer {
  status: number
  location: string | undefined
  text: string
  /** Milliseconds until the first bytes of the body. */
  firstMs: number
}

const agent = new Agent({ rejectUnauthorized: false })

function ask(
  port: number,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Answer> {
  const begun = Date.now()
  return new Promise((done, failed) => {
    const call = request({
      ...{ host: '127.0.0.1', port, path, agent, servername: NAME },
      method: body === undefined ? 'GET' : 'POST',
      headers: { host: NAME, ...headers },
    })
    call.on('error', failed)
    call.on('response', (answer) => {
      let firstMs = 0
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => {
        if (parts.length === 0) firstMs = Date.now() - begun
        parts.push(part)
      })
      answer.on('end', () => {
        const { statusCode: status = 0, headers: told } = answer
        done({ status, location: told.location, firstMs, text: Buffer.concat(parts).toString() })
      })
    })
    call.end(body)
  })
}

const faults: string[] = []
function check(name: string, isSo: boolean, told: unknown): void {
  console.log(`${isSo ? 'ok  ' : 'not ok'} ${name}`)
  if (!isSo) faults.push(`${name}: ${JSON.stringify(told)}`)
}

const MEGABYTE = 1024 * 1024
const TILLS = 12

async function judge(name: string, { plain, secure }: Places): Promise<void> {
  const seen = async (headers: Record<string, string>): Promise<Seen> =>
    JSON.parse((await ask(secure, '/v2/echo?a=b%2Fc', { headers })).text)
  const first = await seen({ 'x-forwarded-for': '198.51.100.7' })
  check(`${name}: the address arrives as it was sent`, first.url === '/v2/echo?a=b%2Fc', first)
  check(`${name}: the server hears of TLS`, first.headers['x-forwarded-proto'] === 'https', first)
  check(`${name}: and of the name`, first.headers.host === NAME, first)
  const caller = String(first.headers['x-forwarded-for']).split(', ').at(-1)
  check(`${name}: and who has called`, caller === '127.0.0.1', first)
  const figures = await ask(secure, '/metrics')
  check(`${name}: figures stay inside`, figures.status === 404, figures)
  const moved = await fetch(`http://127.0.0.1:${plain}/v2/echo`, {
    ...{ redirect: 'manual', headers: { host: NAME } },
  })
  check(`${name}: without TLS a call is sent on, as it is`, moved.status === 308, moved.status)
  const large = await ask(secure, '/upload', { body: Buffer.alloc(12 * MEGABYTE) })
  check(`${name}: uploads of 12 MiB pass`, JSON.parse(large.text).size === 12 * MEGABYTE, large)
  const slow = await ask(secure, '/slow')
  check(`${name}: events leave as they come`, slow.firstMs < 1_000, slow)
  const servers = new Set<number>()
  for (let till = 0; till < TILLS; till += 1) {
    const headers = { cashboxid: `00000000-0000-4000-8000-0000000000${till + 10}` }
    const places = await Promise.all([seen(headers), seen(headers), seen(headers)])
    const own = new Set(places.map(({ server }) => server))
    check(`${name}: CashBox ${till} keeps to one server`, own.size === 1, [...own])
    for (const server of own) servers.add(server)
  }
  check(`${name}: both servers have work`, servers.size === 2, [...servers])
}

/** For the name of the samples, by OpenSSL. */
function certify(folder: string): void {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const named = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-days', '2']
  const files = ['-keyout', `${folder}/server.key`, '-out', `${folder}/server.crt`]
  execFileSync('openssl', ['req', '-x509', ...kind, ...named, ...files], { stdio: 'ignore' })
}

async function run(proxy: Proxy): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `proxy-${proxy.name}-`))
  const backends = [await backend(1), await backend(2)]
  const places: Places = {
    ...{ folder, plain: await freePort(), secure: await freePort() },
    servers: backends.map(({ address }) => address),
  }
  let child: ChildProcess | undefined
  try {
    certify(folder)
    for (const { file, text } of proxy.files(places)) writeFileSync(join(folder, file), text)
    const out = openSync(join(folder, 'log'), 'a')
    const [program, args] = proxy.command(folder)
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    child = spawn(program, args, { stdio: ['ignore', out, out], env })
    const ended = new Promise<void>((done) => child?.on('exit', () => done()))
    for (let tries = 0; ; tries += 1) {
      const [asked] = await Promise.allSettled([ask(places.secure, '/health')])
      if (asked.status === 'fulfilled' && asked.value.status === 200) break
      if (tries > 100) throw new Error(readFileSync(join(folder, 'log'), 'utf8'))
      await sleep(100)
    }
    await judge(proxy.name, places)
    child.kill('SIGTERM')
    await ended
  } finally {
    child?.kill('SIGKILL')
    for (const one of backends) one.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const proxy of proxies) await run(proxy)
for (const fault of faults) console.error(fault)
process.exit(faults.length === 0 ? 0 : 1)

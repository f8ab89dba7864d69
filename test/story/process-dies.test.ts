// Several processes behind one port, one of which dies while connections are on their way to it: in
// every order in which the first process can hear of it, the others go on.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, type Server } from '../support/server.js'
import { Site } from '../support/site.js'

const PATIENCE = Number(process.env.TEST_PATIENCE ?? 1)
const CONNECTIONS = 40
/** Nothing has come by then: nothing comes any more. */
const SILENT_MS = 10_000 * PATIENCE

/** What is asked at a port, and whether that is an answer. */
interface Door {
  port: number
  request: string
  answer(text: string): boolean
}

const HTTP = {
  request: 'GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
  answer: (text: string) => text.startsWith('HTTP/1.1 200'),
}
/** Preface and SETTINGS of HTTP/2; answered with SETTINGS, type 4, whatever their length. */
const GRPC = {
  request: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  answer: (text: string) => text.startsWith('\0') && text.charCodeAt(3) === 4,
}
let site: Site
let server: Server
let doors: Record<string, Door>

beforeAll(async () => {
  site = await Site.make({ tills: 1 })
  const [till] = site.tills
  const [grpc, further] = [await freePort(), await freePort()]
  const settings = await site.settings({
    ...{ PROCESSES: '2', GRPC_PORT: String(grpc), MIDDLEWARE_AUTH: 'off' },
    MIDDLEWARE_PORTS: `${further}=${till?.queueId}`,
  })
  server = await site.serve(settings)
  doors = {
    http: { ...HTTP, port: Number(settings.PORT) },
    further: { ...HTTP, port: further },
    gRPC: { ...GRPC, port: grpc },
  }
}, 120_000)
afterAll(async () => {
  await server.kill()
  await site.remove()
}, 60_000)

async function opened({ port }: Door): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  return socket
}

/** The first piece that comes; '' where it is cut off, undefined where nothing happens. */
function answerOf(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    socket.once('data', (piece: Buffer) => {
      resolve(piece.toString('latin1'))
      socket.destroy()
    })
    socket.on('error', () => socket.destroy())
    socket.once('close', () => resolve(''))
    setTimeout(resolve, SILENT_MS, undefined)
  })
}

/** Both tell their figures. */
async function areReady(): Promise<boolean> {
  const figures = await fetch(`${server.url}/metrics`).then(
    (reply) => reply.text(),
    () => '',
  )
  return new Set(figures.match(/process="\d+"/g)).size === 2
}

/** The first process stands still, so that everything lies in front of it at once. */
async function whileItStands(work: (victim: number) => Promise<void>): Promise<void> {
  // what was opened before is accepted
  await sleep(200)
  process.kill(server.pid, 'SIGSTOP')
  const [victim] = server.processes
  // 0 would be every process of this run
  if (victim === undefined) throw new Error('no process serves')
  try {
    await work(victim)
  } finally {
    process.kill(server.pid, 'SIGCONT')
  }
}

type Step = 'kill' | 'ask all' | 'ask half'
const CASES: { name: string; steps: Step[] }[] = [
  // accepted before: the first process hears of the death first, then of what is asked
  { name: 'http that is accepted', steps: ['kill', 'ask all'] },
  { name: 'http that is accepted', steps: ['ask all', 'kill'] },
  { name: 'http', steps: ['ask half', 'kill', 'ask half'] },
  { name: 'further', steps: ['ask half', 'kill', 'ask half'] },
  { name: 'gRPC', steps: ['ask all', 'kill'] },
]

/** One connection at most was begun by the process that died, and nobody knows how far. */
it.each(CASES)(
  '$name, $steps: whoever was not begun is served',
  async ({ name, steps }) => {
    const door = doors[name.replace(/ .*/, '')]
    if (door === undefined) throw new Error(`there is no door ${name}`)
    await expect.poll(areReady, { timeout: 30_000 * PATIENCE }).toBe(true)
    const open = () => Promise.all(Array.from({ length: CONNECTIONS }, () => opened(door)))
    const accepted = name.includes('accepted') ? await open() : undefined
    let answers: ReturnType<typeof answerOf>[] = []
    await whileItStands(async (victim) => {
      const unasked = accepted ?? (await open())
      answers = unasked.map(answerOf)
      for (const step of steps) {
        if (step === 'kill') process.kill(victim, 'SIGKILL')
        const asking = step === 'ask all' ? CONNECTIONS : CONNECTIONS / 2
        if (step !== 'kill') for (const one of unasked.splice(0, asking)) one.write(door.request)
        await sleep(100)
      }
    })
    const texts = await Promise.all(answers)
    expect(texts, server.output).not.toContain(undefined)
    const served = texts.filter((text) => door.answer(text ?? ''))
    expect(served.length, server.output).toBeGreaterThanOrEqual(CONNECTIONS - 1)
    expect(server.isAlive, server.output).toBe(true)
  },
  60_000 * PATIENCE,
)

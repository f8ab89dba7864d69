// A signing service that costs next to nothing, in a process of its own: what is measured beside it
// is the server. It speaks as the simulator of A-Trust does, signs truly, and refuses nobody.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createProvider, type Leaf, TEST_NAMES } from '../../src/simulator/devices/rksv/chain.js'
import { freshNonce, hashSigner } from '../../src/simulator/devices/rksv/sign-hash.js'

const SELF = fileURLToPath(import.meta.url)

export interface SwiftDevice {
  /** Base address of RK Online. */
  online: string
  port: number
  close(): Promise<void>
}

/** Every answer comes after so many milliseconds. */
export async function startSwiftDevice(answerMs: number): Promise<SwiftDevice> {
  const child = fork(SELF, [String(answerMs)])
  const [port] = (await once(child, 'message')) as [number]
  return {
    ...{ port, online: `http://127.0.0.1:${port}/asignrkonline/v2` },
    async close() {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const HEAD_END = '\r\n\r\n'
const HEAD = /^\w+ (\S+) [\s\S]*?(?:\r\ncontent-length: *(\d+)|$)/i

/** `answer` is called for each request that is complete. */
function serve(socket: Socket, answer: (path: string, body: string) => void): void {
  let seen = ''
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  socket.on('error', () => undefined)
  socket.on('data', (text: string) => {
    seen += text
    for (;;) {
      const end = seen.indexOf(HEAD_END)
      if (end < 0) return
      const [, path = '', length = '0'] = HEAD.exec(seen.slice(0, end)) ?? []
      const stop = end + HEAD_END.length + Number(length)
      if (seen.length < stop) return
      answer(path, seen.slice(end + HEAD_END.length, stop))
      seen = seen.slice(stop)
    }
  })
}

/**
 * One nonce for all signatures gives the key away, which has no worth: each is two multiplications
 * then, and verifies like any other.
 */
function answersOf(leaf: Leaf) {
  const [sign, nonce] = [hashSigner(leaf.key), freshNonce()]
  const session = { sessionid: 'a'.repeat(32), sessionkey: randomBytes(32).toString('base64') }
  const certificate = {
    Signaturzertifikat: leaf.der.toString('base64'),
    Zertifizierungsstellen: leaf.chain.map((one) => one.toString('base64')),
    Zertifikatsseriennummer: BigInt(`0x${leaf.serialHex}`).toString(),
    ZertifikatsseriennummerHex: leaf.serialHex,
    alg: 'ES256',
  }
  return (path: string, body: string): object => {
    if (path.endsWith('/Sign/Hash')) {
      const { hash } = JSON.parse(body) as { hash: string }
      return { signature: sign(Buffer.from(hash, 'base64'), nonce).toString('base64') }
    }
    if (path.endsWith('/Certificate')) return certificate
    return path.endsWith('/ZDA') ? { zdaid: 'AT1' } : session
  }
}

async function run(answerMs: number): Promise<number> {
  const provider = await createProvider(TEST_NAMES, new Date())
  const leaf = await provider.issue(TEST_NAMES.subject)
  const answerTo = answersOf(leaf)
  const server = createServer((socket) => {
    serve(socket, (path, body) => {
      setTimeout(() => {
        const json = JSON.stringify(answerTo(path, body))
        const head = `content-type: application/json\r\ncontent-length: ${json.length}`
        socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${json}`, 'latin1')
      }, answerMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

if (process.argv[1] === SELF && process.send !== undefined) {
  process.on('disconnect', () => process.exit())
  process.send(await run(Number(process.argv[2])))
}

// How clients reach the embedded server: a private socket folder; on Windows loopback, a password.
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as net from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { canReach, giveTo } from './access.js'
import type { Identity } from './identity.js'
import { noteAgain, noteOnce, readNote } from './note.js'

/** Unix: `host` is the socket folder. Windows: `host` is 127.0.0.1 and there is a password. */
export interface Endpoint {
  host: string
  port: number
  password: string | undefined
}

export interface EndpointQuestion {
  dataDir: string
  /** Folder that holds the cluster. */
  base: string
  identity: Identity | undefined
}

/** Names the socket, `.s.PGSQL.5432`; nothing listens on a network. */
const SOCKET_NUMBER = 5432
/** A socket path holds 104 bytes on macOS and 108 on Linux, its end mark included. */
const SOCKET_PATH_BYTES = 100

/** The same endpoint as last time wherever possible. Makes the socket folder, closed to others. */
export async function endpointOf(question: EndpointQuestion): Promise<Endpoint> {
  if (process.platform === 'win32') return loopbackEndpoint(question.dataDir)
  const inside = path.join(question.base, 'socket')
  const host = fits(inside) ? inside : shortSocketFolder(question)
  fs.mkdirSync(host, { recursive: true, mode: 0o700 })
  fs.chmodSync(host, 0o700)
  giveTo(host, question.identity)
  return { host, port: SOCKET_NUMBER, password: undefined }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, `.s.PGSQL.${SOCKET_NUMBER}`)) < SOCKET_PATH_BYTES
}

/** A folder in the temporary directory; last time's unless somebody else has taken its name. */
function shortSocketFolder({ dataDir, identity }: EndpointQuestion): string {
  const note = path.join(dataDir, 'postgres-socket')
  const known = readNote(note)
  if (known !== undefined && (!fs.existsSync(known) || isPrivate(known, identity))) return known
  const temporary = [os.tmpdir(), '/tmp'].find((each) => {
    return fits(path.join(each, 'fiskalwerk-abcdef')) && canReach(each, identity)
  })
  const made = fs.mkdtempSync(path.join(temporary ?? '/tmp', 'fiskalwerk-'))
  if (known !== undefined) return noteAgain(note, made)
  const agreed = noteOnce(note, made)
  if (agreed !== made) fs.rmdirSync(made)
  return agreed
}

/** Whoever owns the socket folder could pose as the database. */
function isPrivate(folder: string, identity: Identity | undefined): boolean {
  const found = fs.lstatSync(folder)
  const owners = [process.getuid?.(), identity?.uid]
  return found.isDirectory() && owners.includes(found.uid) && (found.mode & 0o077) === 0
}

async function loopbackEndpoint(dataDir: string): Promise<Endpoint> {
  const note = path.join(dataDir, 'postgres-login')
  const password = randomBytes(24).toString('base64url')
  const said = readNote(note) ?? noteOnce(note, `${await freePort()} ${password}`)
  const [port, secret] = said.split(' ')
  return { host: '127.0.0.1', port: Number(port), password: secret }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : SOCKET_NUMBER
      server.close(() => resolve(port))
    })
  })
}

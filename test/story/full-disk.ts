// A disk that is really full: a database on a file system of 48 MB, filled to its last byte under a
// running server, and freed again. Says at the end whether everything held. It mounts, so it wants
// Linux and root, and is not part of the ordinary run (test/api/shared/ready.test.ts is):
//   npm run -s full-disk
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { status } from '@grpc/grpc-js'
import pg from 'pg'
import { createAccount, createReceiptApp } from '../../src/core/accounts/accounts.js'
import { checkData } from '../../src/core/audit/check/check.js'
import { SUPERUSER } from '../../src/postgres/embedded/cluster.js'
import { sendEnding } from '../support/cut-socket.js'
import { newAccount } from '../support/dealer.js'
import { posCall } from '../support/group-d.js'
import { connected, readLedger, verifyLedger } from '../support/ledger.js'
import { unknownPair } from '../support/pairs.js'
import { idOf, type RightCall, reference, rightCalls } from '../support/right-calls.js'
import { freePort, Server } from '../support/server.js'
import { Site } from '../support/site.js'
import { requestText, type Till } from '../support/stand.js'

const SIZE = '48m'
const PAGE_BYTES = 4096
/** Left free before receipts fill the rest. */
const REST_BYTES = 512 * 1024
const PATIENCE_MS = 15_000
/** What these write needs new room; the rest may fit into pages that are there. */
const NEED_ROOM = ['REST', 'SOAP', 'PosSystem sign', 'gRPC']

const faults: string[] = []
const expectThat = (holds: boolean, what: string): void => {
  console.log(`${holds ? 'holds' : 'FAULT'}  ${what}`)
  if (!holds) faults.push(what)
}

/** The whole database, but for its write-ahead log, in a folder. */
async function moveDatabase(site: Site, folder: string): Promise<void> {
  const { DATABASE_URL = '' } = await site.settings()
  const host = decodeURIComponent(/@([^/]+)\//.exec(DATABASE_URL)?.[1] ?? '')
  const { uid } = fs.statSync(join(site.folder, 'postgres'))
  const space = join(folder, 'space')
  fs.mkdirSync(space)
  for (const path of [folder, space]) fs.chownSync(path, uid, uid)
  const root = new pg.Client({ host, user: SUPERUSER, database: 'template1' })
  await root.connect()
  await root.query(`create tablespace small location '${space}'`)
  await root.query('alter database fiskalwerk set tablespace small')
  await root.end()
}

class Disk {
  private filler: NodeJS.Timeout | undefined
  private file = -1
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  private get ballast(): string {
    return join(this.folder, 'ballast')
  }

  /** Leaves so many bytes. */
  leave(bytes: number): void {
    const { bavail, bsize } = fs.statfsSync(this.folder)
    fs.writeFileSync(this.ballast, Buffer.alloc(bavail * bsize - bytes, 1))
  }

  /** Takes every page that becomes free. */
  keepFull(): void {
    this.file = fs.openSync(this.ballast, 'a')
    const page = Buffer.alloc(PAGE_BYTES, 1)
    this.filler = setInterval(() => {
      while (fs.statfsSync(this.folder).bavail > 0) fs.writeSync(this.file, page)
    }, 2)
  }

  free(): void {
    clearInterval(this.filler)
    // an open file keeps its room
    fs.closeSync(this.file)
    fs.rmSync(this.ballast)
  }
}

interface Shop {
  server: Server
  till: Till
  calls: RightCall[]
}

async function openShop(site: Site): Promise<Shop> {
  const [till] = site.tills
  if (till === undefined) throw new Error('there is no till')
  const grpcPort = await freePort()
  const more = { GRPC_PORT: String(grpcPort), SIGN_WAITING_SECONDS: '2' }
  const server = await Server.start(await site.settings(more))
  const issued = unknownPair()
  const call = { path: '/v2/issue', body: issued.body, operationId: idOf('issued') }
  await posCall(server.url, till, call)
  const made = await site.look(async ({ store }) => {
    const deps = { store, now: () => new Date() }
    const app = await createReceiptApp(deps, { name: 'Wallet', shareUrl: null })
    return { app, dealer: await createAccount(deps, newAccount('PosDealer')) }
  })
  const grpcAddress = `127.0.0.1:${grpcPort}`
  return {
    ...{ server, till },
    calls: await rightCalls({ url: server.url, till, issued, grpcAddress, ...made }),
  }
}

async function health({ server }: Shop): Promise<string> {
  const reply = await fetch(`${server.url}/health/ready`)
  const told = (await reply.json()) as { database: string }
  return `${reply.status} ${told.database}`
}

/** Signs until it is refused; undefined: with status 503 and Retry-After. */
async function signUntilRefused({ server, till }: Shop): Promise<string | undefined> {
  const headers = { cashboxid: till.cashBoxId, accesstoken: till.accessToken }
  for (let at = 0; ; at += 1) {
    const body = requestText(till, { reference: `${'f'.repeat(900)}${at}` })
    const url = `${server.url}/${till.queueId}/json/v1/sign`
    const reply = await fetch(url, { method: 'POST', headers, body })
    await reply.text()
    if (reply.status === 200) continue
    const isRight = reply.status === 503 && reply.headers.has('retry-after')
    return isRight ? undefined : `${reply.status}`
  }
}

async function callAllWhileFull({ server, calls }: Shop): Promise<void> {
  for (const [number, call] of calls.entries()) {
    const mark = reference(number, 'full', 0)
    if (call.status === 0) {
      const code = await call.send(mark).then(
        () => 'signed',
        (error: { code?: number; details?: string }) => `${error.code} ${error.details}`,
      )
      expectThat(code.startsWith(`${status.UNAVAILABLE} `), `${call.name} while full: ${code}`)
      continue
    }
    const told = await sendEnding(server.url, call.bytes(mark), 'ended')
    const needsRoom = NEED_ROOM.some((start) => call.name.startsWith(start))
    const isRight = told === 503 || (!needsRoom && told === call.status)
    expectThat(isRight, `${call.name} while full: ${told}`)
  }
}

async function callAllAfterwards({ calls }: Shop): Promise<void> {
  for (const [number, call] of calls.entries()) {
    const told = await call.send(reference(number, 'free', 0)).then(() => 'right', String)
    expectThat(told === 'right', `${call.name} afterwards: ${told}`)
  }
}

async function lookAtData(site: Site, till: Till): Promise<void> {
  await site.look(async (stand) => {
    const found: unknown[] = []
    await checkData(stand.deps, (violation) => found.push(violation))
    expectThat(found.length === 0, `the check of the data finds ${JSON.stringify(found)}`)
    const client = await connected(stand.connection)
    verifyLedger(await readLedger(client, till.queueId), stand.store.sealer)
    await client.end()
  })
}

async function run(site: Site, folder: string): Promise<void> {
  await moveDatabase(site, folder)
  const disk = new Disk(folder)
  const shop = await openShop(site)
  try {
    expectThat((await health(shop)) === '200 up', 'ready before')
    disk.leave(REST_BYTES)
    const refused = await signUntilRefused(shop)
    expectThat(refused === undefined, `refused with 503 and Retry-After, not ${refused}`)
    disk.keepFull()
    await callAllWhileFull(shop)
    expectThat((await health(shop)) === '503 takes no writes', 'not ready while full')
    disk.free()
    const from = performance.now()
    while ((await health(shop)) !== '200 up' && performance.now() - from < PATIENCE_MS);
    const ms = Math.round(performance.now() - from)
    expectThat((await health(shop)) === '200 up', `ready again after ${ms} ms`)
    await callAllAfterwards(shop)
    const { code } = await shop.server.stop()
    expectThat(code === 0, `the stop ends with ${code}`)
  } finally {
    await shop.server.kill()
  }
  await lookAtData(site, shop.till)
  console.log(shop.server.output)
}

if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  console.error(
    'full-disk: this mounts a file system, so it wants Linux and root. Nothing was tried.',
  )
  process.exit(1)
}
const folder = fs.mkdtempSync('/tmp/fiskalwerk-full-disk-')
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder])
const site = await Site.make({ tills: 1, external: true })
try {
  await run(site, folder)
} finally {
  await site.remove()
  execFileSync('umount', ['--lazy', folder])
  fs.rmdirSync(folder)
}
console.log(faults.length === 0 ? 'everything held' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1

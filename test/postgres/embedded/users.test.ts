import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../../scripts/throw-away-cluster.js'
import { canReach } from '../../../src/postgres/embedded/access.js'
import { packagedNative, program } from '../../../src/postgres/embedded/binaries.js'
import { identityFor, isRoot } from '../../../src/postgres/embedded/identity.js'
import { open, openInChild, postmasterOf, query, type Refused } from '../../support/data-folder.js'

/** User and group `nobody` of the usual systems. */
const NOBODY = { uid: 65534, gid: 65534 }

let folder: string

beforeAll(() => {
  folder = makeThrowAwayFolder()
})

afterAll(() => removeThrowAwayFolder(folder))

/** Owner of a process, as the system sees it. */
function ownerOf(pid: number | undefined): number {
  return fs.statSync(`/proc/${pid}`).uid
}

/** A home that only root may enter, with a checkout in it. */
function makeClosedHome(): string {
  const home = path.join(folder, 'home')
  fs.mkdirSync(home, { mode: 0o700 })
  fs.mkdirSync(path.join(home, 'package'))
  const copied = { recursive: true, verbatimSymlinks: true }
  fs.cpSync(packagedNative(), path.join(home, 'package', 'native'), copied)
  fs.copyFileSync(
    path.join(packagedNative(), '..', 'package.json'),
    path.join(home, 'package', 'package.json'),
  )
  return home
}

describe.runIf(isRoot() && os.platform() === 'linux')('started by root', () => {
  it('PostgreSQL runs as another user, who alone may enter cluster and socket', async () => {
    const dataDir = path.join(folder, 'root')
    const database = await open(dataDir)
    const uid = ownerOf(postmasterOf(dataDir))
    expect(uid).not.toBe(0)
    for (const name of ['postgres', 'socket']) {
      const { uid: owner, mode } = fs.statSync(path.join(dataDir, name))
      expect([name, owner, mode & 0o777]).toEqual([name, uid, 0o700])
    }
    await database.stop()
  })

  it('in a home closed to others, programs and cluster lie in a readable folder', async () => {
    const home = makeClosedHome()
    const options = {
      native: path.join(home, 'package', 'native'),
      readableRoot: path.join(folder, 'readable'),
    }
    const dataDir = path.join(home, 'data')
    const first = await open(dataDir, options)
    await query(first.poolConfig, 'create table kept as select 7 as n')
    await first.stop()
    const base = fs.readFileSync(path.join(dataDir, 'postgres-folder'), 'utf8').trim()
    expect(path.dirname(base)).toBe(options.readableRoot)
    expect(fs.readdirSync(dataDir)).toEqual(['postgres-folder'])

    const second = await open(dataDir, options)
    expect(await query(second.poolConfig, 'select n from kept')).toEqual([{ n: 7 }])
    const executable = fs.readlinkSync(`/proc/${postmasterOf(base)}/exe`)
    expect(executable.startsWith(options.readableRoot)).toBe(true)
    await second.stop()
  })

  it('a folder that was closed after the first start is named in the refusal', async () => {
    const dataDir = path.join(folder, 'root')
    fs.chmodSync(dataDir, 0o700)
    const failure = await open(dataDir).catch((error) => error)
    expect(failure.message).toContain(`cannot get into ${fs.realpathSync(dataDir)} any more`)
    fs.chmodSync(dataDir, 0o755)
  })
})

const checkoutIsOpen = () => canReach(program(packagedNative(), 'postgres'), NOBODY)

describe.runIf(isRoot() && checkoutIsOpen())('started by an ordinary user', () => {
  it('everything belongs to that user, and root finds it again', async () => {
    const dataDir = path.join(folder, 'nobody')
    fs.mkdirSync(dataDir)
    fs.chownSync(dataDir, NOBODY.uid, NOBODY.gid)
    const { child, said } = await openInChild(dataDir, {}, NOBODY)
    expect(said.adopted).toBe(false)
    expect(await query(said.config, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(ownerOf(postmasterOf(dataDir))).toBe(NOBODY.uid)
    await child.kill('SIGTERM')

    const database = await open(dataDir)
    expect(ownerOf(postmasterOf(dataDir))).toBe(NOBODY.uid)
    await database.stop()
  })

  it('a data folder of somebody else is refused in a sentence', async () => {
    const dataDir = path.join(folder, 'root')
    const closed = await openInChild<Refused>(dataDir, {}, NOBODY)
    expect(closed.said.message).toContain(`The data folder ${dataDir} cannot be used (EACCES)`)
    fs.chmodSync(dataDir, 0o777)
    const foreign = await openInChild<Refused>(dataDir, {}, NOBODY)
    expect(foreign.said.message).toContain('belongs to another user')
  })
})

describe('who may reach what', () => {
  it('follows the rights of every folder on the way', () => {
    const target = path.join(folder, 'way', 'to', 'it')
    fs.mkdirSync(target, { recursive: true })
    const stranger = { uid: 54321, gid: 54321 }
    expect(canReach(target, stranger)).toBe(true)
    fs.chmodSync(path.join(folder, 'way'), 0o700)
    expect(canReach(target, stranger)).toBe(false)
    expect(canReach(target, undefined)).toBe(true)
  })

  it('an ordinary user lends PostgreSQL no other identity', () => {
    expect(identityFor(path.join(folder, 'no cluster')) === undefined).toBe(!isRoot())
  })
})

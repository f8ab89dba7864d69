// The memory of a remote TSE: parts, polling, checksum, erasing, and its way into archives.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DeviceError } from '../../../../src/device/device.js'
import { createOutbound } from '../../../../src/device/outbound.js'
import type { Tse } from '../../../../src/device/tse/tse.js'
import { REMOTE_PACKAGE, remoteDriver } from '../../../../src/market/de/devices/remote.js'
import { archivedTar } from '../../../../src/market/de/export/tar.js'
import { readArchive, unpackedTar } from '../../../../src/market/de/queue.js'

import type { Finding } from '../../../../src/model/verdict.js'
import { tarFile } from '../../../../src/verify/de/verifiers.js'
import { implicit, receipt, sale } from '../../../support/de/make.js'
import { MemoryTars, tarBytes } from '../../../support/de/memory-tars.js'
import { slot, TestQueue } from '../../../support/de/test-queue.js'
import { type BentCall, send, TseService } from '../../../support/de/tse-service.js'
import { archiveRow, bytesOf, tarSource } from '../support/tar-source.js'
import { LIMIT } from '../support/tse-stand.js'

let service: TseService
let slept: number[]
let tars: MemoryTars

beforeEach(async () => {
  service = await TseService.start()
  slept = []
  tars = new MemoryTars()
})
afterEach(() => service.close())

function deviceSlot() {
  const made = slot({} as Tse, 'scu-1')
  const scu = { ...made.scu, package: REMOTE_PACKAGE, url: service.url, secrets: '{}' }
  const device = remoteDriver.open(scu, {
    fetch: createOutbound({ allow: [`127.0.0.1:${service.port}`] }),
    now: () => new Date(),
    sleep: async (milliseconds) => {
      slept.push(milliseconds)
    },
    tars,
  })
  return { scu, device }
}

async function started() {
  const unit = deviceSlot()
  const queue = await TestQueue.started({ devices: [unit] })
  await queue.accept(sale(implicit(0x1)))
  return { queue, tse: unit.device }
}

async function fault(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'the call succeeded',
    (one: unknown) => one,
  )
  if (error instanceof DeviceError) return error.message
  throw error
}

function bend(operation: string, write: (bent: BentCall) => unknown) {
  service.bend = async (bent) => {
    if (bent.operation !== operation) return false
    await write(bent)
    return true
  }
}

function change(operation: string, members: object) {
  bend(operation, async ({ response, work }) => send(response, { ...(await work()), ...members }))
}

async function findings(tar: Buffer): Promise<{ found: Finding[]; summary: object }> {
  const found: Finding[] = []
  const sink = { add: (one: Finding) => found.push(one), clear: () => found.splice(0) }
  async function* read(range = { start: 0, end: tar.length }) {
    yield tar.subarray(range.start, range.end)
  }
  const summary = await tarFile.verify(read, {}, sink)
  return { found: found.filter(({ notice }) => notice !== true), summary }
}

const erasedNow = async () => (await service.stand.info()).logMemory === 0
const daily = receipt(implicit(0x7))

describe('the memory of a remote TSE', () => {
  it('arrives in parts, after growing pauses, as the device has it', async () => {
    const { tse } = await started()
    const whole = await service.tar()
    const memory = await tse.exportMemory(false, LIMIT)
    expect(memory).toMatchObject({ from: 1, to: 7, without: [], erased: false })
    expect(await tarBytes(memory.tar)).toEqual(whole)
    expect(slept).toEqual([100, 150])
    expect(service.count('exportdata')).toBe(2 + Math.ceil(whole.length / service.chunk))
    expect(service.bodies.find((one) => 'MaxChunkSize' in one)?.MaxChunkSize).toBe(1_048_576)
    expect(service.bodies.at(-1)).toMatchObject({
      Sha256ChecksumBase64: createHash('sha256').update(whole).digest('base64'),
      Erase: false,
    })
    expect(await erasedNow()).toBe(false)
  })

  it('is erased when it has arrived and that was asked for', async () => {
    const { tse } = await started()
    expect((await tse.exportMemory(true, LIMIT)).erased).toBe(true)
    expect(await erasedNow()).toBe(true)
    expect(await tse.exportMemory(true, LIMIT)).toMatchObject({ from: 1, to: 0 })
  })

  it('names the counters that an earlier export has erased', async () => {
    const { tse, queue } = await started()
    await queue.accept(receipt(0x4445_0000_0000_0008n, { receiptReference: 'open' }))
    await tse.exportMemory(true, LIMIT)
    await queue.accept(sale(implicit(0x1)))
    const { from, to, without } = await tse.exportMemory(false, LIMIT)
    expect({ from, to, without }).toEqual({ from: 8, to: 10, without: [] })
    await queue.accept(sale(implicit(0x1)))
    await tse.exportMemory(true, LIMIT)
    await queue.accept(sale(implicit(0x1)))
    expect(await tse.exportMemory(false, LIMIT)).toMatchObject({
      from: 8,
      to: 14,
      without: [[9, 12]],
    })
  })

  it.each<[string, string, object, string]>([
    ['another checksum', 'endexportsession', { IsValid: false }, 'other bytes'],
    ['another length', 'exportdata', { TotalTarFileSize: 5 }, 'not 5'],
    ['too many bytes', 'exportdata', { TotalTarFileSize: 2 ** 34 + 1 }, 'more than'],
    ['no base64', 'exportdata', { TarFileByteChunkBase64: '*' }, 'not base64'],
    ['no TAR', 'exportdata', { TarFileByteChunkBase64: 'eHg=', TotalTarFileSize: -1 }, 'export'],
    ['no session', 'startexportsession', { TokenId: '' }, 'cannot be read'],
    ['another device', 'startexportsession', { TseSerialNumberOctet: 'ff' }, 'another device'],
  ])('with %s is refused, and nothing was erased', async (_name, operation, members, expected) => {
    const { tse } = await started()
    service.polls = 0
    service.chunk = 1_000_000
    bend(operation, async ({ response, body, work }) => {
      // the device would erase where it is told that the bytes are right
      if (operation === 'endexportsession') body.Sha256ChecksumBase64 = ''
      send(response, { ...(await work()), ...members })
    })
    expect(await fault(tse.exportMemory(true, LIMIT))).toContain(expected)
    expect(await erasedNow()).toBe(false)
  })

  it('that never gets ready is waited for within the limit', async () => {
    const { tse } = await started()
    service.polls = 1_000_000
    expect(await fault(tse.exportMemory(true, { timeoutMs: 1500 }))).toContain('not done yet')
    expect(slept.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1500)
    expect(await erasedNow()).toBe(false)
  })

  it('is kept when the last answer is lost: the device may have erased it', async () => {
    const { tse } = await started()
    const whole = await service.tar()
    bend('endexportsession', async ({ response, work }) => {
      await work()
      response.destroy()
    })
    const { tar, erased } = await tse.exportMemory(true, LIMIT)
    expect(await tarBytes(tar)).toEqual(whole)
    expect(erased).toBe(true)
    expect(await erasedNow()).toBe(true)
  })
})

describe('the archive of a closing', () => {
  it('holds the bytes of the device, and the independent verifier accepts them', async () => {
    const { queue } = await started()
    const answer = await queue.accept(daily)
    expect(answer.stateWord).toBe(0x4445_0000_0000_0000n)
    const archive = readArchive(queue.rowsOf('archive')[0]?.content ?? '')
    const tar = await tarBytes(tars.named(archive.kept?.id))
    const { found, summary } = await findings(tar)
    expect(found).toEqual([])
    expect(summary).toMatchObject({ archives: 1, messages: 9, proven: 9 })
    expect(archive).toMatchObject({ from: 1, to: 9, erased: true })
    expect(queue.rowsOf('device-log')).toEqual([])
    const answers = queue.rowsOf('device-answer')
    expect(answers.map(({ number }) => number)).toEqual([4, 6, 8])
    expect(answers[0]?.certificate?.entry?.der).toEqual(
      service.stand.tse.identity().certificate.der,
    )
  })

  it('is left out, and the closing stands, when the export fails', async () => {
    const { queue } = await started()
    change('endexportsession', { IsValid: false })
    const answer = await queue.accept(daily)
    expect(answer.stateWord).toBe(0x4445_0000_0000_0000n)
    expect(queue.rowsOf('archive')).toEqual([])
    expect(queue.actionsOf('TarExportFailed')).toHaveLength(1)
    expect(queue.state.dailyClosingNumber).toBe(1)
  })

  it('comes back byte by byte from the journal, one after the other', async () => {
    const { queue } = await started()
    await queue.accept(daily)
    await queue.accept(sale(implicit(0x1)))
    await queue.accept(daily)
    const archives = queue.rowsOf('archive').map(({ content }) => readArchive(content))
    const rows = archives.map((archive) => archiveRow('scu-1', archive))
    const source = () => tarSource({ rows, certificates: [], tars })
    const tar = await bytesOf(archivedTar.run(source()))
    const stored = await Promise.all(archives.map(({ kept }) => tarBytes(tars.named(kept?.id))))
    expect(tar).toEqual(Buffer.concat(stored))
    const { found, summary } = await findings(tar)
    expect(found).toEqual([])
    expect(summary).toMatchObject({ archives: 2, messages: 13, proven: 13 })
  })
})

describe('a TAR in the row of a former server', () => {
  it('is what was packed', async () => {
    await started()
    const tar = await service.tar()
    const packed = gzipSync(tar).toString('base64')
    expect(await unpackedTar(packed)).toEqual(tar)
    await expect(unpackedTar('eHg=')).rejects.toThrow()
  })
})

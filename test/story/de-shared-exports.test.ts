// What the queues of one TSE find in their exports: the log belongs to all of them, and every
// transaction of a register has its row in the register's own DSFinV-K.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { type Act, type Answered, placeOf, SharedTse } from '../support/de/shared-tse.js'
import { readTar, tarMembers } from '../support/de/tse-log.js'
import { unzipped } from '../support/dsfinvk-zip.js'
import { openStand, type Stand, testKey } from '../support/stand.js'

const DE = 0x4445_0000_0000_0000n
const V2 = 0x4445_2000_0000_1000n
const ZIPPED = 0x1_0000n

let database: TestDatabase
let stand: Stand
let opened = 0

beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config, { masterKey: testKey() })
})

afterAll(async () => {
  await stand.close()
  await database.drop()
})

function open(settings: Record<string, unknown> = {}): Promise<SharedTse> {
  opened += 1
  return SharedTse.open(placeOf([stand]), opened, settings)
}

const say = (tse: SharedTse, queue: number, act: Act): Promise<Answered> =>
  tse.sign({ act, queue, server: 0, tagging: 'v0', table: 0, numbers: [] })

const upTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1)

async function rowsOf(tse: SharedTse, queue: number, file: string): Promise<string[][]> {
  const files = await unzipped(await tse.export(queue, DE | 2n))
  const text = files.get(file)?.toString('utf8') ?? ''
  return text
    .split('\r\n')
    .slice(1, -1)
    .map((row) => row.split(';').map((cell) => cell.replace(/^"|"$/g, '')))
}

describe('the archive of a TSE', () => {
  it.each([
    ['All', {}],
    ['Erased', { TarFileExportMode: 'Erased' }],
  ])('has all messages for every queue, whoever closed last (%s)', async (_name, settings) => {
    const tse = await open(settings)
    await say(tse, 0, 'sale')
    await say(tse, 0, 'daily')
    await say(tse, 0, 'sale')
    await say(tse, 1, 'daily')
    await say(tse, 2, 'sale')
    for (const queue of [0, 1, 2]) {
      expect(await tse.counters(queue)).toEqual(upTo(await tse.counter()))
    }
    const archived = readTar(await tse.export(0, DE | 3n))
    const sales = archived.filter((one) => one.processType === 'Kassenbeleg-V1')
    expect(sales.map(({ clientId }) => clientId)).toEqual(Array(2).fill(`T${opened}-0`))
  })

  it('misses nothing when the answer of an erasing export is lost', async () => {
    const tse = await open()
    await say(tse, 0, 'sale')
    // info, start and finish of the closing work; its export is done and its answer lost
    await tse.fault([
      { do: 'delay', calls: 3, ms: 0 },
      { do: 'error-after', calls: 1 },
    ])
    await say(tse, 0, 'daily')
    expect(await tse.counters(1)).toEqual(upTo(await tse.counter()))
  })

  it('is not for queues of other TSEs', async () => {
    const [tse, other] = [await open(), await open()]
    await say(tse, 0, 'daily')
    const serials = async (one: SharedTse) =>
      new Set(readTar(await one.export(0, DE | 3n)).map(({ serial }) => serial))
    await say(other, 0, 'daily')
    const [own, foreign] = [await serials(tse), await serials(other)]
    expect([own.size, foreign.size]).toEqual([1, 1])
    expect(own).not.toEqual(foreign)
  })

  it('leaves info.csv and certificates in the memory', async () => {
    const tse = await open()
    await say(tse, 0, 'daily')
    const names = [...tarMembers(await tse.export(0, DE | 1n))].map(({ name }) => name)
    expect(names[0]).toBe('info.csv')
    expect(names.length).toBeGreaterThan(1)
    expect(names.slice(1).every((name) => name.endsWith('_X509.cer'))).toBe(true)
  })
})

describe('the DSFinV-K has a row', () => {
  it('for what the own closing ended, and for what another one ended', async () => {
    const tse = await open()
    await say(tse, 0, 'start')
    await say(tse, 0, 'daily')
    await say(tse, 0, 'start')
    await say(tse, 1, 'closeAll')
    expect((await say(tse, 0, 'end')).accepted).toBe(false)
    const closing = await say(tse, 0, 'daily')
    expect([closing.state, closing.text.includes('Offene Transaktion verworfen')]).toEqual([
      0n,
      true,
    ])
    const bons = await rowsOf(tse, 0, 'transactions.csv')
    expect(bons.map((row) => [row[2], row[5]])).toEqual([
      ['1', 'AVBelegabbruch'],
      ['2', 'AVBelegabbruch'],
    ])
    expect(bons[0]?.[3]).toMatch(/^ft[0-9A-F]+#T\d+$/)
    expect((await rowsOf(tse, 1, 'transactions.csv')).length).toBe(0)
  })

  it('with the TSE of a receipt that the zero receipt finished; its error stays', async () => {
    const tse = await open()
    await say(tse, 0, 'start')
    await tse.fault([{ do: 'unreachable', calls: 99 }])
    expect((await say(tse, 0, 'end')).state).toBe(2n)
    await tse.fault([])
    expect((await say(tse, 0, 'zero')).state).toBe(0n)
    await say(tse, 0, 'daily')
    const [row] = await rowsOf(tse, 0, 'transactions_tse.csv')
    expect(Number(row?.[5])).toBeGreaterThan(0)
    expect(row?.[10]?.length).toBeGreaterThan(80)
    expect(row?.[11]).toContain('Kommunikation mit der technischen Sicherheitseinrichtung')
    expect(row?.[12]).toMatch(/^Beleg\^/)
  })
})

describe('journals of version 2', () => {
  it.each([1n, 3n])(
    'come as ZIP with the TAR of type %d when the flag asks for it',
    async (type) => {
      const tse = await open()
      await say(tse, 0, 'daily')
      const plain = await tse.export(0, V2 | type)
      const files = [...(await unzipped(await tse.export(0, V2 | ZIPPED | type)))]
      expect(files.length).toBe(1)
      expect(files[0]?.[0]).toMatch(/\.tar$/)
      const members = (tar: Buffer) => [...tarMembers(tar)].map(({ name }) => name)
      expect(members(files[0]?.[1] ?? Buffer.alloc(0))).toEqual(members(plain))
    },
  )

  it('are one ZIP where the export is one already, and the status is one too', async () => {
    const tse = await open()
    await say(tse, 0, 'daily')
    const names = [...(await unzipped(await tse.export(0, V2 | ZIPPED | 2n))).keys()]
    expect(names).toContain('transactions_tse.csv')
    const [status] = [...(await unzipped(await tse.export(0, V2 | ZIPPED)))]
    expect(JSON.parse(String(status?.[1]))).toHaveProperty('QueueDEList')
  })
})

// Files of a bundle that go through the items of a queue: in one pass they are what each of them is
// by itself, and the items are read once.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Gauge } from '../../../src/core/event/inspection/part-file.js'
import { makeParts, type PartDone } from '../../../src/core/event/inspection/parts.js'
import { type PartContent, passesOf } from '../../../src/core/event/inspection/plan.js'
import { SharedPages } from '../../../src/core/event/inspection/shared-pages.js'
import { filesOf, marketOf } from '../../../src/market/index.js'
import type { Store } from '../../../src/store/client.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { type MadeQueue, makeItem, makeQueue, TICKS, testStore } from '../../support/make.js'
import { createTill, job, openStand, type Stand, testKey } from '../../support/stand.js'

async function* pagesOf(count: number, seen: number[] = []): AsyncGenerator<number[]> {
  for (let page = 0; page < count; page += 1) {
    seen.push(page)
    yield [page, page]
  }
}

async function allOf(pages: AsyncIterable<number[]>): Promise<number[]> {
  const all: number[] = []
  for await (const page of pages) all.push(...page)
  return all
}

describe('pages that several read', () => {
  it('are read once and given to each of them', async () => {
    const seen: number[] = []
    const shared = new SharedPages(pagesOf(4, seen))
    const readers = [shared.reader(), shared.reader(), shared.reader()]
    const read = await Promise.all(readers.map(({ pages }) => allOf(pages)))
    expect(read).toEqual(Array(3).fill([0, 0, 1, 1, 2, 2, 3, 3]))
    expect(seen).toEqual([0, 1, 2, 3])
  })

  it('wait for the slowest of them, so that nothing piles up', async () => {
    const seen: number[] = []
    const shared = new SharedPages(pagesOf(9, seen))
    const [fast, slow] = [shared.reader(), shared.reader()]
    const quick = allOf(fast.pages)
    const iterator = slow.pages[Symbol.asyncIterator]()
    for (let page = 0; page < 3; page += 1) {
      expect(await iterator.next()).toEqual({ done: false, value: [page, page] })
      await new Promise((go) => setTimeout(go, 5))
      expect(seen).toHaveLength(page + 1)
    }
    slow.close()
    expect(await quick).toHaveLength(18)
  })

  it('go on for the others when one leaves, asks for nothing, or is closed twice', async () => {
    const shared = new SharedPages(pagesOf(5))
    const [stays, leaves, silent] = [shared.reader(), shared.reader(), shared.reader()]
    const leaving = (async () => {
      for await (const page of leaves.pages) if (page[0] === 1) break
    })()
    silent.close()
    silent.close()
    expect(await allOf(stays.pages)).toHaveLength(10)
    await leaving
  })

  it('tell everybody of what went wrong, and are given up at the end', async () => {
    let isLeft = false
    async function* broken(): AsyncGenerator<number[]> {
      try {
        yield [1]
        throw new Error('away')
      } finally {
        isLeft = true
      }
    }
    const shared = new SharedPages(broken())
    const readers = [shared.reader(), shared.reader()]
    const ends = await Promise.allSettled(readers.map(({ pages }) => allOf(pages)))
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(isLeft).toBe(true)
    const unread = new SharedPages(pagesOf(2))
    unread.reader().close()
    await unread.end()
  })
})

describe('files of one pass', () => {
  let database: TestDatabase
  let store: Store
  let stand: Stand
  let queue: MadeQueue
  let root: string
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'fiskalwerk-passes-'))
    database = await createTestDatabase()
    const masterKey = testKey()
    stand = openStand(database.config, { masterKey })
    const till = await createTill(stand)
    for (let at = 0; at < 150; at += 1) await stand.signing.sign(job(till))
    store = testStore(database.config)
    queue = { ...(await makeQueue(store)) }
    // what somebody has broken, and forms that old clients send
    const texts = [
      ['{"ftReceiptCase":1,', '{}'],
      ['[1,2]', null],
      ['{/* old */"cbUser":12,"cbChargeItems":[{"Amount":-1.5,},],}', '{"ftState":1,}'],
      ['{"cbReceiptMoment":"2026-03-14T10:00:00Z","ftReceiptCase":4707387510509010945}', 'x'],
    ] as const
    for (const [at, [request, response]] of texts.entries()) {
      await makeItem(store, queue, { row: at + 1, request, response })
    }
    tills = [
      { accountId: till.accountId, queueId: till.queueId },
      { accountId: queue.accountId, queueId: queue.queueId },
    ]
  }, 60_000)
  afterAll(async () => {
    await store.close()
    await stand.close()
    await database.drop()
    rmSync(root, { recursive: true, force: true })
  })

  interface Register {
    accountId: string
    queueId: string
  }
  let tills: Register[] = []
  const textIn = (bytes: Buffer, isPacked: boolean) =>
    (isPacked ? inflateRawSync(bytes) : bytes).toString()
  const contents: PartContent[] = [
    ...filesOf(marketOf('AT')).flatMap(({ sharesItems }, legal) => (sharesItems ? { legal } : [])),
    { journal: 'journal' },
  ]

  /** A store that tells of each page of items that is read of it. */
  const watched = (reading: () => void): Store => ({
    ...store,
    pool: new Proxy(store.pool, {
      get: (pool, name) => {
        if (name !== 'query') return Reflect.get(pool, name)
        return (config: { name?: string }) => {
          if (config.name === 'items-by-row') reading()
          return Reflect.apply(pool.query, pool, [config])
        }
      },
    }),
  })

  /** What was made, by the places of `contents`, and how often items were read. */
  async function made(till: Register, asked: PartContent[][], isPacked = false) {
    const done: PartDone[] = []
    const texts: string[] = []
    let reads = 0
    const counting = watched(() => {
      reads += 1
    })
    for (const pass of asked) {
      const files = pass.map((content, at) => ({
        ...{ path: join(root, `file-${at}`), content, isPacked },
      }))
      const task = {
        ...({ do: 'parts', files, ...till, connection: {}, keys: [] } as const),
        ...{ from: 0n, upTo: TICKS * 2n, moment: 0 },
      }
      done.push(...(await makeParts(counting, task, new Gauge())))
      texts.push(...files.map(({ path }) => textIn(readFileSync(path), isPacked)))
    }
    return { done, texts, reads }
  }

  it('are those that each of them is by itself, and read the items once', async () => {
    expect(contents).toHaveLength(3)
    for (const till of tills) {
      const alone = await made(
        till,
        contents.map((one) => [one]),
      )
      const together = await made(till, [contents])
      expect(together.texts).toEqual(alone.texts)
      expect(together.done).toEqual(alone.done)
      expect(together.done.at(-1)?.sums).toBeDefined()
      expect(together.reads * 3).toBe(alone.reads)
    }
  })

  it('are the same where they are written packed', async () => {
    const [till] = tills
    if (till === undefined) throw new Error('no register')
    const plain = await made(till, [contents])
    const { texts, done } = await made(till, [contents], true)
    expect(texts).toEqual(plain.texts)
    for (const [at, { packed, ...one }] of done.entries()) {
      expect(one).toEqual(plain.done[at])
      const path = join(root, `file-${at}`)
      const crc = crc32(inflateRawSync(readFileSync(path)))
      expect(packed).toEqual({ size: statSync(path).size, crc })
      expect(packed?.size).toBeLessThan(one.bytes / 2)
    }
  })

  it('are left off between two questions to the database, whatever was written', async () => {
    const [till] = tills
    if (till === undefined) throw new Error('no register')
    const gauge = new Gauge()
    let reads = 0
    const stopping = watched(() => {
      reads += 1
      gauge.stop()
    })
    const task = {
      ...({ do: 'parts', ...till, connection: {}, keys: [] } as const),
      files: [{ path: join(root, 'left'), content: { journal: 'journal' }, isPacked: false }],
      ...{ from: 0n, upTo: TICKS * 2n, moment: 0 },
    } as const
    await expect(makeParts(stopping, task, gauge)).rejects.toThrow('left off')
    // the 150 receipts are three pages
    expect(reads).toBe(1)
  })

  it('are planned together where they belong to one queue', () => {
    const part = (path: string, id: string, sharesItems: boolean) => ({
      ...{ path, queue: { id } as never, content: { legal: 0 }, verified: undefined, sharesItems },
    })
    const parts = [
      part('one/a', '1', true),
      part('one/b', '1', false),
      part('one/c', '1', true),
      part('two/a', '2', true),
    ]
    const passes = passesOf(parts).map((pass) => pass.map(({ path }) => path))
    expect(passes).toEqual([['one/a', 'one/c'], ['one/b'], ['two/a']])
  })
})

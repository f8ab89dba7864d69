// Receipts are drawn once, in other threads, and never more at a time than can be.
import { afterEach, describe, expect, it } from 'vitest'
import { sizeOf } from '../../../src/core/receipts/branding/picture-size.js'
import { createRendering, type Rendering } from '../../../src/core/receipts/rendering.js'
import { factsOf } from '../../../src/market/index.js'
import { strongTag } from '../../../src/render/etag.js'
import { createPool, type Pool } from '../../../src/render/pool.js'
import { drawn, issued, soldItems, taskOf } from '../../support/drawn.js'

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close()
})

function rendering(cacheBytes = 1_000_000): Rendering {
  const log = { error: () => undefined }
  const one = createRendering({ factsOf, threads: 1, cacheBytes, log })
  closing.push(one)
  return one
}

describe('rendering', () => {
  it('gives the bytes of the format, with a tag of these bytes', async () => {
    const { render } = rendering()
    for (const format of ['html', 'txt', 'escpos', 'pdf', 'png', 'jpg'] as const) {
      const { bytes, etag } = await render(taskOf(soldItems(['a']), format))
      expect(bytes.equals(await drawn(soldItems(['a']), format)), format).toBe(true)
      expect(etag).toBe(strongTag(bytes))
      expect(etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/)
    }
  })

  it('gives the same page again, also to many who ask at once', async () => {
    const { render } = rendering()
    const task = taskOf(soldItems(['a']), 'png')
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => render(task)))
    for (const other of [...others, await render(task)]) expect(other).toBe(first)
  })

  it('draws anew for everything that the bytes depend on', async () => {
    const { render } = rendering()
    const receipt = soldItems(['a'])
    const links = {
      ...{
        address: 'https://r.example/1',
        apps: [],
        files: [],
        query: '',
        hideShare: false,
        hideFeedback: false,
      },
      pdfFirst: false,
    }
    const tasks = [
      taskOf(receipt, 'html'),
      taskOf(receipt, 'html', { links }),
      taskOf(receipt, 'txt'),
      taskOf(receipt, 'txt', { widthMm: 48 }),
      taskOf(receipt, 'txt', { language: 'en' }),
      taskOf(receipt, 'txt', { copy: true }),
      taskOf({ ...receipt, accountName: 'Another' }, 'txt'),
      taskOf({ ...receipt, verified: false }, 'txt'),
      taskOf({ ...receipt, settingsVersion: '2' }, 'txt'),
      taskOf(receipt, 'escpos'),
      taskOf(receipt, 'escpos', { brand: 'star' }),
    ]
    const pages = await Promise.all(tasks.map(render))
    expect(new Set(pages).size).toBe(tasks.length)
  })

  it('keeps nothing when it may keep nothing', async () => {
    const { render } = rendering(0)
    const task = taskOf(soldItems(['a']), 'txt')
    expect(await render(task)).not.toBe(await render(task))
  })

  it('writes a short page in this thread, and one of 500 items in another one', async () => {
    const asked: string[] = []
    const log = { error: () => undefined }
    const facts = (market: string) => {
      asked.push(market)
      return factsOf(market)
    }
    const one = createRendering({ factsOf: facts, threads: 1, cacheBytes: 0, log })
    closing.push(one)
    const names = Array.from({ length: 500 }, (_, at) => `Artikel ${at + 1}`)
    const { bytes } = await one.render(taskOf(soldItems(names), 'html'))
    expect(bytes.toString()).toContain('Artikel 500')
    expect(asked).toEqual([])
    await one.render(taskOf(soldItems(['a']), 'html'))
    expect(asked).toEqual(['AT'])
  })

  it('makes logos of pictures in another thread, and hands on why it does not', async () => {
    const { drawLogo } = rendering()
    const { createCanvas } = await import('@napi-rs/canvas')
    const picture = createCanvas(800, 400).toBuffer('image/png')
    const { type, data } = await drawLogo(picture, 'x')
    expect([type, sizeOf(data)]).toEqual(['image/png', { width: 400, height: 200 }])
    const broken = drawLogo(picture.subarray(0, 60), 'x')
    await expect(broken).rejects.toMatchObject({
      ...{ code: 'FIELD_INVALID', details: { field: 'logourl' } },
    })
    const thread = createPool({
      entry: new URL('../../../src/core/receipts/render-worker.ts', import.meta.url),
      ...{ threads: 1, waiting: 1, limitMs: 10_000, onBroken: () => undefined },
    })
    closing.push(thread)
    expect(await thread.run({ picture }, 'x')).toMatchObject({ type: 'image/png' })
  })

  it('says that a receipt is too long for JPEG', async () => {
    const names = Array.from({ length: 150 }, (_, at) => `${at} ${'wort '.repeat(200)}`)
    const task = taskOf(soldItems(names), 'jpg')
    await expect(rendering().render(task)).rejects.toMatchObject({ code: 'PICTURE_TOO_LONG' })
  })

  it('refuses what cannot be shown at all, and goes on', async () => {
    const { render } = rendering()
    await expect(render(taskOf(issued({ request: '{' }), 'png'))).rejects.toThrow()
    expect((await render(taskOf(issued(), 'png'))).bytes.length).toBeGreaterThan(0)
  })
})

interface OnePool {
  run(task: unknown, line?: string): Promise<unknown>
  close: Pool['close']
}

function pool(limits: { waiting?: number; limitMs?: number; threads?: number }): OnePool {
  const code = `export async function work(task) {
    if (task === 'spin') for (;;);
    if (task === 'fail') throw new Error('no')
    await new Promise((resolve) => setTimeout(resolve, 200))
    return task
  }`
  const { run, close } = createPool({
    entry: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    ...{ threads: 1, waiting: 2, limitMs: 10_000, onBroken: () => undefined, ...limits },
  })
  const one: OnePool = { run: (task, line = 'box') => run(task, line), close }
  closing.push(one)
  return one
}

describe('threads', () => {
  it('refuse what would wait too long, and do the rest', async () => {
    const { run } = pool({ waiting: 2 })
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((task) => run(task)))
    expect(
      results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)),
    ).toEqual([1, 2, 3, 'RENDERING_BUSY', 'RENDERING_BUSY'])
  })

  it('give up what takes too long, and go on', async () => {
    const { run } = pool({ limitMs: 1000 })
    await expect(run('spin')).rejects.toMatchObject({ code: 'RENDERING_BUSY' })
    expect(await run('after')).toBe('after')
  })

  it('hand on what goes wrong', async () => {
    const { run } = pool({})
    await expect(run('fail')).rejects.toThrow('no')
    expect(await run('after')).toBe('after')
  })

  it('draw for one CashBox one thing at a time, and for others beside it', async () => {
    const { run } = pool({ threads: 2, waiting: 100 })
    const order: string[] = []
    const told = (line: string) => (task: unknown) => void order.push(`${line}${task}`)
    const flood = Array.from({ length: 10 }, (_, at) => run(at, 'flood').then(told('flood')))
    await Promise.all([run(0, 'other').then(told('other')), run(0, 'third').then(told('third'))])
    // one of the flood beside each of the others, whatever was asked first
    expect(order.filter((one) => one.startsWith('flood')).length).toBeLessThanOrEqual(3)
    await Promise.all(flood)
    expect(order.filter((one) => one.startsWith('flood'))).toEqual(
      Array.from({ length: 10 }, (_, at) => `flood${at}`),
    )
  })

  it('let the longest line wait elsewhere when too many wait, never the newcomer', async () => {
    const { run } = pool({ waiting: 4 })
    const flood = Array.from({ length: 5 }, (_, at) => run(at, 'flood'))
    const other = run('other', 'other')
    const ends = await Promise.allSettled([...flood, other])
    expect(ends.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code))).toEqual([
      0,
      1,
      2,
      3,
      'RENDERING_BUSY',
      'other',
    ])
  })

  it('end when they are closed, whatever they do', async () => {
    const one = pool({})
    const running = one.run('spin').catch((error: { code: string }) => error.code)
    const waiting = one.run('later').catch((error: { code: string }) => error.code)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await one.close()
    expect(await Promise.all([running, waiting])).toEqual(['RENDERING_BUSY', 'RENDERING_BUSY'])
    await expect(one.run('more')).rejects.toMatchObject({ code: 'RENDERING_BUSY' })
  })
})

// The portal in a real browser over 100,000 tills: when its first view and its lists are painted,
// how soon an event is on its page, frames beside many receipts, and the preview of large files.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { addPerson } from '../../src/core/accounts/people/desk.js'
import { launchUsual } from '../../test/support/browser.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { asking, type Cluster } from '../stand/cluster.js'
import { signOne } from '../stand/post.js'
import { numbered, saleText, startText } from '../stand/receipt.js'
import { type Server, startServer } from '../stand/server.js'
import { openShop, type Shop } from '../stand/shop.js'
import { fileOf } from './dealer.js'
import { openBenchStore, openDealer, sealTokens, stockUp } from './fleet.js'

const VIEWS = 5
/** Of the processor: a phone of some years ago. */
const SLOWER = 4
const VIEW_MS = 1_000
const PAINTED_MS = 350
const OF_EACH_LIST = 10
/** Each has rows for every number from 1 on. */
const LISTS: readonly ((nth: number) => string)[] = [
  (nth) => `queues?search=till+${nth}`,
  (nth) => `cashboxes?search=till+${nth}`,
  (nth) => `operators?search=shop+a${nth.toString(16)}`,
  (nth) => `queues?market=DE&search=till+${nth}`,
]
const NEVER_MS = 20_000
const TILLS = 20
const RECEIPTS_PER_SECOND = 200
const SECONDS = 8
const BEAT_MS = 100
const VISIBLE_MS = 500
/** Of 60; one of twenty may come late. */
const FRAMES = 57
const FILES = [
  [10_000, 3],
  [50_000, 15],
] as const
const STEPS_PER_SECOND = 2
const PASSWORD = 'Bench-Portal-77'

interface Stand {
  cluster: Cluster
  masterKey: Buffer
  server: Server
  browser: Browser
}

/** The first view, and lists over 100,000 tills. */
export async function benchPortal(_options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const dealer = await openDealer(cluster, masterKey)
  await stockUp(cluster, dealer.accountId)
  await sealTokens(cluster, masterKey)
  return inBrowser(cluster, masterKey, async (stand) => {
    const context = await loggedIn(stand, dealer.accountId)
    return [await firstView(stand, context), await lists(stand, context)]
  })
}

/** What goes on while one looks: files that are read, and events. */
export async function benchPortalWork(_options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const dealer = await openDealer(cluster, masterKey)
  const shop = await openShop(cluster, { masterKey, tills: TILLS })
  return inBrowser(cluster, masterKey, async (stand) => {
    const context = await loggedIn(stand, dealer.accountId)
    return [...(await previews(stand, context)), ...(await liveEvents(stand, shop))]
  })
}

async function inBrowser(
  cluster: Cluster,
  masterKey: Buffer,
  measured: (stand: Stand) => Promise<Figure[]>,
): Promise<PartResult> {
  const server = await startServer({
    ...{ databaseUrl: cluster.url, masterKey },
    settings: { RATE_LIMITS: 'dealer=0' },
  })
  const browser = await launchUsual()
  try {
    const figures = await measured({ cluster, masterKey, server, browser })
    const notes = ['Browser, server and database share the same cores.']
    return { figures, rounds: figures.map(({ name, value }) => ({ name, value })), notes }
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** A browser of somebody new who works for the account. */
async function loggedIn(stand: Stand, accountId: string): Promise<BrowserContext> {
  const { cluster, masterKey, server, browser } = stand
  const store = openBenchStore(cluster, masterKey)
  const email = `${accountId}@people.example`
  const person = { accountId, email, name: 'Ida Bench', role: 'Administrator' as const }
  const { link } = await addPerson(
    { store, now: () => new Date() },
    { ...person, base: server.url },
  ).finally(() => store.close())
  const context = await browser.newContext({ locale: 'en-GB' })
  const answer = await context.request.post(`${server.url}/portal/session/links/follow`, {
    data: { token: link?.split('#')[1], password: PASSWORD },
  })
  if (!answer.ok()) throw new Error(`a login was answered ${answer.status()}`)
  return context
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN

/** Resolves with the moment at which what is looked for was painted; rejects when it is not. */
const painted = (selector: string) => `new Promise((resolve, reject) => {
  const late = () => reject(new Error(location + ' shows none of ' + ${JSON.stringify(selector)}))
  setTimeout(late, ${NEVER_MS})
  const look = () => document.querySelector(${JSON.stringify(selector)}) !== null
  const told = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
  if (look()) return told()
  const watch = new MutationObserver(() => {
    if (!look()) return
    watch.disconnect()
    told()
  })
  watch.observe(document, { childList: true, subtree: true })
})`

/** Nothing of it is in the cache of the browser. */
async function firstView({ server }: Stand, context: BrowserContext): Promise<Figure> {
  const times: number[] = []
  for (let view = 0; view < VIEWS; view += 1) {
    const page = await context.newPage()
    const devTools = await context.newCDPSession(page)
    await devTools.send('Network.setCacheDisabled', { cacheDisabled: true })
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await page.goto(`${server.url}/portal/me`, { waitUntil: 'commit' })
    times.push(await page.evaluate<number>(painted('main h1')))
    await page.close()
  }
  return {
    ...{ name: `First view, processor ${SLOWER} times slower`, value: median(times), unit: 'ms' },
    target: { atMost: VIEW_MS },
  }
}

/** As a link opens them: each with words that were not asked for before. */
async function lists({ server }: Stand, context: BrowserContext): Promise<Figure> {
  const page = await context.newPage()
  await page.goto(`${server.url}/portal/me`)
  const times: number[] = []
  for (let nth = 1; nth <= OF_EACH_LIST; nth += 1) {
    for (const list of LISTS) {
      await goTo(page, '/me')
      await page.locator('main h1').waitFor()
      await page.locator('main tbody tr').first().waitFor()
      const to = `/${list(nth)}`
      times.push(
        await page.evaluate<number>(
          `(async () => { const from = performance.now(); ${going(to)}
            return (await ${painted('main tbody tr[data-open]')}) - from })()`,
        ),
      )
    }
  }
  await page.close()
  return {
    ...{ name: 'A list of 100,000, rows painted, p95', value: p95(times), unit: 'ms' },
    target: { atMost: PAINTED_MS },
  }
}

const going = (path: string): string =>
  `history.pushState({}, '', ${JSON.stringify(`/portal${path}`)});
   dispatchEvent(new PopStateEvent('popstate', { state: {} }));`
const goTo = (page: Page, path: string): Promise<unknown> => page.evaluate(going(path))

async function previews({ server }: Stand, context: BrowserContext): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [rows, atMost] of FILES) {
    const page = await context.newPage()
    await page.goto(`${server.url}/portal/import/invitations`)
    const field = page.locator('input[type=file]')
    await field.waitFor({ state: 'attached' })
    await page.evaluate(`window.steps = new Set()
      new MutationObserver(() => {
        const text = document.querySelector('main progress')?.parentElement?.textContent
        if (text) steps.add(text)
      }).observe(document, { childList: true, subtree: true, characterData: true })`)
    const buffer = Buffer.from(fileOf(`p${rows}`, rows))
    const from = performance.now()
    await field.setInputFiles({ name: 'merchants.csv', mimeType: 'text/csv', buffer })
    await page.locator('main progress').waitFor()
    await page.locator('main progress').waitFor({ state: 'detached', timeout: 120_000 })
    const seconds = (performance.now() - from) / 1000
    const steps = await page.evaluate<number>('steps.size')
    const name = `Preview of ${rows.toLocaleString('en-GB')} invitations`
    figures.push(
      { name, value: seconds, unit: 's', target: { atMost } },
      {
        ...{ name: `${name}: steps of progress`, value: steps / seconds, unit: 'per second' },
        target: { atLeast: STEPS_PER_SECOND },
      },
    )
    await page.close()
  }
  return figures
}

/** What is new in the table, how old its event is then; and frames. */
const WATCH = `window.waits = []; window.seen = new Set(); window.frames = 0
  const each = () => { window.frames += 1; requestAnimationFrame(each) }
  requestAnimationFrame(each)
  new MutationObserver(() => {
    const now = Date.now()
    for (const row of document.querySelectorAll('main tbody tr')) {
      const at = row.querySelector('time')?.dateTime
      const seq = row.cells[0]?.textContent
      if (at === undefined || seen.has(seq)) continue
      seen.add(seq)
      waits.push(now - Date.parse(at))
    }
  }).observe(document.querySelector('main'), { childList: true, subtree: true })`

async function liveEvents(stand: Stand, shop: Shop): Promise<Figure[]> {
  const { cluster, server } = stand
  const moment = new Date().toISOString()
  for (const till of shop.tills) {
    await signOne(server.url, till, startText(till.cashBoxId, moment))
  }
  await asking(cluster.config, (client) =>
    client.query(
      `insert into stream_head (account_id, receipts) values ($1, true)
       on conflict (account_id) do update set receipts = true`,
      [shop.accountId],
    ),
  )
  const context = await loggedIn(stand, shop.accountId)
  const page = await context.newPage()
  await page.goto(`${server.url}/portal/events`)
  await page.locator('.live.on').waitFor()
  await signFor(server.url, shop, { seconds: 2, first: 1 })
  await page.evaluate(WATCH)
  await page.evaluate('waits.length = 0; window.frames = 0')
  const from = performance.now()
  await signFor(server.url, shop, { seconds: SECONDS, first: 1_000_000 })
  const seconds = (performance.now() - from) / 1000
  const frames = await page.evaluate<number>('window.frames')
  await sleep(1_000)
  const waits = await page.evaluate<number[]>('waits')
  await context.close()
  const beside = `beside ${RECEIPTS_PER_SECOND} receipts a second`
  return [
    {
      ...{ name: `Event on its page, ${beside}, p95`, value: p95(waits), unit: 'ms' },
      target: { atMost: VISIBLE_MS },
    },
    {
      ...{ name: `Frames of the page, ${beside}`, value: frames / seconds, unit: 'per second' },
      target: { atLeast: FRAMES },
    },
    { name: 'Events that the page has shown', value: waits.length, unit: '' },
  ]
}

/** So many receipts in every beat, whether those before are answered or not. */
async function signFor(
  url: string,
  { tills }: Shop,
  { seconds, first }: { seconds: number; first: number },
): Promise<void> {
  const sent: Promise<string>[] = []
  const perBeat = (RECEIPTS_PER_SECOND * BEAT_MS) / 1000
  const begun = performance.now()
  for (let beat = 0; beat < (seconds * 1000) / BEAT_MS; beat += 1) {
    const moment = new Date().toISOString()
    for (const till of tills.slice(0, perBeat)) {
      const text = numbered(saleText(till.cashBoxId, moment), first + sent.length)
      sent.push(signOne(url, till, text))
    }
    await sleep(Math.max(0, begun + (beat + 1) * BEAT_MS - performance.now()))
  }
  await Promise.all(sent)
}

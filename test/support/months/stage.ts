// Two servers on one PostgreSQL, which are killed while registers send: what registers got, and
// what must hold of it afterwards in every country.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { checkData } from '../../../src/core/audit/check/check.js'
import { verifyFile } from '../../../src/core/audit/verify/file.js'
import { marketOf } from '../../../src/market/index.js'
import { connected, readLedger, verifyLedger } from '../ledger.js'
import type { Chance } from '../load.js'
import type { Server } from '../server.js'
import type { TestSettings } from '../settings.js'
import { Site } from '../site.js'
import { createTills, member, type Till } from '../stand.js'
import { isVoid, type Kept } from './kept.js'
import type { MonthRow, Outside } from './rows.js'
import { Register, type Sent, textOf } from './till.js'

/** A receipt that its register believes to be made. */
export interface Given {
  sent: Sent
  itemId: string
  text: string
}

export interface Month {
  row: MonthRow
  outside: Outside
  tills: Till[]
  given: Map<string, Given>
  /** Answers that refused, answers that did not come. */
  refused: number
  broken: number
  /** Receipts that the first call made. */
  atOnce: number
  /** How often each refusal came, numbers left out. */
  refusals: Map<string, number>
  outages: number
  faults: string[]
  begun: number
}

const PAUSE_MS = 40
const REFUSED_PAUSE_MS = 100
const MOST_PAUSES = 20
/**
 * A register that gets no definite answer for so long has found a fault. What waits for an
 * authority may have to wait for several of its outages, with a minute between two tries.
 */
const PATIENCE_MS = 300_000
const ERROR = 0xeeee_eeeen
const OUTAGE_EVERY = 10

interface Running {
  settings: TestSettings[]
  servers: Server[]
}

export class Stage {
  readonly site: Site
  readonly chance: Chance
  private readonly settings: TestSettings[]
  private readonly servers: Server[]
  kills = 0

  private constructor(parts: Pick<Stage, 'site' | 'chance'> & Running) {
    this.site = parts.site
    this.chance = parts.chance
    this.settings = parts.settings
    this.servers = parts.servers
  }

  static async open(months: readonly Month[], chance: Chance): Promise<Stage> {
    const site = await Site.make({ tills: 0, external: true })
    const allow = months.flatMap(({ outside }) => outside.allow).join(',')
    await site.look(async (stand) => {
      for (const { row, outside, tills } of months) {
        for (let at = 0; at < row.tills; at += 1) {
          const scu = outside.unit(at)
          const options = { market: row.habits.country, scu, started: false }
          tills.push(...(await createTills(stand, 1, options)))
        }
      }
    })
    const settings = [
      await site.settings({ OUTBOUND_ALLOW: allow }),
      await site.settings({ OUTBOUND_ALLOW: allow }),
    ]
    const servers = [await site.serve(settings[0]), await site.serve(settings[1])]
    return new Stage({ site, chance, settings, servers })
  }

  async close(): Promise<void> {
    for (const server of this.servers) if (server.isAlive) await server.kill()
    await this.site.remove()
  }

  /** All registers of these months send until each month has so many receipts. */
  async run(months: readonly Month[], receipts: number): Promise<void> {
    for (const month of months) for (const till of month.tills) await this.start(month, till)
    const work = months.flatMap((month) =>
      [...month.tills.keys()].flatMap((at) =>
        Array.from({ length: month.row.callers }, (_, caller) =>
          this.call({ month, at, receipts, name: `t${at}c${caller}`, caller }),
        ),
      ),
    )
    const done = Promise.all(work).then(() => true)
    const before = this.kills
    const most = Math.max(2, Math.floor(receipts / 100))
    const made = () => months.reduce((sum, { given }) => sum + given.size, 0)
    while (!(await Promise.race([done, sleep(20, false)]))) {
      const due = ((this.kills - before + 1) * receipts * months.length) / (most + 1)
      if (this.kills - before < most && made() >= due) await this.strike()
    }
    await done
  }

  /** A server dies with whatever it was about to do, and comes back. */
  private async strike(): Promise<void> {
    const at = this.kills % 2
    this.kills += 1
    await this.servers[at]?.kill()
    this.servers[at] = await this.site.serve(this.settings[at])
  }

  async send(till: Till, path: string, wish: { method?: string; body?: string; at?: number } = {}) {
    const { method = 'POST', body, at = 0 } = wish
    const alive = this.servers.filter(({ isAlive }) => isAlive)
    const { cashBoxId, accessToken } = till
    return fetch(`${alive[at % alive.length]?.url}${path}`, {
      ...{ method, ...(body === undefined ? {} : { body }) },
      headers: {
        ...{ cashboxid: cashBoxId, accesstoken: accessToken },
        'content-type': 'application/json',
      },
    })
  }

  private async start(month: Month, till: Till): Promise<void> {
    const sent = { reference: `start-${till.queueId}`, kind: 0x4001, charges: [], pays: [] }
    await this.make(month, { till, sent, at: 0 })
  }

  private async call(how: {
    month: Month
    at: number
    receipts: number
    name: string
    caller: number
  }): Promise<void> {
    const { month, at, receipts, name, caller } = how
    const till = month.tills[at] as Till
    const register = new Register(month.row.habits, this.chance, name)
    for (let round = caller; month.begun < receipts; round += 1) {
      month.begun += 1
      if (month.begun % OUTAGE_EVERY === 0) {
        month.outages += 1
        await month.outside.strike(this, { till, at })
      }
      const sent = register.next()
      try {
        if (await this.make(month, { till, sent, at: round })) register.accepted(sent)
      } catch (error) {
        month.faults.push(`receipt ${sent.reference}: ${String(error)}`)
      }
    }
  }

  /** Until a definite answer: sends, and whenever it got none, asks before it sends again. */
  private async make(
    month: Month,
    { till, sent, at }: { till: Till; sent: Sent; at: number },
  ): Promise<boolean> {
    const from = performance.now()
    let asks = false
    let last = ''
    for (let no = 0; performance.now() - from < PATIENCE_MS; ) {
      const body = textOf(month.row.habits, sent, asks)
      const path = `/${till.queueId}/json/v1/sign`
      const reply = await this.send(till, path, { body, at: at + no }).then(
        async (found) => ({ status: found.status, text: await found.text() }),
        (error: unknown) => ({ status: 0, text: String(error) }),
      )
      last = reply.text
      if (reply.status !== 200) {
        if (reply.status !== 0 && reply.status !== 503) throw new Error(`${reply.status} ${last}`)
        month.broken += 1
        asks = true
        await sleep(PAUSE_MS)
        continue
      }
      asks = false
      if (last === 'null') continue
      if ((BigInt(member(last, 'ftState')) & 0xffff_ffffn) !== ERROR) {
        if (no === 0) month.atOnce += 1
        const key = `${till.queueId} ${sent.reference}`
        month.given.set(key, { sent, itemId: member(last, 'ftQueueItemID'), text: last })
        return true
      }
      month.refused += 1
      no += 1
      const why = reasonIn(last)
      month.refusals.set(why, (month.refusals.get(why) ?? 0) + 1)
      // what waits for an outage to end is sent by a job meanwhile
      await sleep(REFUSED_PAUSE_MS * Math.min(no, MOST_PAUSES))
    }
    throw new Error(`no answer that accepts it: ${last.slice(0, 2000)}`)
  }

  /** What does not hold of a month, when everything outside works again; empty: all of it does. */
  async faults(month: Month): Promise<string[]> {
    const faults = [...month.faults]
    for (const [at, till] of month.tills.entries()) await month.outside.calm(this, { till, at })
    await this.site.look(async (stand) => {
      await checkData(stand.deps, (violation) => faults.push(JSON.stringify(violation)))
      const client = await connected(stand.connection)
      for (const [at, till] of month.tills.entries()) {
        await settled(client, till, faults)
        const ledger = await readLedger(client, till.queueId)
        try {
          verifyLedger(ledger, stand.store.sealer)
        } catch (error) {
          faults.push(`queue ${till.queueId}: ${String(error)}`)
        }
        const kept = keptIn(ledger.items)
        faults.push(...compared(month, { till, kept, items: ledger.items }))
        faults.push(...(await month.outside.faults({ till, at, kept, client, stage: this })))
      }
      await client.end()
    })
    for (const till of month.tills) faults.push(...(await this.judged(month, till)))
    return faults
  }

  /** The independent verifier about the export of the country. */
  private async judged({ row }: Month, till: Till): Promise<string[]> {
    const { journalType, exportFile } = marketOf(row.habits.country).rollout.demo
    const reply = await this.send(till, `/${till.queueId}/json/v1/journal?type=${journalType}`)
    const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-month-'))
    try {
      const path = join(folder, exportFile)
      await writeFile(path, Buffer.from(await reply.arrayBuffer()))
      const { findings } = await verifyFile(path)
      return findings.filter(({ notice }) => notice !== true).map((one) => JSON.stringify(one))
    } finally {
      await rm(folder, { recursive: true })
    }
  }
}

const REASON = 200

/** Why an answer refuses, the same for every receipt. */
function reasonIn(text: string): string {
  const { ftSignatures } = JSON.parse(text) as { ftSignatures: { Data?: string; data?: string }[] }
  const said = ftSignatures.map(({ Data, data }) => Data ?? data ?? '').join(' | ')
  return said.replace(/[0-9a-f-]{36}|\d+/g, '#').slice(0, REASON)
}

/** The longest pause between two tries is five minutes; then all that waits is sent. */
const DRAIN_MS = 600_000

/** What waits is sent; a queue without records on their way is settled at once. */
async function settled(client: pg.Client, { queueId }: Till, faults: string[]): Promise<void> {
  for (const from = performance.now(); performance.now() - from < DRAIN_MS; await sleep(100)) {
    const { rows } = await client.query('select state from queue where id = $1', [queueId])
    const { transmission, records } = JSON.parse(rows[0]?.state ?? '{}')
    if (transmission === undefined || transmission.sent === records) return
  }
  faults.push(`the records of queue ${queueId} are not sent`)
}

type Item = Awaited<ReturnType<typeof readLedger>>['items'][number]

const stateIn = (response: string): bigint => BigInt(member(response, 'ftState')) & 0xffff_ffffn

function keptIn(items: readonly Item[]): Kept[] {
  return items.flatMap(({ response, receiptReference: reference, request }) => {
    if (response === null || stateIn(response) === ERROR) return []
    const kind = Number(BigInt(member(request, 'ftReceiptCase')) & 0x7fff_ffffn)
    const [, number = ''] = member(response, 'ftReceiptIdentification').split('#')
    return [{ reference, kind, number }]
  })
}

function compared(
  { given, row: { sharesNumbers = false } }: Month,
  { till, kept, items }: { till: Till; kept: readonly Kept[]; items: readonly Item[] },
): string[] {
  const stored = new Map(items.map((item) => [item.id, item.response]))
  const missing = [...given]
    .filter(([key, one]) => key.startsWith(till.queueId) && stored.get(one.itemId) !== one.text)
    .map(([key]) => `the answer of ${key} is not stored`)
  const twice = (list: string[], what: string) =>
    list.filter((one, at) => list.indexOf(one) !== at).map((one) => `${what} ${one} is there twice`)
  const made = kept.filter((one) => one.number !== '' && !(isVoid(one) && sharesNumbers))
  const numbers = made.map(({ number }) => number)
  const references = kept.map(({ reference }) => reference)
  return [...missing, ...twice(references, 'receipt'), ...twice(numbers, 'document')]
}

// Two dealers who import files at two servers, and a book of what must be stored and told.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { plainTemplate } from '../../../src/core/accounts/invitation/csv/template.js'
import { newAccount } from '../dealer.js'
import { formOf, person } from '../invitations.js'
import { asDealer, type SendOptions, sendUpload, type Upload } from '../upload-server.js'
import type { Ending, Place, Side, UploadPair } from './upload-pair.js'

const PATH = '/api/pos-operators-invitation/import/csv'
const [HEADER = ''] = plainTemplate().split(/\r?\n/)
/** A place that leaked makes the next import wait for ever; this is for a machine that is busy. */
const PATIENCE_MS = 60_000
/** A stop in progress says so, or says nothing. */
const CUT_OFF = [0, 503]
const SIDES = [0, 1] as const

export interface Progress {
  running: boolean
  rows: number
  created: number
  skipped: number
}

export interface Wish {
  dealer: Side
  server: Side
  rows: number
  /** One row more, which is refused with the whole file. */
  wrong?: boolean
}

export interface Broken {
  dealer: Side
  server: Side
  /** Of what may be sent of the body. */
  part: number
  how: 'whole' | 'broken' | 'closed'
  name: string
}

/** Of an import that has ended. */
interface Outcome {
  dealer: Side
  /** It was begun; else it may or may not have been. */
  sure: boolean
  /** Whether this may be told of it. */
  fits(told: Progress): boolean
}

interface Book {
  access: AccountAccess
  /** As every server tells it while nothing runs. */
  progress: Progress
  /** Of all that is stored. */
  emails: string[]
}

interface Made {
  upload: Upload
  emails: string[]
}

export interface Counts {
  imports: number
  refused: number
  broken: number
  /** The end of a server came between. */
  cutOff: number
}

export class UploadShop {
  readonly pair: UploadPair
  readonly counts: Counts
  private readonly books: readonly Book[]

  private constructor(pair: UploadPair, counts: Counts, books: readonly Book[]) {
    this.pair = pair
    this.counts = counts
    this.books = books
  }

  static async open(pair: UploadPair, counts: Counts): Promise<UploadShop> {
    const deps = { store: pair.store, now: () => new Date() }
    const book = async (): Promise<Book> => ({
      access: await createAccount(deps, newAccount('PosDealer')),
      progress: { running: false, rows: 0, created: 0, skipped: 0 },
      emails: [],
    })
    return new UploadShop(pair, counts, [await book(), await book()])
  }

  /** At the same time; then every server tells how it ended. */
  async all(wishes: readonly (Wish | Broken)[]): Promise<void> {
    const outcomes = await Promise.all(
      wishes.map((one) => ('rows' in one ? this.import(one) : this.break(one))),
    )
    for (const dealer of new Set(wishes.map((one) => one.dealer))) {
      const ended = outcomes.flatMap((one) => (one?.dealer === dealer ? one : []))
      if (ended.length > 0) await this.agree(dealer, ended)
      else await this.look(dealer, other(wishes[0]?.server ?? 0))
    }
  }

  /** Nothing has happened to what is told. */
  async look(dealer: Side, server: Side): Promise<void> {
    expect(await this.progress(dealer, server)).toEqual(this.bookOf(dealer).progress)
  }

  /** Its dealer leaves when the import has begun, which goes on, also where its server stops. */
  async leave(wish: Wish): Promise<void> {
    const place = this.pair.at(wish.server)
    await this.agree(wish.dealer, [await this.left(wish, place)])
  }

  /** A server ends with an import that has begun, and with broken ones that may have. */
  async end(ending: Ending, { left, ms, behind, ...wish }: End): Promise<void> {
    let outcome: Outcome | undefined
    let work: Promise<unknown> = Promise.resolve()
    await this.pair.end(wish.server, ending, async (place) => {
      const importing = left ? this.left(wish, place) : this.import(wish, place)
      work = Promise.all([
        ...behind.map((one) => this.break({ ...one, server: wish.server })),
        importing.then((done) => {
          outcome = done
        }),
      ])
      await Promise.race([work, this.begun(wish.dealer, place)])
      await sleep(ms)
    })
    await work
    if (outcome === undefined) throw new Error('nothing was imported')
    // what has arrived is answered
    if (ending === 'stop' && !left) expect(outcome.sure).toBe(true)
    await this.agree(wish.dealer, [outcome])
  }

  /** Both servers tell how the last one of these ended; what they told before if none began. */
  private async agree(dealer: Side, outcomes: readonly Outcome[]): Promise<void> {
    const book = this.bookOf(dealer)
    const [one, other] = await Promise.all(SIDES.map((side) => this.progress(dealer, side)))
    expect(other).toEqual(one)
    if (one === undefined) throw new Error('nobody tells')
    expect(one.running).toBe(false)
    const isAsBefore = () => same(one, book.progress)
    const isLast = outcomes.some(({ fits }) => fits(one))
    const mayBeAsBefore = !outcomes.some(({ sure }) => sure)
    expect(isLast || (mayBeAsBefore && isAsBefore()), JSON.stringify(one)).toBe(true)
    book.progress = one
  }

  /** Whatever has happened: everybody gets a turn at once, everywhere; and what is stored. */
  async judge(): Promise<void> {
    await this.all(SIDES.flatMap((server) => SIDES.map((dealer) => ({ dealer, server, rows: 1 }))))
    for (const { access, emails } of this.books) {
      expect((await this.storedOf(access)).toSorted()).toEqual(emails.toSorted())
    }
  }

  async progress(dealer: Side, side: Side): Promise<Progress> {
    const { access } = this.bookOf(dealer)
    for (;;) {
      const place = this.pair.at(side)
      const asked = fetch(`${place.server.url}${PATH}`, { headers: asDealer(access, {}) })
      const [reply] = await soon(Promise.allSettled([asked]), 'a look', place)
      if (reply.status === 'fulfilled' && reply.value.status === 200) {
        return (await reply.value.json()) as Progress
      }
      // its successor is asked where it was on its way out
      if (place.ending === undefined) throw new Error(`no progress: ${toldBy(reply)}`)
    }
  }

  private async import(wish: Wish, place = this.pair.at(wish.server)): Promise<Outcome> {
    const made = this.made(wish)
    const status = await soon(sendUpload(place.server.url, made.upload), 'an import', place)
    if (status !== (wish.wrong ? 400 : 200)) return this.cutOff(wish, made, { place, status })
    if (wish.wrong) this.counts.refused += 1
    else this.note(wish, made)
    return outcomeOf(wish)
  }

  private async left(wished: Wish, place: Place): Promise<Outcome> {
    // what is told of it differs from what was told before
    const isSame = this.bookOf(wished.dealer).progress.rows === wished.rows
    const wish = { ...wished, rows: wished.rows + (isSame ? 1 : 0) }
    const made = this.made(wish)
    let hasBegun = false
    const leaves = this.begun(wish.dealer, place).then(() => {
      hasBegun = place.ending === undefined
    })
    const sent = sendUpload(place.server.url, made.upload, { leaves })
    const status = await soon(sent, 'an import', place)
    await leaves
    await expect
      .poll(() => this.progress(wish.dealer, other(wish.server)), { timeout: PATIENCE_MS })
      .toMatchObject({ running: false })
    if (place.ending === 'kill' || !hasBegun) return this.cutOff(wish, made, { place })
    expect([0, 200], place.server.output).toContain(status)
    this.note(wish, made)
    return outcomeOf(wish)
  }

  private async break({ dealer, server, part, how, name }: Broken): Promise<undefined> {
    const place = this.pair.at(server)
    const { upload } = this.made({ dealer, server, rows: 2 }, name)
    // the last four bytes end the form and its line; where more was announced, all may be sent
    const most = upload.body.length - (how === 'whole' ? 4 : 0)
    const options: SendOptions = { cut: Math.floor(part * most), how }
    const sent = sendUpload(place.server.url, upload, options)
    const status = await soon(sent, 'a broken import', place)
    const usual = how === 'whole' ? [400] : [0, 400]
    const wanted = place.ending === undefined ? usual : [...usual, ...CUT_OFF]
    expect(wanted, place.server.output).toContain(status)
    this.counts.broken += 1
  }

  /** Another server tells of an import that has begun, or ended; or there will be none. */
  private async begun(dealer: Side, place: Place): Promise<void> {
    const { progress } = this.bookOf(dealer)
    const side = place === this.pair.at(0) ? 1 : 0
    const until = performance.now() + PATIENCE_MS
    while (place.ending === undefined && same(await this.progress(dealer, side), progress)) {
      if (performance.now() > until) throw new Error('an import never begins')
      await sleep(3)
    }
  }

  /** The server was ending: all of the file is stored or nothing, and which is told. */
  private async cutOff(
    wish: Wish,
    { emails }: Made,
    { place, status }: { place: Place; status?: number },
  ): Promise<Outcome> {
    const usual = place.ending === undefined ? [] : CUT_OFF
    if (status !== undefined) expect(usual, place.server.output).toContain(status)
    await this.pair.gone(place)
    this.counts.cutOff += 1
    const book = this.bookOf(wish.dealer)
    const stored = await this.storedOf(book.access)
    const kept = emails.filter((email) => stored.includes(email))
    // a stop answers whatever it lets be done
    const isNothing = wish.wrong || (place.ending === 'stop' && status !== undefined)
    expect([0, isNothing ? 0 : wish.rows]).toContain(kept.length)
    if (kept.length > 0) {
      book.emails.push(...kept)
      return outcomeOf(wish)
    }
    const fits = ({ rows, created }: Progress) => rows <= wish.rows + 1 && created === 0
    return { dealer: wish.dealer, sure: false, fits }
  }

  private note({ dealer }: Wish, { emails }: Made): void {
    this.counts.imports += 1
    this.bookOf(dealer).emails.push(...emails)
  }

  private made({ dealer, rows, wrong = false }: Wish, name = 'a.csv'): Made {
    const people = Array.from({ length: rows }, person)
    const lines = [HEADER, ...people.map(lineOf), ...(wrong ? ['x'] : []), '']
    const { body, headers } = formOf(name, lines.join('\r\n'))
    return {
      upload: {
        line: `POST ${PATH}`,
        headers: asDealer(this.bookOf(dealer).access, headers),
        body,
      },
      emails: people.map(({ contact }) => contact.email),
    }
  }

  private async storedOf({ accountId }: AccountAccess): Promise<string[]> {
    const { rows } = await this.pair.store.pool.query<{ email: string }>(
      'select email_key as email from invitation where account_id = $1',
      [accountId],
    )
    return rows.map(({ email }) => email)
  }

  private bookOf(dealer: Side): Book {
    const book = this.books[dealer]
    if (book === undefined) throw new Error('no such dealer')
    return book
  }
}

export interface End extends Wish {
  /** Its dealer has gone when it has begun. */
  left: boolean
  /** From its beginning. */
  ms: number
  behind: readonly Broken[]
}

function outcomeOf({ dealer, rows, wrong = false }: Wish): Outcome {
  const [told, created] = wrong ? [rows + 1, 0] : [rows, rows]
  const end = { running: false, rows: told, created, skipped: 0 }
  return { dealer, sure: true, fits: (progress) => same(progress, end) }
}

const other = (side: Side): Side => (side === 0 ? 1 : 0)

const same = (one: Progress, two: Progress): boolean =>
  one.running === two.running &&
  one.rows === two.rows &&
  one.created === two.created &&
  one.skipped === two.skipped

const toldBy = (reply: PromiseSettledResult<Response>): string =>
  reply.status === 'fulfilled' ? String(reply.value.status) : String(reply.reason)

function lineOf({ company, contact }: ReturnType<typeof person>): string {
  const { name, email, addressLine1, postalCode, city, country } = company
  const at = `${name};${email};${addressLine1};;${postalCode};${city};${country};;;;;;;`
  return `${at};${contact.firstName};${contact.lastName};${contact.email};;;;`
}

/** Fails instead of waiting for ever. */
async function soon<T>(work: Promise<T>, what: string, { server }: Place): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what} hangs; the server said:\n${server.output}`))
    }, PATIENCE_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

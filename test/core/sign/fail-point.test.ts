import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkData } from '../../../src/core/audit/check/check.js'
import type { Violation } from '../../../src/core/audit/check/rules.js'
import {
  createFailPoints,
  type FailPointName,
  failPointNames,
  failPointsOf,
  noFailPoints,
  readFailPoints,
} from '../../../src/core/fail-point.js'
import { Child } from '../../support/child.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import {
  SERVICE_CASH_BOX,
  SERVICE_TOKEN,
  type SigningService,
  signingService,
} from '../../support/remote-signer.js'
import {
  ASK,
  answer,
  createTill,
  job,
  openStand,
  REMOTE_PACKAGE,
  SALE,
  type Stand,
  type Till,
  testKey,
} from '../../support/stand.js'

const masterKey = testKey()
let database: TestDatabase
let client: pg.Client
let service: SigningService
let stand: Stand

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  service = await signingService()
  stand = open()
})

afterAll(async () => {
  const violations: Violation[] = []
  await checkData(stand.deps, (violation) => violations.push(violation))
  expect(violations).toEqual([])
  await stand.close()
  await service.close()
  await client.end()
  await database.drop()
})

const allow = () => [`127.0.0.1:${service.port}`]

function open(later = 0): Stand {
  const now = () => new Date(Date.now() + later)
  return openStand(database.config, { masterKey, allow: allow(), deps: { now } })
}

/** The answers of a process that ran until the fail point killed it. */
async function runUntilKilled(till: Till, failPoints: string): Promise<string[]> {
  const input = { connection: database.config, masterKey: masterKey.toString('base64') }
  const script = JSON.stringify({ ...input, allow: allow(), failPoints, till })
  const child = new Child('sign-script.ts', [script])
  const answers: string[] = []
  for (;;) {
    const [line] = await Promise.allSettled([child.line()])
    if (line.status === 'rejected') break
    answers.push(line.value)
  }
  await child.ended
  expect(child.process.signalCode).toBe('SIGKILL')
  return answers
}

const ask = (till: Till, reference: string) =>
  stand.signing.sign(job(till, { receiptCase: SALE | ASK, reference }))

/** The third receipt got no answer: its caller asks, and sends it again when there is nothing. */
async function replay(till: Till, answers: string[]) {
  for (const [at, text] of answers.entries()) {
    expect(await answer(ask(till, `r${at + 1}`))).toBe(text)
  }
  const asked = await ask(till, 'r3')
  if (asked.kind === 'nothing') await answer(stand.signing.sign(job(till, { reference: 'r3' })))
  const ledger = await readLedger(client, till.queueId)
  verifyLedger(ledger, stand.store.sealer)
  const finished = ledger.items.filter((item) => item.done && item.receiptReference === 'r3')
  expect(finished).toHaveLength(1)
  return { asked, ledger }
}

describe('a process killed with its own signing device', () => {
  it.each(['before-device', 'after-device', 'before-commit'])(
    'at %s leaves nothing of the receipt',
    async (place) => {
      const till = await createTill(stand)
      const answers = await runUntilKilled(till, `${place}=kill@3`)
      expect(answers).toHaveLength(2)
      expect((await readLedger(client, till.queueId)).items).toHaveLength(3)
      const { asked, ledger } = await replay(till, answers)
      expect(asked).toEqual({ kind: 'nothing' })
      expect(ledger.items).toHaveLength(4)
    },
  )

  it('at after-commit leaves everything, and the repetition gets the answer', async () => {
    const till = await createTill(stand)
    const answers = await runUntilKilled(till, 'after-commit=kill@3')
    expect(answers).toHaveLength(2)
    const { asked, ledger } = await replay(till, answers)
    expect(asked).toMatchObject({ responseText: ledger.items[3]?.response })
    expect(ledger.items).toHaveLength(4)
  })
})

describe('a process killed with a remote signing device', () => {
  const scu = () => ({
    package: REMOTE_PACKAGE,
    url: service.url,
    configuration: { cashBoxId: SERVICE_CASH_BOX, accessToken: SERVICE_TOKEN },
  })

  it('at before-commit of the item leaves nothing of the receipt', async () => {
    const till = await createTill(stand, { scu: scu() })
    // two statements for each receipt: the item, and its answer
    const answers = await runUntilKilled(till, 'before-commit=kill@5')
    expect((await readLedger(client, till.queueId)).items).toHaveLength(3)
    const { asked, ledger } = await replay(till, answers)
    expect(asked).toEqual({ kind: 'nothing' })
    expect(ledger.items.every((item) => item.done)).toBe(true)
  })

  it.each([
    'after-commit=kill@5',
    'item-stored=kill@3',
    'before-device=kill@3',
    'after-device=kill@3',
    'before-commit=kill@6',
  ])('at %s leaves an unfinished item that is noted once', async (place) => {
    const till = await createTill(stand, { scu: scu() })
    const answers = await runUntilKilled(till, place)
    expect(answers).toHaveLength(2)
    const left = (await readLedger(client, till.queueId)).items.at(-1)
    expect(left).toMatchObject({ receiptReference: 'r3', done: false })
    const { asked } = await replay(till, answers)
    expect(asked).toEqual({ kind: 'nothing' })
    const later = open(31_000)
    await later.signing.noteUnfinished()
    await later.signing.noteUnfinished()
    await later.close()
    const { actions } = await readLedger(client, till.queueId)
    const notes = actions.filter((action) => action.type === 'QueueItemUnfinished')
    expect(notes).toEqual([expect.objectContaining({ itemId: left?.id, priority: 0x10 })])
  })

  it('at after-commit of the answer leaves everything', async () => {
    const till = await createTill(stand, { scu: scu() })
    const answers = await runUntilKilled(till, 'after-commit=kill@6')
    const { asked, ledger } = await replay(till, answers)
    expect(asked).toMatchObject({ responseText: ledger.items[3]?.response })
  })
})

describe('fail points', () => {
  const settings = readFailPoints

  it('are all off when nothing is set', () => {
    expect(createFailPoints(settings(''))).toBe(noFailPoints)
    for (const name of failPointNames) expect(noFailPoints.reach(name)).toBeUndefined()
  })

  it('act every time, or only the time that was named', async () => {
    const points = createFailPoints(settings('before-commit=throw@2, after-commit=throw'))
    const outcomes = async (name: FailPointName) => {
      const results = [1, 2, 3].map(async () => points.reach(name))
      return (await Promise.allSettled(results)).map((result) => result.status)
    }
    expect(await outcomes('before-commit')).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await outcomes('after-commit')).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await outcomes('item-stored')).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  })

  it('can wait', async () => {
    const from = performance.now()
    await createFailPoints(settings('item-stored=wait:60')).reach('item-stored')
    expect(performance.now() - from).toBeGreaterThan(50)
  })

  it.each(['before-commit', 'before-commit=stop', 'Before=kill', 'before-commit=wait', 'a=kill@'])(
    '%j is refused with one line',
    (text) => {
      expect(() => settings(text)).toThrow(/^fail points: expected .*@number$/)
    },
  )

  it('that do not exist stop the start', () => {
    expect(() => createFailPoints(settings('somewhere=kill'))).toThrow('somewhere is none of')
  })

  it('are refused in production', () => {
    const start = (production: boolean) => failPointsOf('before-commit=kill', { production })
    expect(() => start(true)).toThrow('fail points: for tests only')
    expect(start(false)).not.toBe(noFailPoints)
  })
})

describe('a fail point that throws', () => {
  it('between statement and answer is an error, and the receipt is found', async () => {
    const till = await createTill(stand)
    const broken = openStand(database.config, {
      masterKey,
      deps: {
        failPoints: createFailPoints(readFailPoints('after-commit=throw@1')),
      },
    })
    const lost = job(till, { reference: 'lost' })
    await expect(broken.signing.sign(lost)).rejects.toThrow('fail point after-commit')
    const text = await answer(ask(till, 'lost'))
    const { items } = await readLedger(client, till.queueId)
    expect(items.at(-1)?.response).toBe(text)
    await answer(broken.signing.sign(job(till)))
    await broken.close()
  })
})

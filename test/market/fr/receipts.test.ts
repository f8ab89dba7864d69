// Each kind of receipt of France: its chain, its marks, what is refused, failure and copies.
import { verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { certificateEntry } from '../../../src/device/rksv.js'
import { PROCESSING_VERSION } from '../../../src/lib/version.js'
import { france } from '../../../src/market/fr/index.js'
import { decodePosText } from '../../../src/model/pos-request.js'
import { payloadOf, payloadText, type Sent, TestQueue } from './queue.js'

const FAILED = 1
const TRAINING = 2
const pair = (amount: number): Pick<Sent, 'charges' | 'pays'> => ({
  charges: [[3, amount]],
  pays: [[0x11, amount]],
})
const moved: Pick<Sent, 'pays'> = {
  pays: [
    [1, 5],
    [0x11, -5],
  ],
}

const kinds: [Sent, string, string[]][] = [
  [{ kind: 0x00, ...pair(1) }, 'T', ['']],
  [{ kind: 0x01, ...pair(1) }, 'T', ['']],
  [{ kind: 0x02, ...moved }, 'P', ['', 'justificatif non valable pour encaissement']],
  [{ kind: 0x03, ...pair(1) }, 'I', ['']],
  [{ kind: 0x04 }, 'G', ['Shift Totals', 'Totals', '']],
  [{ kind: 0x05 }, 'G', ['Day Totals', 'Totals', '']],
  [{ kind: 0x06 }, 'G', ['Day Totals', 'Month Totals', 'Totals', '']],
  [{ kind: 0x07 }, 'G', ['Day Totals', 'Month Totals', 'Year Totals', 'Totals', '']],
  [{ kind: 0x08, ...pair(1) }, 'B', ['', 'document provisoire']],
  [{ kind: 0x09, ...pair(1) }, '', []],
  [{ kind: 0x0a, ...moved }, 'P', ['', 'justificatif non valable pour encaissement']],
  [{ kind: 0x0b, ...moved }, 'P', ['', 'justificatif non valable pour encaissement']],
  [{ kind: 0x0c, ...moved }, 'P', ['', 'justificatif non valable pour encaissement']],
  [{ kind: 0x0d, ...pair(1) }, '', []],
  [{ kind: 0x0e, ...pair(1) }, 'B', ['', 'document provisoire']],
  [{ kind: 0x0f }, 'G', ['']],
  [{ kind: 0x10 }, 'G', ['Day Totals', '']],
  [{ kind: 0x12, ...pair(1) }, 'L', ['']],
  [{ kind: 0x13 }, 'L', ['']],
  [{ kind: 0x14, ...pair(1) }, '', []],
  [{ kind: 0x15 }, 'A', ['Day Totals', 'Archive Totals', '']],
  [{ kind: 0x16, previous: 'one' }, 'C', ['', 'Duplicata']],
]

const letterOf = (identification: string) => identification.replace(/^ft[0-9A-F]+#|\d+$/g, '')

describe.each(kinds)('%j', (sent, letter, captions) => {
  it('is signed in its chain, with its texts in their order', async () => {
    const queue = await TestQueue.started()
    const { identification, signatures } = await queue.accept(sent)
    expect(letterOf(identification)).toBe(letter)
    expect(queue.rows.slice(1).map(({ kind }) => kind)).toEqual(letter === '' ? [] : [letter])
    expect(signatures.map(({ caption }) => caption)).toEqual(captions)
  })

  it('in training is signed as practice, and moves no other chain or total', async () => {
    const queue = await TestQueue.started()
    const before = queue.state
    const answer = await queue.accept({ ...sent, flags: TRAINING })
    expect(letterOf(answer.identification)).toBe('X')
    expect(answer.signatures.slice(0, 2).map(({ caption }) => caption)).toEqual(['', 'mode école'])
    expect(answer.lines?.footer).toEqual(['T R A I N I N G'])
    const { X: _before, ...chains } = before.chains
    const { X: _after, ...after } = queue.state.chains
    expect([after, queue.state.periods]).toEqual([chains, before.periods])
  })
})

const ELSEWHERE = 0x05
const refused: [string, Sent, string[]][] = [
  ['a kind that is not known', { kind: 0x17 }, ['ftReceiptCase']],
  ['sums that differ', { kind: 1, charges: [[3, 5]], pays: [[1, 4.99]] }, ['cbPayItems']],
  ['a payment prove with charges', { kind: 2, ...pair(1) }, ['cbChargeItems']],
  ['a payment prove that is no transfer', { kind: 2, pays: [[1, 5]] }, ['cbPayItems']],
  ['a closing with items', { kind: 4, ...pair(1) }, ['cbChargeItems', 'cbPayItems']],
  ['an audit log with items', { kind: 0x13, ...pair(1) }, ['cbChargeItems', 'cbPayItems']],
  ['a bill that is paid', { kind: 8, charges: [[3, 5]], pays: [[ELSEWHERE, 5]] }, ['cbPayItems']],
  ['a copy of nothing', { kind: 0x16 }, ['cbPreviousReceiptReference']],
]

it.each(refused)('refuses %s, and moves nothing', async (_name, sent, members) => {
  const queue = await TestQueue.started()
  const outcome = await queue.run(sent)
  expect(outcome.faults.map(({ member }) => member)).toEqual(members)
  expect([outcome.state, outcome.journal]).toEqual([queue.state, []])
  const [action] = outcome.actions
  expect(action?.message).toBe('The received request contained errors.')
  expect(JSON.parse(action?.dataJson ?? '')).toEqual(outcome.faults.map(({ message }) => message))
})

const told: [number, string, string][] = [
  [0x04, 'Shift closure', ''],
  [0x05, 'Daily closure', 'JET-50'],
  [0x06, 'Monthly closure', 'JET-50'],
  [0x07, 'Yearly closure', 'JET-60'],
  [0x0f, 'Zero receipt', ''],
  [0x10, 'start enable of the queue', ''],
  [0x11, 'try to disable the queue', ''],
  [0x12, 'Log requested', ''],
  [0x15, 'Archive requested', 'JET-20'],
]

it.each(told)(
  'kind %i is told in the action journal with what was signed',
  async (kind, ...text) => {
    const queue = await TestQueue.started()
    const { actions } = await queue.accept({ kind })
    const [action, ...more] = actions
    expect([action?.message, action?.type, action?.priority, more]).toEqual([...text, 0, []])
    expect(action?.dataJson).toBe(payloadText(queue.rows.at(-1)?.content ?? ''))
    const practice = await TestQueue.started()
    expect((await practice.accept({ kind, flags: 2 })).actions).toEqual([])
  },
)

it('a unit may show four characters of its signature behind the document', async () => {
  const queue = await TestQueue.started()
  queue.showsExcerpt = true
  const published =
    '33VI6_018EQaDbl1vz27q7m1pikZQxjEZAWSfAW2mq1pJu4Q74rhZktxVJtUvVELTOL9xXMwTg3sKqAdr-tylA'
  queue.signature = Buffer.from(published, 'base64url')
  const { signatures } = await queue.accept({ kind: 1, ...pair(1) })
  const item = { format: 1n, type: 0x4652_0000_0000_0008n, caption: 'Signature', data: 'V0D2' }
  expect(signatures[1]).toEqual(item)
})

it('a unit may sign in the form of older programs, and its key proves it', async () => {
  const queue = await TestQueue.started()
  queue.isDer = true
  for (let receipts = 0; receipts < 8; receipts += 1) {
    const { journal } = await queue.accept({ kind: 1, ...pair(1) })
    const [header, payload, signature = ''] = (journal[0]?.content ?? '').split('.')
    const bytes = Buffer.from(signature, 'base64url')
    expect(bytes[0]).toBe(0x30)
    const data = Buffer.from(`${header}.${payload}`)
    expect(verify('sha256', data, { key: queue.publicKey, dsaEncoding: 'der' }, bytes)).toBe(true)
  }
})

it('an archive in whose range the year was closed is told as that of the year', async () => {
  const queue = await TestQueue.started()
  queue.moment = new Date('2026-12-31T22:00:00Z')
  await queue.accept({ kind: 7 })
  expect((await queue.accept({ kind: 0x15 })).actions[0]?.type).toBe('JET-30')
  queue.moment = new Date('2027-01-31T22:00:00Z')
  expect((await queue.accept({ kind: 0x15 })).actions[0]?.type).toBe('JET-20')
})

it('another version of the program is told once, the one that began is not', async () => {
  const queue = await TestQueue.started()
  const versions = () => queue.actions.filter(({ type }) => type === 'JET-250')
  await queue.accept({ kind: 0x0f })
  expect(versions()).toEqual([])
  for (const former of ['0.0.1', '']) {
    queue.state = { ...queue.state, version: former }
    await queue.accept({ kind: 0x0f, flags: 2 })
    await queue.accept({ kind: 0x0f })
  }
  const data = versions().map(({ dataJson }) => JSON.parse(dataJson ?? '{}'))
  expect(data).toEqual(['0.0.1', ''].map((before) => ({ version: PROCESSING_VERSION, before })))
})

it('a dry run tells what the law wants to be kept', () => {
  const item = { Description: 'x', Amount: 5, VATRate: 20 }
  const sent = {
    ...{ ftReceiptCase: 0x0006, cbReceiptReference: 'r', cbReceiptMoment: '2026-03-02T10:00:00Z' },
    cbChargeItems: [
      { ...item, VATAmount: 0.83, Unit: 'kg', ftChargeItemCaseData: { NetAmount: 4.17 } },
    ],
  }
  const missing = (more: object): string[] => {
    const request = decodePosText(JSON.stringify({ ...sent, ...more })).request
    return (france.cases.wanted?.(request) ?? []).map(({ path }) => path)
  }
  expect(missing({})).toEqual(['cbUser', 'cbReceiptAmount', 'cbArea', 'cbChargeItems[0].UnitPrice'])
  const whole = { cbUser: 'u', cbReceiptAmount: 5, cbArea: '7', cbChargeItems: [] }
  expect(missing(whole)).toEqual([])
  expect(missing({ ...whole, ftReceiptCase: 0x3010 })).toEqual(['ftReceiptCaseData.CopyReason'])
  const practice = { ...whole, ftReceiptCase: 0x0002_0001 }
  expect(missing(practice)).toEqual(['ftReceiptCaseData.ManagerId'])
  const told = { FR: '{"ManagerId":"17"}' }
  expect(missing({ ...practice, ftReceiptCaseData: told })).toEqual([])
})

it('a unit that fails moves no number and no total', async () => {
  const queue = await TestQueue.started()
  queue.isUnitOut = true
  const outcome = await queue.run({ kind: 1, ...pair(1) })
  expect(outcome.faults).toHaveLength(1)
  expect([outcome.state, outcome.journal]).toEqual([queue.state, []])
})

it('a certificate that changes between question and signature moves nothing', async () => {
  const queue = await TestQueue.started()
  queue.certificate = certificateEntry(Buffer.from('another'))
  const outcome = await queue.run({ kind: 1, ...pair(1) })
  expect(JSON.stringify(outcome.faults)).toContain('the certificate changed')
  expect([outcome.state, outcome.journal]).toEqual([queue.state, []])
})

it('nothing is signed or checked before the start', async () => {
  const queue = new TestQueue()
  const before = await queue.accept({ kind: 0x17 })
  expect([before.identification, before.stateWord]).toEqual(['ft0#', 0x4652_0000_0000_0001n])
  expect((await queue.accept({ kind: 0x10 })).identification).toBe('ft1#G1')
})

it('a start on a running queue closes the day and does not begin it anew', async () => {
  const queue = await TestQueue.started()
  await queue.accept({ kind: 1, ...pair(9) })
  const again = await queue.accept({ kind: 0x10 })
  expect(again.life).toBeUndefined()
  expect(queue.state.periods).toMatchObject({ day: {}, month: { total: '9' } })
})

it('late receipts are shown until a zero receipt tells which they were', async () => {
  const queue = await TestQueue.started()
  const late = await queue.accept({ kind: 1, flags: FAILED, ...pair(1) })
  expect([late.identification, late.stateWord]).toEqual(['ft1#T1', 0x4652_0000_0000_0008n])
  await queue.accept({ kind: 1, ...pair(1) })
  const practice = await queue.accept({ kind: 0x0f, flags: TRAINING })
  expect(practice.signatures.at(-1)).toMatchObject({ data: 'From ft1#T1 to ft3#X1 ' })
  const zero = await queue.accept({ kind: 0x0f, flags: FAILED })
  expect(zero.signatures[0]).toMatchObject({
    ...{ caption: 'Failure registered', data: 'From ft1#T1 to ft4#G2 ' },
    type: 0x4652_0000_0000_1000n,
  })
  expect(zero.stateWord).toBe(0x4652_0000_0000_0000n)
})

it('a message is announced until a zero receipt has shown it', async () => {
  const queue = await TestQueue.started()
  const message = { moment: 1, caption: 'Code 90: …', data: '["receipt 7"]' }
  queue.state = { ...queue.state, messages: [message] }
  const pending = { format: 1n, type: 0x4652_0000_0000_1000n, caption: 'Message pending' }
  for (const sent of [
    { kind: 1, ...pair(1) },
    { kind: 9, ...pair(1) },
    { kind: 5, flags: TRAINING },
  ]) {
    const { signatures, stateWord } = await queue.accept(sent)
    expect(signatures.at(-1)).toEqual({ ...pending, data: 'Create a Zero receipt' })
    expect(stateWord).toBe(0x4652_0000_0000_0040n)
  }
  const shown = { format: 8n, type: pending.type, caption: message.caption, data: message.data }
  const practice = await queue.accept({ kind: 0x0f, flags: TRAINING })
  expect(practice.signatures.at(-1)).toEqual(shown)
  expect(practice.stateWord & 0x40n).toBe(0x40n)
  const zero = await queue.accept({ kind: 0x0f })
  expect(zero.signatures[0]).toEqual(shown)
  expect([zero.stateWord & 0x40n, queue.state.messages]).toEqual([0n, []])
  expect((await queue.accept({ kind: 1, ...pair(1) })).signatures).toHaveLength(1)
})

it('copies are counted by the reference of the original, those in training are not', async () => {
  const queue = await TestQueue.started()
  const data: unknown[] = []
  const sent: Sent[] = ['a', 'a', 'b'].map((previous) => ({ kind: 0x16, previous }))
  sent.splice(1, 0, { kind: 0x16, previous: 'a', flags: TRAINING })
  for (const one of sent) data.push((await queue.accept(one)).signatures.at(-1)?.data)
  expect([data[0], data[2], data[3]]).toEqual([
    ...['1. Duplicata de a', '2. Duplicata de a', '1. Duplicata de b'],
  ])
})

it('an archive names its range, and the next one begins with it', async () => {
  const queue = await TestQueue.started()
  const start = queue.itemId
  await queue.accept({ kind: 1, ...pair(4) })
  const sale = queue.itemId
  await queue.accept({ kind: 0x15 })
  const first = queue.itemId
  expect(payloadOf(queue.rows.at(-1))).toMatchObject({ fcrqiid: start, lcrqiid: sale })
  expect(payloadOf(queue.rows.at(-1))).not.toHaveProperty('paqiid')
  await queue.accept({ kind: 0x15 })
  const second = payloadOf(queue.rows.at(-1))
  expect(second).toMatchObject({ paqiid: first, fcrqiid: first, lcrqiid: first })
  queue.moment = new Date('2027-03-03T08:00:00Z')
  const [fault] = (await queue.run({ kind: 0x15 })).faults
  expect(fault?.message).toContain('365 days')
})

const business: [string, Sent, Record<string, number>][] = [
  [
    'a currency exchange',
    {
      kind: 0x0c,
      pays: [
        [1, 80],
        [2, -80],
      ],
    },
    { total: 0, 'pi-c': 0 },
  ],
  [
    'an exchange one to one',
    {
      kind: 1,
      charges: [
        [3, 49.9],
        [3, -49.9],
      ],
      pays: [
        [1, 49.9],
        [0x11, -49.9],
      ],
    },
    { total: 0, 'ci-n': 0, 'pi-c': 49.9, 'pi-i': -49.9 },
  ],
  [
    'an exchange with something more',
    {
      kind: 1,
      charges: [
        [3, 49.9],
        [3, 99.9],
        [3, -49.9],
      ],
      pays: [
        [1, 149.8],
        [0x11, -49.9],
      ],
    },
    { total: 99.9, 'ci-n': 99.9, 'pi-c': 149.8, 'pi-i': -49.9 },
  ],
  [
    'a return',
    { kind: 1, charges: [[3, -49.9]], pays: [[1, -49.9]] },
    { total: -49.9, 'ci-n': -49.9, 'pi-c': -49.9 },
  ],
  [
    'a discount of ten percent, by card',
    {
      kind: 1,
      charges: [
        [2, 11.3],
        [2, -1.13],
        [3, 12.5],
        [3, -1.25],
      ],
      pays: [[4, 21.42]],
    },
    { total: 21.42, 'ci-n': 11.25, 'ci-r2': 10.17, 'pi-n': 21.42 },
  ],
]

it.each(business)('%s has exactly the buckets of its items', async (_name, sent, buckets) => {
  const queue = await TestQueue.started()
  const { journal } = await queue.accept(sent)
  const { qid, cbid, siret, rid, dt, qiid, csn, rc, hash, ...amounts } = payloadOf(journal[0])
  expect(amounts).toEqual(buckets)
})

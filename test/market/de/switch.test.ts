// The change from one TSE to another, with its conditions and its accidents.
import { describe, expect, it } from 'vitest'
import { TSE_STATES } from '../../../src/device/tse/tse.js'
import { readClosing } from '../../../src/market/de/queue.js'
import { de, implicit, receipt, sale } from '../../support/de/make.js'
import { MemoryTse } from '../../support/de/memory-tse.js'
import {
  CASH_BOX_ID,
  dataOf,
  QUEUE_ID,
  SERIAL,
  slot,
  TestQueue,
} from '../../support/de/test-queue.js'

const READY = 0x4445_0000_0000_0000n
const SWITCHING = READY | 0x100n
const FAILED = READY | 2n
const FORCE = 0x4000_0000n
const CLIENT_ONLY = 0x0100_0000n
const VOID = 0x4_0000n
const daily = receipt(implicit(0x7))
const initiate = receipt(implicit(0x17))
const finish = receipt(implicit(0x18))
const forced = receipt(implicit(0x17) | FORCE)

interface Scene {
  queue: TestQueue
  source: MemoryTse
  target: MemoryTse
}

async function scene({ prepared = true } = {}): Promise<Scene> {
  const source = new MemoryTse('source')
  const target = new MemoryTse('target')
  const devices = prepared
    ? [
        slot(source, 'scu-1', { mode: 0x1_0001, configuration: { TargetScuId: 'SCU-2' } }),
        slot(target, 'scu-2', { mode: 0x2_0000, configuration: { SourceScuId: 'scu-1' } }),
      ]
    : [slot(source, 'scu-1'), slot(target, 'scu-2')]
  return { queue: await TestQueue.started({ devices }, source), source, target }
}

const parties = (tse: MemoryTse) =>
  `Kassenseriennummer: ${SERIAL}, TSE-Seriennummer: ${tse.identity().serialHex}, ` +
  `Queue-ID: ${QUEUE_ID}`

describe('an SCU switch', () => {
  it('leaves the source, answers with 0x100 in between, and goes on with the target', async () => {
    const { queue, source, target } = await scene()
    await queue.accept(daily)
    const begun = await queue.accept(initiate)
    expect([begun.identification, begun.stateWord]).toEqual(['ft2#IT3', READY])
    expect([source.state, source.clients]).toEqual([TSE_STATES.terminated, []])
    const between = await queue.accept(sale(implicit(0x1)))
    expect([between.identification, between.stateWord, between.signatures]).toEqual([
      'ft3#',
      SWITCHING,
      [],
    ])
    expect(target.calls).toEqual([])
    const ended = await queue.accept(finish)
    expect([ended.identification, ended.stateWord]).toEqual(['ft4#IT1', READY])
    expect([target.state, target.clients]).toEqual([TSE_STATES.initialized, [SERIAL]])
    expect((await queue.accept(sale(implicit(0x1)))).identification).toBe('ft5#IT2')
    expect(queue.journalled('scu-1')).toEqual(source.log)
    expect(queue.journalled('scu-2')).toEqual(target.log)
  })

  it('is told on the receipts and in the action journal', async () => {
    const { queue, source, target } = await scene()
    await queue.accept(daily)
    const begun = await queue.accept(initiate)
    const base = {
      CashBoxId: CASH_BOX_ID,
      QueueId: QUEUE_ID,
      Moment: '2026-01-01T10:00:00.000Z',
      CashBoxIdentification: SERIAL,
      SourceSCUId: 'scu-1',
      TargetSCUId: 'scu-2',
      Version: 'V0',
    }
    expect(dataOf(begun, 'TSE-Trennungs-Beleg')).toBe(parties(source))
    const left = `SCU von Queue getrennt. ${parties(source)}, SCU-ID: scu-1`
    const leaving = {
      ...base,
      SourceSCUPackageName: 'test.SCU',
      SourceSCUSignatureAlgorithm: 'ecdsa-plain-SHA256',
      SourceSCUPublicKeyBase64: Buffer.from('key of source').toString('base64'),
      SourceSCUSerialNumberOctet: source.identity().serialHex,
    }
    expect(JSON.parse(dataOf(begun, left) ?? '')).toEqual(leaving)
    const [initiated] = queue.actionsOf('4445000000000003-InitiateSCUSwitch')
    expect(JSON.parse(initiated?.dataJson ?? '')).toEqual(leaving)
    const ended = await queue.accept(finish)
    expect(dataOf(ended, 'TSE-Verbindungs-Beleg')).toBe(parties(target))
    const joined = `SCU mit Queue verbunden. ${parties(target)}, SCU-ID: scu-2`
    expect(JSON.parse(dataOf(ended, joined) ?? '')).toMatchObject({
      ...base,
      TargetSCUSerialNumberOctet: target.identity().serialHex,
    })
    expect(JSON.parse(ended.stateData ?? '').TseInfo.CurrentState).toBe(1)
    expect(queue.actionsOf('4445000000000003-FinishSCUSwitch').length).toBe(1)
  })

  it('names both TSEs in the next closing and the new one in those after it', async () => {
    const { queue } = await scene()
    for (const request of [daily, initiate, finish, daily, daily]) await queue.accept(request)
    const units = queue
      .rowsOf('closing')
      .map(({ content }) => readClosing(content).units.map(({ scuId }) => scuId))
    expect(units).toEqual([['scu-1'], ['scu-1', 'scu-2'], ['scu-2']])
  })

  it('leaves the source in operation when only the client is to be unregistered', async () => {
    const { queue, source } = await scene()
    await queue.accept(daily)
    await queue.accept(receipt(implicit(0x17) | CLIENT_ONLY))
    expect([source.state, source.clients]).toEqual([TSE_STATES.initialized, []])
  })
})

describe('the initiate-scu-switch receipt', () => {
  it('comes right after a daily closing, unless it is forced', async () => {
    const { queue } = await scene()
    expect((await queue.refuse(initiate)).message).toContain('right after a daily-closing')
    await queue.accept(daily)
    await queue.accept(sale(implicit(0x1)))
    expect((await queue.refuse(initiate)).message).toContain('right after a daily-closing')
    expect((await queue.accept(forced)).stateWord).toBe(READY)
  })

  it('is accepted after a refused one: that took no receipt number', async () => {
    const { queue } = await scene()
    await queue.accept(daily)
    await queue.refuse(sale(de(0x1)))
    expect((await queue.accept(initiate)).stateWord).toBe(READY)
  })

  it('needs source and target that name each other', async () => {
    const { queue } = await scene({ prepared: false })
    await queue.accept(daily)
    expect((await queue.refuse(initiate)).message).toContain('source SCU')
    const other = await scene()
    await other.queue.accept(daily)
    const [source, target] = other.queue.devices
    if (source === undefined || target === undefined) throw new Error('two devices')
    target.scu.configuration = '{"SourceScuId":"another"}'
    expect((await other.queue.refuse(initiate)).message).toContain('target SCU')
    target.scu.mode = 0
    expect((await other.queue.refuse(initiate)).message).toContain('target SCU')
    source.scu.configuration = 'no json'
    expect((await other.queue.refuse(initiate)).message).toContain('source SCU')
  })

  it('goes through without the source, unsigned, at any time', async () => {
    const { queue, source } = await scene()
    source.down = true
    const answer = await queue.accept(initiate)
    expect([answer.identification, answer.signatures]).toEqual(['ft1#', []])
    const [action] = queue.actionsOf('4445000000000003-InitiateSCUSwitch')
    expect(JSON.parse(action?.dataJson ?? '')).toMatchObject({
      SourceSCUSerialNumberOctet: source.identity().serialHex,
    })
    expect((await queue.accept(finish)).stateWord).toBe(READY)
  })
})

describe('a switch in progress', () => {
  it('is repeated when the target fails, and nothing of its log is lost', async () => {
    const { queue, target } = await scene()
    await queue.accept(daily)
    await queue.accept(initiate)
    target.fail('finish', 3)
    const outcome = await queue.refuse(finish)
    expect(outcome.message).toContain('target TSE')
    expect(queue.state.scuId).toBeNull()
    expect((await queue.accept(sale(implicit(0x1)))).stateWord).toBe(SWITCHING)
    expect((await queue.accept(finish)).stateWord).toBe(READY)
    expect(queue.journalled('scu-2')).toEqual(target.log)
  })

  it('is called off with a void initiate receipt, which links the source again', async () => {
    const { queue, source } = await scene()
    await queue.accept(daily)
    await queue.accept(receipt(implicit(0x17) | CLIENT_ONLY))
    const answer = await queue.accept(receipt(implicit(0x17) | VOID))
    expect([answer.stateWord, source.clients]).toEqual([READY, [SERIAL]])
    const [action] = queue.actionsOf('4445000000000003-FinishSCUSwitch')
    expect(JSON.parse(action?.dataJson ?? '')).toMatchObject({ TargetSCUId: 'scu-1' })
    expect((await queue.accept(sale(implicit(0x1)))).stateWord).toBe(READY)
    expect((await queue.refuse(finish)).message).toContain('no SCU switch')
  })

  it('called off to a TSE that was ended goes on in failed mode', async () => {
    const { queue } = await scene()
    await queue.accept(daily)
    await queue.accept(initiate)
    expect((await queue.accept(receipt(implicit(0x17) | VOID))).stateWord).toBe(FAILED)
    expect(queue.state.scuId).toBe('scu-1')
  })

  it('cannot be finished or called off when there is none', async () => {
    const { queue } = await scene()
    expect((await queue.refuse(finish)).message).toContain('no SCU switch')
    const off = await queue.refuse(receipt(implicit(0x17) | VOID))
    expect(off.message).toContain('no SCU switch')
  })
})

describe('a switch because of an outage', () => {
  it('never finishes transactions of the old TSE on the new one', async () => {
    const { queue, source, target } = await scene()
    await queue.accept(receipt(de(0x8), { receiptReference: 'A' }))
    await queue.accept(receipt(de(0x8), { receiptReference: 'B' }))
    source.down = true
    await queue.accept(sale(de(0x1), '1', { receiptReference: 'A' }))
    await queue.accept(receipt(de(0x8), { receiptReference: 'C' }))
    await queue.accept(forced)
    const joined = await queue.accept(finish)
    expect(joined.stateWord).toBe(FAILED)
    expect(queue.actionsOf('4445000020000000-OpenTransaction').length).toBe(2)
    const zero = await queue.accept(receipt(implicit(0x2)))
    expect(zero.stateWord).toBe(READY)
    expect(target.transactions()).toEqual([
      'Start 1',
      'Finish 1 SonstigerVorgang',
      'Start 2',
      'Finish 2 SonstigerVorgang',
      'Start 3',
    ])
    const done = await queue.accept(sale(de(0x1), '1', { receiptReference: 'C' }))
    expect(done.identification).toBe('ft8#T3')
    const lost = await queue.refuse(sale(de(0x1), '1', { receiptReference: 'B' }))
    expect(lost.message).toContain("'B'")
  })
})

// Start, stop and what a queue answers outside its active life.
import { describe, expect, it } from 'vitest'
import { TSE_STATES } from '../../../src/device/tse/tse.js'
import { de, implicit, receipt, sale } from '../../support/de/make.js'
import { MemoryTse } from '../../support/de/memory-tse.js'
import {
  CASH_BOX_ID,
  captionsOf,
  dataOf,
  QUEUE_ID,
  SERIAL,
  slot,
  TestQueue,
} from '../../support/de/test-queue.js'

const READY = 0x4445_0000_0000_0000n
const CLIENT_ONLY = 0x0100_0000n
const partiesOf = (tse: MemoryTse) =>
  `Kassenseriennummer: ${SERIAL}, TSE-Seriennummer: ${tse.identity().serialHex}, ` +
  `Queue-ID: ${QUEUE_ID}`

describe('a queue that is not active', () => {
  it('numbers and stores every receipt, without TSE and with state 1', async () => {
    const queue = new TestQueue()
    const answer = await queue.accept(sale(implicit(0x1)))
    expect([answer.identification, answer.stateWord, answer.signatures]).toEqual([
      'ft0#',
      READY | 1n,
      [],
    ])
    expect(queue.tse.calls).toEqual([])
    await queue.accept(sale(de(0x1)))
    expect(queue.actions.map(({ message }) => message)).toEqual([
      `Queue ${QUEUE_ID} is not active: receipts are stored without signature.`,
    ])
  })

  it('still refuses a receipt whose processData cannot be built', async () => {
    const queue = new TestQueue()
    const broken = sale(implicit(0x1))
    for (const item of broken.payItems) item.payItemCase = de(0x2)
    const outcome = await queue.refuse(broken)
    expect(outcome.field).toBe('cbPayItems[0].ftPayItemCaseData')
  })
})

describe('the initial operation receipt', () => {
  it('puts the TSE into operation, registers the client and activates the queue', async () => {
    const queue = new TestQueue()
    const answer = await queue.accept(receipt(implicit(0x3)))
    expect(queue.tse.calls).toEqual(['setState', 'info', 'register', 'start', 'finish', 'info'])
    expect([answer.identification, answer.stateWord]).toEqual(['ft0#IT1', READY])
    expect([answer.life, queue.startMoment]).toEqual(['begins', queue.moment])
    expect(queue.tse.transactions()).toEqual(['Start 1', 'Finish 1 SonstigerVorgang'])
    expect(dataOf(answer, '<processData>')).toBe('initial operation receipt / start-receipt')
    expect(dataOf(answer, 'In-Betriebnahme-Beleg')).toBe(partiesOf(queue.tse))
    expect(queue.state.units).toEqual([
      {
        scuId: 'scu-1',
        serialHex: queue.tse.identity().serialHex,
        fingerprintHex: queue.tse.identity().certificate.fingerprint.toString('hex'),
      },
    ])
  })

  it('tells who started which TSE, on the receipt and in the action journal', async () => {
    const queue = new TestQueue()
    const answer = await queue.accept(receipt(implicit(0x3)))
    const caption = `In-Betriebnahme-Beleg. ${partiesOf(queue.tse)}`
    const item = answer.signatures.find((one) => one.caption === caption)
    expect([item?.format, item?.type]).toEqual([8n, READY | 3n])
    const { serialHex } = queue.tse.identity()
    const notice = {
      CashBoxId: CASH_BOX_ID,
      QueueId: QUEUE_ID,
      Moment: '2026-01-01T10:00:00.000Z',
      CashBoxIdentification: SERIAL,
      SCUId: 'scu-1',
      SCUPackageName: 'test.SCU',
      SCUSignatureAlgorithm: 'ecdsa-plain-SHA256',
      SCUPublicKeyBase64: Buffer.from('key of tse').toString('base64'),
      SCUSerialNumberBase64: Buffer.from(serialHex, 'hex').toString('base64'),
      IsStartReceipt: true,
      Version: 'V0',
    }
    expect(JSON.parse(item?.data ?? '')).toEqual(notice)
    const [action] = queue.actionsOf('4445000000000003-ActivateQueueSCU')
    expect(action).toMatchObject({ priority: -1, message: caption })
    expect(JSON.parse(action?.dataJson ?? '')).toEqual(notice)
  })

  it('shows the TSE in ftStateData under the names of the signing-device interface', async () => {
    const queue = new TestQueue()
    const answer = await queue.accept(receipt(implicit(0x3)))
    expect(JSON.parse(answer.stateData ?? '').TseInfo).toMatchObject({
      CurrentNumberOfClients: 1,
      CurrentClientIds: [SERIAL],
      CurrentStartedTransactionNumbers: [],
      CurrentNumberOfSignatures: 5,
      CurrentState: 1,
      SerialNumberOctet: queue.tse.identity().serialHex,
      LogTimeFormat: 'unixTime',
      CertificatesBase64: [
        Buffer.from('certificate of tse').toString('base64'),
        Buffer.from('root').toString('base64'),
      ],
    })
  })

  it('leaves the state of a TSE alone when only the client is to be registered', async () => {
    const tse = new MemoryTse()
    const queue = new TestQueue({}, tse)
    const early = await queue.refuse(receipt(implicit(0x3) | CLIENT_ONLY))
    expect(early.message).toContain('the TSE is in state 0, not in 1')
    tse.state = TSE_STATES.initialized
    await queue.accept(receipt(implicit(0x3) | CLIENT_ONLY))
    expect(tse.log[0]?.operation).toBe('registerClient')
  })

  it('is an error while the TSE is out of reach, and can be repeated', async () => {
    const queue = new TestQueue()
    queue.tse.down = true
    const outcome = await queue.refuse(receipt(implicit(0x3)))
    expect(outcome).toMatchObject({ answered: false, stateWord: 0x4445_2000_eeee_eeeen })
    queue.tse.down = false
    expect((await queue.accept(receipt(implicit(0x3)))).identification).toBe('ft0#IT1')
    expect(queue.state.sscdFailCount).toBe(0)
  })

  it('loses no log message of a TSE that failed half-way', async () => {
    const queue = new TestQueue()
    queue.tse.fail('finish', 3)
    const outcome = await queue.refuse(receipt(implicit(0x3)))
    expect(outcome.journal?.length).toBe(1)
    await queue.accept(receipt(implicit(0x3)))
    expect(queue.journalled()).toEqual(queue.tse.log)
  })

  it('of an active queue is signed, and changes nothing', async () => {
    const queue = await TestQueue.started()
    const answer = await queue.accept(receipt(implicit(0x3)))
    expect([answer.identification, answer.life]).toEqual(['ft1#IT2', undefined])
    expect(captionsOf(answer)).not.toContain('In-Betriebnahme-Beleg')
    expect(queue.tse.calls.filter((call) => call === 'register').length).toBe(1)
  })

  it('needs a signing unit, the implicit flag, and no training flag', async () => {
    const none = new TestQueue({ devices: [] })
    expect((await none.refuse(receipt(implicit(0x3)))).message).toContain('No SCU')
    const queue = new TestQueue()
    expect((await queue.refuse(receipt(de(0x3)))).field).toBe('ftReceiptCase')
    expect((await queue.refuse(receipt(implicit(0x2_0003)))).field).toBe('ftReceiptCase')
    expect(queue.tse.calls).toEqual([])
  })

  it('begins with a unit that is neither unused nor the target of a switch', async () => {
    const devices = [
      slot(new MemoryTse('a'), 'unused', { mode: 99 }),
      slot(new MemoryTse('b'), 'target', { mode: 0x2_0000 }),
      slot(new MemoryTse('c'), 'first'),
    ]
    const queue = await TestQueue.started({ devices })
    expect(queue.state.scuId).toBe('first')
  })
})

describe('the out of operation receipt', () => {
  it('exports, unregisters, ends the TSE and stops the queue for good', async () => {
    const queue = await TestQueue.started()
    queue.tse.calls = []
    const answer = await queue.accept(receipt(implicit(0x4)))
    expect(queue.tse.calls).toEqual(['start', 'finish', 'export', 'unregister', 'setState', 'info'])
    expect(queue.tse.state).toBe(TSE_STATES.terminated)
    expect([answer.life, queue.stopMoment]).toEqual(['ends', queue.moment])
    expect(dataOf(answer, 'Außer-Betriebnahme-Beleg')).toBe(partiesOf(queue.tse))
    const aztec = answer.signatures.find(({ format }) => format === 8n)
    expect([aztec?.type, aztec?.caption]).toEqual([
      READY | 4n,
      `Außer-Betriebnahme-Beleg. ${partiesOf(queue.tse)}`,
    ])
    expect(JSON.parse(aztec?.data ?? '')).toMatchObject({ SCUId: 'scu-1', IsStopReceipt: true })
    expect(queue.actionsOf('4445000000000004-DeactivateQueueSCU').length).toBe(1)
    expect(queue.rowsOf('archive').length).toBe(1)
    expect(queue.journalled()).toEqual(queue.tse.log)
    const after = await queue.accept(sale(implicit(0x1)))
    expect(after.stateWord).toBe(READY | 1n)
  })

  it('leaves the TSE in operation, and unexported, when it is told so', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(implicit(0x4) | CLIENT_ONLY | 0x0400_0000n))
    expect(queue.tse.state).toBe(TSE_STATES.initialized)
    expect(queue.tse.clients).toEqual([])
    expect(queue.rowsOf('archive')).toEqual([])
  })

  it('stops without TSE too, unsigned', async () => {
    const queue = await TestQueue.started()
    queue.tse.down = true
    const answer = await queue.accept(receipt(implicit(0x4)))
    expect([answer.identification, answer.signatures, answer.stateData]).toEqual(['ft1#', [], null])
    expect(queue.stopMoment).not.toBeNull()
    const [action] = queue.actionsOf('4445000000000004-DeactivateQueueSCU')
    expect(action?.message).toBe(`Außer-Betriebnahme-Beleg. ${partiesOf(queue.tse)}`)
  })

  it('cannot be taken back: a start receipt is answered as in failed mode', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(implicit(0x4)))
    const answer = await queue.accept(receipt(implicit(0x3)))
    expect([answer.stateWord, answer.life]).toEqual([READY | 2n, undefined])
  })
})

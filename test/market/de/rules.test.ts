// What a German queue refuses, and what the flags of a zero or fail receipt do.
import { describe, expect, it } from 'vitest'
import { charge, de, de2, implicit, pay, receipt, sale } from '../../support/de/make.js'
import { captionsOf, TestQueue } from '../../support/de/test-queue.js'

const TRAINING = 0x2_0000n
const reference = (receiptReference: string | null) => ({ receiptReference })
const several = (numbers: string, receiptReference: string | null = null) =>
  receipt(implicit(0xb), {
    receiptReference,
    receiptCaseData: `{"CurrentStartedTransactionNumbers":${numbers}}`,
  })

describe('refusals', () => {
  it.each([0x2, 0x5, 0x6, 0x7, 0x17, 0x18, 0x19])('%i needs the implicit flag', async (code) => {
    const queue = await TestQueue.started()
    const outcome = await queue.refuse(receipt(de(code)))
    expect([outcome.field, outcome.answered]).toEqual(['ftReceiptCase', false])
  })

  it.each([0x8, 0x9, 0xa])('%i must not have the implicit flag', async (code) => {
    const queue = await TestQueue.started()
    expect((await queue.refuse(receipt(implicit(code)))).field).toBe('ftReceiptCase')
  })

  it.each([0x3, 0x4, 0x5, 0x6, 0x7, 0x17, 0x18, 0x19])('%i is no training', async (code) => {
    const queue = await TestQueue.started()
    const outcome = await queue.refuse(receipt(implicit(code) | TRAINING))
    expect(outcome.message).toContain('training')
  })

  it('come before the TSE is touched, and change nothing', async () => {
    const queue = await TestQueue.started()
    queue.tse.calls = []
    await queue.refuse(receipt(de(0x7)))
    await queue.refuse(sale(de(0x1)))
    await queue.refuse(receipt(de(0x9)))
    expect(queue.tse.calls).toEqual([])
  })

  it('an explicit receipt needs an open transaction of its reference', async () => {
    const queue = await TestQueue.started()
    const outcome = await queue.refuse(sale(de(0x1), '1', reference('nobody')))
    expect(outcome).toMatchObject({
      message: "No transactionnumber found for cbReceiptReference 'nobody'.",
      field: 'cbReceiptReference',
      stateWord: 0x4445_2000_eeee_eeeen,
    })
  })

  it('a reference is started once', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    expect((await queue.refuse(receipt(de(0x8), reference('A')))).message).toBe(
      "Transactionnumber 2 was already started using cbReceiptReference 'A'.",
    )
    expect((await queue.refuse(receipt(de(0x8), reference(null)))).field).toBe('cbReceiptReference')
  })

  it('an implicit receipt leaves the explicit transaction of its reference alone', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    const answer = await queue.accept(sale(implicit(0x1), '1', reference('A')))
    expect(answer.identification).toBe('ft2#IT3')
    const end = await queue.accept(sale(de(0x1), '1', reference('A')))
    expect(end.identification).toBe('ft3#T2')
  })

  it('unlike sums of charge and pay items are noted, never refused', async () => {
    const queue = await TestQueue.started()
    const request = receipt(implicit(0x1), {
      chargeItems: [charge(de(0x11), '5')],
      payItems: [pay(de(0x1), '4')],
    })
    expect((await queue.accept(request)).identification).toBe('ft1#IT2')
    expect(queue.actionsOf('SumsDiffer').length).toBe(1)
  })

  it('of version 2 are answered', async () => {
    const queue = await TestQueue.started()
    expect(await queue.refuse(receipt(de2(0x4022)))).toMatchObject({ answered: true })
    const foreign = receipt(de2(0x1), { payItems: [pay(0x4154_2000_0000_0001n, '1')] })
    expect((await queue.refuse(foreign)).field).toBe('cbPayItems[0].ftPayItemCase')
  })
})

describe('the fail-transaction receipt', () => {
  it('ends one transaction of the queue, with items or without', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    const answer = await queue.accept(receipt(de(0xb), reference('A')))
    expect(queue.tse.log.at(-1)?.processData).toBe('AVBelegabbruch^0.00_0.00_0.00_0.00_0.00^')
    expect(captionsOf(answer)).not.toContain('<vorgangsbeginn>')
    expect(queue.state.openTransactions).toEqual([])
  })

  it('ends several by their numbers, and has a transaction of its own', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    await queue.accept(receipt(de(0x8), reference('B')))
    const answer = await queue.accept(several('[2,3]'))
    expect([answer.identification, queue.tse.open]).toEqual(['ft3#IT4', []])
    expect(queue.state.openTransactions).toEqual([])
    expect(captionsOf(answer).slice(18)).toEqual([
      'finish-transaction-payload',
      'finish-transaction-signature',
      '<processType>',
      'finish-transaction-payload',
      'finish-transaction-signature',
      '<processType>',
    ])
  })

  it('ends transactions of other clients of the TSE too', async () => {
    const queue = await TestQueue.started()
    queue.tse.clients.push('OTHER')
    queue.tse.open.push({ number: 77, client: 'OTHER', start: new Date(0) })
    expect((await queue.accept(several('[77]'))).stateWord).toBe(0x4445_0000_0000_0000n)
    expect(queue.tse.open).toEqual([])
  })

  it.each([
    ['one with the implicit flag', several('[2]', 'A')],
    ['several without it', receipt(de(0xb), reference(null))],
    ['several without numbers', receipt(implicit(0xb), reference(null))],
    ['several with something else', several('"2"')],
    ['several with wrong numbers', several('[2.5]')],
    ['one that is not open', receipt(de(0xb), reference('nobody'))],
  ])('is refused for %s', async (_name, request) => {
    const queue = await TestQueue.started()
    await queue.refuse(request)
  })
})

describe('the zero receipt', () => {
  it('shows the TSE and the open transactions when it is asked', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    const answer = await queue.accept(receipt(implicit(0x2) | 0x0080_0000n))
    const data = JSON.parse(answer.stateData ?? '')
    expect(data.TransactionNumberDictionary).toEqual({ A: { Key: 'A', Value: 2 } })
    expect(data.TseInfo.CurrentStartedTransactionNumbers).toEqual([2])
    const [action] = queue.actionsOf('2')
    expect(action?.message).toBe('Zero receipt was processed.')
    expect(JSON.parse(action?.dataJson ?? '')).toEqual({ TseInfo: data.TseInfo })
  })

  it('says nothing of the TSE otherwise', async () => {
    const queue = await TestQueue.started()
    expect((await queue.accept(receipt(implicit(0x2)))).stateData).toBeNull()
  })

  it('tests the TSE, and tells when the test fails', async () => {
    const queue = await TestQueue.started()
    const test = receipt(implicit(0x2) | 0x0100_0000n)
    expect((await queue.accept(test)).stateWord).toBe(0x4445_0000_0000_0000n)
    expect(queue.tse.calls.at(-1)).toBe('selfTest')
    queue.tse.fail('selfTest', 3)
    expect((await queue.accept(test)).stateWord).toBe(0x4445_0000_0000_0002n)
  })

  it('and closings ignore items', async () => {
    const queue = await TestQueue.started()
    const answer = await queue.accept(sale(implicit(0x2)))
    expect(answer.identification).toBe('ft1#IT2')
    expect(queue.tse.log.at(-1)?.processData).toBe('zero-receipt')
  })
})

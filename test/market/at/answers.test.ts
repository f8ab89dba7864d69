// What stands in an answer besides the code: names, sandbox explanations, v2 forms, errors.
import { describe, expect, it } from 'vitest'
import { at, at2, charge, pay, receipt, sale, startReceipt, zeroReceipt } from './support/make.js'
import { captionsOf, fieldOf, QUEUE_ID, TestQueue } from './support/test-queue.js'

const TRAINING = 0x2_0000n
const VOID = 0x4_0000n

const textsOf = (answer: { signatures: { caption: string; data: string }[] }) =>
  answer.signatures.map(({ caption, data }) => `${caption}|${data}`)

describe('names of receipts', () => {
  it('training and void receipts are named directly after the code', async () => {
    const queue = await TestQueue.started()
    const training = await queue.accept(sale('5.00', TRAINING))
    expect(captionsOf(training)).toEqual(['', 'Trainingsbuchung'])
    expect(training.signatures[1]).toMatchObject({ format: 1n, type: at(0) })
    const isVoid = await queue.accept(sale('-5.00', VOID))
    expect(textsOf(isVoid).slice(1)).toEqual(['Stornobuchung|Stornobuchung'])
  })

  it('training wins over void', async () => {
    const queue = await TestQueue.started()
    const both = await queue.accept(sale('-5.00', TRAINING | VOID))
    expect([fieldOf(both, 10), captionsOf(both)]).toEqual(['VFJB', ['', 'Trainingsbuchung']])
  })

  it('a training receipt never moves the counter, but the chain', async () => {
    const queue = await TestQueue.started()
    await queue.accept(sale('7.00'))
    const chain = queue.state.lastSignatureHash
    await queue.accept(sale('5.00', TRAINING))
    expect(queue.state.cashTotalizer).toBe('7.00')
    expect(queue.state.cashNumerator).toBe(3)
    expect(queue.state.lastSignatureHash).not.toBe(chain)
  })

  it('a failed void receipt keeps its mark and its name', async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    const answer = await queue.accept(sale('-5.00', VOID))
    expect(fieldOf(answer, 10)).toBe('U1RP')
    expect(captionsOf(answer)).toEqual(['Sicherheitseinrichtung ausgefallen', 'Stornobuchung'])
    expect(queue.state.cashTotalizer).toBe('-5.00')
  })

  it('the code has the configured caption', async () => {
    const queue = await TestQueue.started({ configuration: { 'rksv-caption': 'RKSV' } })
    expect(captionsOf(await queue.accept(sale('1.00')))).toEqual(['RKSV'])
  })
})

describe('production', () => {
  it('explains nothing', async () => {
    const queue = await TestQueue.started()
    const answer = await queue.accept(sale('1.00'))
    expect([captionsOf(answer), answer.stateData]).toEqual([[''], null])
  })
})

describe('the sandbox', () => {
  it('explains a sale before its code and ends with its mark', async () => {
    const queue = await TestQueue.started({ sandbox: true })
    const answer = await queue.accept(
      receipt(at(0x1), {
        charges: [charge(at(0x3), '43.50'), charge(at(0x1), '0.05')],
        pays: [pay(at(0x1), '43.55')],
      }),
    )
    expect(textsOf(answer).toSpliced(2, 1, 'code')).toEqual([
      'Decision 37|Sign: True Counter:True',
      'Counter Add|43.55',
      'code',
      `S A N D B O X|${QUEUE_ID}`,
    ])
    expect(answer.signatures.at(-1)).toMatchObject({ format: 1n, type: 0n })
    expect(answer.signatures[0]?.type).toBe(at(0))
    expect(answer.stateData).toBe(
      '{"Number":37,"Exception":"","Signing":true,"Counting":true,"ZeroReceipt":false}',
    )
  })

  it('explains exceptions that took effect, and names all of them', async () => {
    const queue = await TestQueue.started({ sandbox: true })
    const answer = await queue.accept(
      receipt(at(0x8), {
        charges: [charge(at(0x3), '100.00')],
        pays: [pay(at(0x5), '100.00')],
      }),
    )
    expect(textsOf(answer).slice(0, 3)).toEqual([
      'Decision 5|Sign: False Counter:False',
      'Exception A4|Sign: True Counter:True',
      'Counter Add|100',
    ])
    const empty = await queue.accept(receipt(at(0xd)))
    expect(textsOf(empty)).toEqual([
      'Decision 0|Sign: False Counter:False',
      `S A N D B O X|${QUEUE_ID}`,
    ])
    expect(empty.stateData).toBe(
      '{"Number":0,"Exception":"A1","Signing":false,"Counting":false,"ZeroReceipt":false}',
    )
  })

  it('explains training as signed and not counted', async () => {
    const queue = await TestQueue.started({ sandbox: true })
    const answer = await queue.accept(sale('5.00', TRAINING))
    expect(textsOf(answer)[0]).toBe('Decision 45|Sign: True Counter:False')
    expect(captionsOf(answer)).not.toContain('Counter Add')
  })

  it('explains zero receipts, with SignAll both', async () => {
    const plain = await TestQueue.started({ sandbox: true })
    const zero = await plain.accept(zeroReceipt)
    expect(textsOf(zero).slice(0, 2)).toEqual([
      'Zero-Receipt|Sign: True Counter:True',
      'Counter Add|0',
    ])
    expect(zero.stateData).toBe(
      '{"Number":-1,"Exception":"","Signing":true,"Counting":true,"ZeroReceipt":true}',
    )
    const all = await TestQueue.started({ sandbox: true, configuration: { SignAll: 'true' } })
    expect(captionsOf(await all.accept(zeroReceipt)).slice(0, 3)).toEqual([
      ...['Sign-All-Mode', 'Zero-Receipt', 'Counter Add'],
    ])
  })

  it('marks answers of a queue that is not active too', async () => {
    const queue = new TestQueue({ sandbox: true })
    expect(textsOf(await queue.accept(sale('1.00')))).toEqual([`S A N D B O X|${QUEUE_ID}`])
  })

  it('puts notifications between the texts of the path and the mark', async () => {
    const queue = new TestQueue({ sandbox: true })
    const answer = await queue.accept(startReceipt)
    expect(answer.signatures.map(({ format, type }) => [format, type])).toEqual([
      [1n, at(0)],
      [1n, at(0)],
      [3n, at(1)],
      [1n, at(2)],
      [8n, at(3)],
      [8n, at(3)],
      [1n, 0n],
    ])
  })
})

describe('SignAll', () => {
  it('signs and counts what the table would not, and counts no training', async () => {
    const queue = await TestQueue.started({ sandbox: true, configuration: { SignAll: true } })
    const delivery = receipt(at(0x9), {
      charges: [charge(at(0x3), '8.00')],
      pays: [pay(at(0xb), '8.00')],
    })
    const answer = await queue.accept(delivery)
    expect(answer.identification).toBe('ft1#2')
    expect(textsOf(answer)[0]).toBe('Sign-All-Mode|Sign: True Counter:True')
    expect(answer.stateData).toContain('"Number":-1')
    const training = await queue.accept(sale('5.00', TRAINING))
    expect(textsOf(training)[0]).toBe('Sign-All-Mode|Sign: True Counter:False')
    expect(queue.state.cashTotalizer).toBe('8.00')
  })
})

describe('answers to v2 cases', () => {
  it('have v2 states, types and state data', async () => {
    const queue = new TestQueue({ sandbox: true })
    const start = await queue.accept(receipt(at2(0x4001)))
    expect(start.stateWord).toBe(at2(0))
    expect(start.signatures.map(({ type }) => type)).toEqual([
      ...[at2(0), at2(0), at2(1), at2(0x1_0002), at2(3), at2(3)],
      0n,
    ])
    const answer = await queue.accept(
      receipt(0x0000_2000_0000_0001n, {
        charges: [charge(at2(0x13), '7.60')],
        pays: [pay(at2(0x1), '10.00'), pay(at2(0x20_0001), '-2.40')],
      }),
    )
    expect(answer.stateData).toBe(
      '{"AT":{"Number":37,"Exception":"","Signing":true,"Counting":true,"ZeroReceipt":false}}',
    )
    expect(queue.state.cashTotalizer).toBe('7.60')
    expect((await queue.accept(receipt(at2(0x2012)))).signatures[3]?.type).toBe(at2(0x1_0002))
  })

  it('of a queue that is not active have the v2 bit', async () => {
    const queue = new TestQueue()
    expect((await queue.accept(receipt(at2(0x1)))).stateWord).toBe(0x4154_2000_0000_0001n)
  })
})

describe('errors', () => {
  it.each([
    ['unknown v2 case', at2(0x2222)],
    ['another country', 0x4445_2000_0000_0001n],
    ['another version', 0x4154_5000_0000_0001n],
  ])('%s: answered with the error state of Austria', async (_, word) => {
    const queue = await TestQueue.started()
    expect(await queue.refuse(receipt(word))).toMatchObject({
      stateWord: 0x4154_2000_eeee_eeeen,
      field: 'ftReceiptCase',
      answered: true,
    })
  })

  it('are faults in v0/v1, with and without country', async () => {
    const queue = await TestQueue.started()
    const items = { charges: [charge(at(0x3), '1')] }
    for (const word of [at(0x2), 0x2n]) {
      expect(await queue.refuse(receipt(word, items))).toMatchObject({
        stateWord: 0x4154_2000_eeee_eeeen,
        answered: false,
      })
    }
    expect(await queue.refuse(receipt(at2(0x2011), items))).toMatchObject({
      message: 'Zero receipts must not contain charge- or payitems.',
      answered: true,
    })
  })

  it('a counter beyond 8 bytes is refused and moves nothing', async () => {
    const queue = await TestQueue.started()
    const most = '92233720368547758.07'
    await queue.accept(sale(most))
    expect((await queue.refuse(sale('0.01'))).message).toContain('8 bytes')
    expect(queue.state.cashTotalizer).toBe(most)
  })

  it('a queue that lost its key says so', async () => {
    const queue = await TestQueue.started()
    queue.secrets = ''
    expect((await queue.refuse(sale('1.00'))).message).toContain('no encryption key')
  })
})

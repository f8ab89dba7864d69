// A queue from its first receipt to its last: start, zero, monthly, yearly and stop receipts.
import { describe, expect, it } from 'vitest'
import type { Signature } from '../../../src/model/receipt.js'
import {
  at,
  at2,
  charge,
  monthlyReceipt,
  pay,
  receipt,
  sale,
  startReceipt,
  stopReceipt,
  yearlyReceipt,
  zeroReceipt,
} from './support/make.js'
import { CASH_BOX_ID, captionsOf, QUEUE_ID, qrOf, TestQueue } from './support/test-queue.js'
import { vectors } from './support/vectors.js'

const TRAINING = 0x2_0000n
const VOID = 0x4_0000n

function text(caption: string, data = caption): Signature {
  return { format: 1n, type: at(2), caption, data }
}

describe('a new queue', () => {
  it('answers everything but a start receipt unsigned, with bit 01 and a number', async () => {
    const queue = new TestQueue()
    for (const request of [sale('5.00'), zeroReceipt, stopReceipt, monthlyReceipt]) {
      const number = queue.receiptNumerator
      const answer = await queue.accept(request)
      expect(answer.stateWord).toBe(at(0x01))
      expect(answer.identification).toBe(`ft${number}#`)
      expect([answer.signatures, answer.journal]).toEqual([[], []])
    }
    expect(queue.device.tries).toBe(0)
    expect(queue.actions.map(({ type }) => type)).toEqual(['QueueNotActive'])
  })

  it('refuses a zero receipt with items only when it is active', async () => {
    const request = receipt(at(0x2), { charges: [charge(at(0x3), '1')] })
    expect((await new TestQueue().accept(request)).stateWord).toBe(at(0x01))
    expect((await (await TestQueue.started()).refuse(request)).message).toBe(
      'Zero receipts must not contain charge- or payitems.',
    )
  })
})

describe('the start receipt', () => {
  it('is signed, named, and tells FinanzOnline of the activation and the signature', async () => {
    const queue = new TestQueue()
    const answer = await queue.accept(startReceipt)
    expect(queue.startMoment).toEqual(queue.moment)
    expect(answer.stateWord).toBe(at(0))
    expect(answer.identification).toBe('ft0#1')
    const [row] = queue.rows
    const jws = row?.content ?? ''
    expect(captionsOf(answer)).toEqual([
      '',
      'Startbeleg',
      `Aktivierung (Inbetriebnahme) einer Sicherheitseinrichtung ${QUEUE_ID} nach RKSV. (Queue)`,
      `Prüfen der Signatur ${jws} mittels FON.`,
    ])
    expect(answer.signatures[1]).toEqual(text('Startbeleg'))
    const notes = queue.actions.filter(({ priority }) => priority < 0)
    expect(answer.signatures.slice(2)).toEqual([
      {
        format: 8n,
        type: at(3),
        caption: notes[0]?.message,
        data: JSON.stringify({
          ActionJournalId: notes[0]?.id,
          Type: '0x4154000000000003-FonActivateQueue',
          Data: {
            CashBoxId: CASH_BOX_ID,
            QueueId: QUEUE_ID,
            Moment: '2025-01-05T07:00:00Z',
            CashBoxIdentification: 'OFP-AT-0001',
            DEPValue: '',
            IsStartReceipt: true,
          },
        }),
      },
      {
        format: 8n,
        type: at(3),
        caption: notes[1]?.message,
        data: JSON.stringify({
          ActionJournalId: notes[1]?.id,
          Type: '0x4154000000000003-FonVerifySignature',
          Data: {
            CashBoxId: CASH_BOX_ID,
            QueueId: QUEUE_ID,
            DEPValue: jws,
            CashBoxIdentification: 'OFP-AT-0001',
          },
        }),
      },
    ])
  })

  it('leaves the whole signature in the action journal, and never the key', async () => {
    const queue = await TestQueue.started()
    const notes = queue.actions.filter(({ priority }) => priority === -1)
    expect(notes.map(({ type }) => type)).toEqual([
      '0x4154000000000003-FonActivateQueue',
      '0x4154000000000003-FonVerifySignature',
    ])
    for (const { dataJson, dataBase64 } of notes) {
      expect(dataBase64).toBe('jws')
      expect(JSON.parse(dataJson ?? '')).toMatchObject({ DEPValue: queue.rows[0]?.content })
    }
    expect(JSON.stringify(queue.actions)).not.toContain(vectors.input.aesKeyBase64)
  })

  it('makes a key where there is none, and keeps a configured one', async () => {
    const without = new TestQueue({ secrets: '' })
    const made = await without.accept(startReceipt)
    const key = Buffer.alloc(32, 7).toString('base64')
    expect(JSON.parse(made.secrets ?? '')).toEqual({ encryptionKeyBase64: key })
    expect((await new TestQueue().accept(startReceipt)).secrets).toBeUndefined()
    expect(qrOf(made)).not.toBe(qrOf(await new TestQueue().accept(startReceipt)))
  })

  it.each(['AAAA', 'not base64', `${'A'.repeat(44)}`])('refuses the key %s', async (key) => {
    const queue = new TestQueue({ secrets: JSON.stringify({ encryptionKeyBase64: key }) })
    expect((await queue.refuse(startReceipt)).message).toContain('32 bytes')
  })

  it.each(['', 'A_B', ' A', 'Ä', 'A'.repeat(65)])('refuses the Kassen-ID "%s"', async (name) => {
    const queue = new TestQueue({ identification: name })
    expect((await queue.refuse(startReceipt)).message).toContain('ftCashBoxIdentification')
  })

  it('settles the first of its month by the time of the queue in Vienna', async () => {
    const queue = new TestQueue()
    queue.setTime('2025-01-31T23:30:00Z')
    await queue.accept({ ...startReceipt, receiptMoment: new Date('9999-06-30T23:30:00Z') })
    expect(queue.state.lastSettlementMonth).toBe(2)
    expect(queue.state.lastSettlementMoment).toBe(Date.parse('2025-02-01T00:00:00+01:00'))
  })

  it('changes nothing when no device signs, and can be tried again', async () => {
    const queue = new TestQueue({ secrets: '' })
    queue.device.broken = 'off'
    const before = structuredClone(queue.state)
    const answer = await queue.accept(startReceipt)
    expect(answer.stateWord).toBe(at(0x01))
    expect(answer.identification).toBe('ft0#')
    const data = `Queue ${QUEUE_ID} could not be activated: its start receipt was not signed. `
    expect(answer.signatures).toEqual([
      { ...text('Startbeleg nicht signiert'), type: at(0), data: `${data}scu-1: off` },
    ])
    expect(answer.journal).toEqual([])
    expect([queue.state, queue.secrets, queue.startMoment]).toEqual([before, '', null])
    expect(queue.actions.map(({ type }) => type)).toEqual(['StartNotSigned'])

    queue.device.broken = undefined
    expect((await queue.accept(startReceipt)).identification).toBe('ft1#1')
    expect(queue.startMoment).not.toBeNull()
  })

  it('with items is answered unsigned and starts nothing', async () => {
    const queue = new TestQueue()
    const answer = await queue.accept(receipt(at(0x3), { pays: [pay(at(0x1), '1')] }))
    expect([answer.signatures, answer.journal, queue.startMoment]).toEqual([[], [], null])
    expect(answer.stateWord).toBe(at(0x01))
    expect(queue.actions.map(({ type }) => type)).toEqual(['OperationWithItems'])
  })

  it('on an active queue is a plain zero receipt', async () => {
    const queue = await TestQueue.started()
    const { startMoment } = queue
    queue.setTime('2025-01-06T07:00:00Z')
    const answer = await queue.accept(startReceipt)
    expect(captionsOf(answer)).toEqual([''])
    expect(answer.identification).toBe('ft1#2')
    expect(queue.startMoment).toBe(startMoment)
    expect(queue.actions.at(-1)?.type).toBe('QueueAlreadyActive')
  })
})

describe('the zero receipt', () => {
  it('is signed with zero amounts and leaves the counter', async () => {
    const queue = await TestQueue.started()
    await queue.accept(sale('12.34'))
    const answer = await queue.accept(zeroReceipt)
    expect(qrOf(answer)?.split('_').slice(5, 10)).toEqual(Array.from({ length: 5 }, () => '0,00'))
    expect(captionsOf(answer)).toEqual([''])
    expect(queue.state.cashTotalizer).toBe('12.34')
  })

  it('of v2 shows the certificate of the signing unit when asked', async () => {
    const queue = await TestQueue.started()
    const asked = await queue.accept(receipt(at2(0x2000) | 0x10_0000n))
    expect(asked.signatures.at(-1)).toEqual({
      format: 0x0dn,
      type: at2(0),
      caption: 'Signaturzertifikat',
      data: vectors.input.certificateBase64,
    })
    expect(captionsOf(await queue.accept(receipt(at2(0x2010) | 0x10_0000n)))).toEqual([''])
  })
})

describe('operations of the queue', () => {
  const operations = [
    ['zero', zeroReceipt],
    ['start', startReceipt],
    ['stop', stopReceipt],
    ['monthly', monthlyReceipt],
    ['yearly', yearlyReceipt],
  ] as const

  it.each(operations)(
    'a training %s receipt is an error and changes nothing',
    async (name, one) => {
      const queue = await TestQueue.started()
      const training = { ...one, receiptCase: one.receiptCase | TRAINING }
      const { message, field, answered } = await queue.refuse(training)
      expect(message).toContain(`Training mode cannot be used for a ${name} receipt`)
      expect([field, answered]).toEqual(['ftReceiptCase', false])
      const isVoid = { ...one, receiptCase: one.receiptCase | VOID }
      expect((await queue.refuse(isVoid)).message).toContain('void flag cannot be used')
      expect(queue.device.tries).toBe(1)
    },
  )

  it.each(operations.slice(1))('a %s receipt with items is answered unsigned', async (_, one) => {
    const queue = await TestQueue.started()
    const answer = await queue.accept({ ...one, chargeItems: [charge(at(0x3), '1')] })
    expect([answer.stateWord, answer.signatures, answer.journal]).toEqual([at(0), [], []])
    expect(answer.identification).toBe('ft1#')
    expect(queue.stopMoment).toBeNull()
    expect(queue.actions.at(-1)?.type).toBe('OperationWithItems')
  })
})

describe('closings', () => {
  it('a monthly receipt prints counter and number; 1 follows 12', async () => {
    const queue = await TestQueue.started()
    await queue.accept(sale('31.55'))
    const months: string[] = []
    for (let n = 0; n < 13; n += 1) {
      const answer = await queue.accept(monthlyReceipt)
      expect(answer.signatures[1]).toEqual(text(`Monatsbeleg #${(n % 12) + 1}`, '31,55'))
      months.push(answer.signatures[1]?.caption ?? '')
    }
    expect(months.slice(11)).toEqual(['Monatsbeleg #12', 'Monatsbeleg #1'])
    expect(queue.state.lastSettlementMoment).toBe(queue.moment.getTime())
    expect(queue.state.lastSettlementQueueItemId).toBe('item-15')
  })

  it('a monthly receipt without signing device is good enough', async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    const answer = await queue.accept(monthlyReceipt)
    expect(captionsOf(answer)).toEqual(['Sicherheitseinrichtung ausgefallen', 'Monatsbeleg #1'])
    expect(answer.stateWord).toBe(at(0x02))
    expect(queue.state.lastSettlementMonth).toBe(2)
  })

  it('a yearly receipt prints the counter, and its signature is to be verified', async () => {
    const queue = await TestQueue.started()
    await queue.accept(sale('-0.05'))
    const answer = await queue.accept(yearlyReceipt)
    const jws = queue.rows.at(-1)?.content
    expect(captionsOf(answer)).toEqual([
      ...['', 'Jahresbeleg'],
      `Prüfen der Signatur ${jws} mittels FON.`,
    ])
    expect(answer.signatures[1]).toEqual(text('Jahresbeleg', '-0,05'))
    expect(queue.state.lastSettlementMonth).toBe(2)
  })

  it('a yearly receipt without signing device settles nothing and is in the journal', async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    queue.setTime('2026-01-05T07:00:00Z')
    const before = queue.state.lastSettlementMoment
    const answer = await queue.accept(yearlyReceipt)
    expect(captionsOf(answer)).toEqual(['Sicherheitseinrichtung ausgefallen'])
    expect(answer.stateWord).toBe(at(0x22))
    expect([queue.state.lastSettlementMoment, queue.state.lastSettlementMonth]).toEqual([before, 1])
    expect(queue.rows.at(-1)).toMatchObject({ number: 2, scuId: null })
  })
})

describe('the stop receipt', () => {
  it('is signed, named and reported, and nothing is signed after it', async () => {
    const queue = await TestQueue.started()
    const answer = await queue.accept(stopReceipt)
    const jws = queue.rows.at(-1)?.content
    expect(queue.stopMoment).toEqual(queue.moment)
    expect(captionsOf(answer)).toEqual([
      ...['', 'Stopbeleg'],
      `De-Aktivierung (Ausserbetriebnahme) einer Sicherheitseinrichtung ${QUEUE_ID} ` +
        'nach RKSV. (Queue)',
      `Prüfen der Signatur ${jws} mittels FON.`,
    ])
    expect(answer.signatures[2]?.data).toContain('"DEPValue":"","IsStopReceipt":true')
    expect(answer.stateWord).toBe(at(0))

    for (const request of [sale('1.00'), zeroReceipt, startReceipt]) {
      const later = await queue.accept(request)
      expect([later.stateWord, later.signatures, later.journal]).toEqual([at(0x01), [], []])
    }
    expect(queue.rows.length).toBe(2)
  })

  it('without signing device leaves the queue active, its row in the journal', async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    const answer = await queue.accept(stopReceipt)
    expect(queue.stopMoment).toBeNull()
    expect(answer.stateWord).toBe(at(0x02))
    expect(captionsOf(answer)).toEqual(['Sicherheitseinrichtung ausgefallen'])
    expect(queue.rows.at(-1)).toMatchObject({ number: 2, scuId: null })
    expect(queue.actions.at(-1)?.type).toBe('StopNotSigned')

    queue.device.broken = undefined
    await queue.accept(stopReceipt)
    expect(queue.stopMoment).not.toBeNull()
  })
})

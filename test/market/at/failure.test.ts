// Signing devices that fail: failed receipts, circuit breaker, backups, time limits, 48 hours.
import { describe, expect, it } from 'vitest'
import { CredentialsRefused } from '../../../src/device/device.js'
import { certificateEntry } from '../../../src/device/rksv.js'
import {
  at,
  at2,
  monthlyReceipt,
  receipt,
  sale,
  startReceipt,
  stopReceipt,
  yearlyReceipt,
  zeroReceipt,
} from './support/make.js'
import { StubDevice } from './support/stub-device.js'
import { captionsOf, fieldOf, QUEUE_ID, qrOf, slot, TestQueue } from './support/test-queue.js'
import { vectors } from './support/vectors.js'

const FAILED = 'Sicherheitseinrichtung ausgefallen'
const FAILED_PART = 'U2ljaGVyaGVpdHNlaW5yaWNodHVuZyBhdXNnZWZhbGxlbg'
const DEVICE = `einer Sicherheitseinrichtung ${QUEUE_ID} nach RKSV. (Queue)`
const DEACTIVATION = `De-Aktivierung (Ausserbetriebnahme) ${DEVICE}`
const ACTIVATION = `Aktivierung (Inbetriebnahme) ${DEVICE}`

const reported = (queue: TestQueue) =>
  queue.actions.filter(({ priority }) => priority < 0).map(({ type }) => type.split('-')[1])

describe('a failed signing device', () => {
  it('gives a receipt that says so, with number, counter and chain as ever', async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    const answer = await queue.accept(sale('10.00'))
    expect(answer.identification).toBe('ft1#2')
    expect(answer.stateWord).toBe(at(0x02))
    expect(captionsOf(answer)).toEqual([FAILED])
    expect(fieldOf(answer, 13)).toBe(`${FAILED_PART}==`)
    expect([fieldOf(answer, 1), fieldOf(answer, 11)]).toEqual(['R1-AT100', '7a3f19c2'])
    const row = queue.rows.at(-1)
    expect(row?.content.split('.')[2]).toBe(FAILED_PART)
    expect(row).toMatchObject({ number: 2, scuId: null })
    expect(queue.state.cashTotalizer).toBe('10.00')
    expect(queue.actions.at(-1)).toMatchObject({ type: 'SigningUnitsFailed' })
    expect(queue.actions.at(-1)?.message).toContain('scu-1: off')
  })

  it('keeps the certificate of the last success, by its fingerprint only', async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    await queue.accept(sale('10.00'))
    const [signed, failed] = queue.rows
    expect(failed?.certificate).toEqual({
      fingerprint: signed?.certificate?.fingerprint,
      entry: null,
    })
    expect(signed?.certificate?.entry?.der.toString('base64')).toBe(vectors.input.certificateBase64)
  })

  it('is not asked again until a zero receipt, even when it is back', async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    await queue.accept(sale('1.00'))
    const { tries } = queue.device
    expect(tries).toBe(5)
    queue.device.broken = undefined
    for (let n = 0; n < 2; n += 1) {
      const answer = await queue.accept(sale('1.00'))
      expect([captionsOf(answer), answer.stateWord]).toEqual([[FAILED], at(0x02)])
    }
    expect(queue.device.tries).toBe(tries)

    const recovered = await queue.accept(zeroReceipt)
    expect(captionsOf(recovered)).toEqual(['', 'Sammelbeleg'])
    expect(recovered.signatures[1]).toMatchObject({ type: at(2), data: 'Von ft1#2 bis ft4#5' })
    expect(recovered.stateWord).toBe(at(0))
    expect(captionsOf(await queue.accept(sale('1.00')))).toEqual([''])
  })

  it('that refuses the credentials sees them once; the backup is asked', async () => {
    const queue = await TestQueue.started()
    const backup = new StubDevice()
    queue.devices = [...queue.devices, slot(backup, 1, 'scu-2')]
    queue.device.tries = 0
    queue.device.onTry = () => {
      throw new CredentialsRefused('PIN wrong')
    }
    expect(captionsOf(await queue.accept(sale('1.00')))).not.toContain(FAILED)
    expect([queue.device.tries, backup.tries]).toEqual([1, 1])
    backup.broken = 'off'
    queue.state.activeScu = 0
    expect(captionsOf(await queue.accept(sale('1.00')))).toEqual([FAILED])
    expect(queue.device.tries).toBe(2)
  })

  it('stays failed through a zero receipt that cannot be signed', async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    await queue.accept(sale('1.00'))
    const zero = await queue.accept(zeroReceipt)
    expect([captionsOf(zero), zero.stateWord]).toEqual([[FAILED], at(0x02)])
    queue.device.broken = undefined
    const recovered = await queue.accept(zeroReceipt)
    expect(recovered.signatures[1]?.data).toBe('Von ft1#2 bis ft3#4')
  })

  it('stays failed through a signed monthly receipt', async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    await queue.accept(sale('1.00'))
    queue.device.broken = undefined
    const month = await queue.accept(monthlyReceipt)
    expect([captionsOf(month), month.stateWord]).toEqual([['', 'Monatsbeleg #1'], at(0x02)])
    expect(captionsOf(await queue.accept(sale('1.00')))).toEqual([FAILED])
  })

  it('without any signing unit is an error, except while the queue asks none', async () => {
    const queue = await TestQueue.started()
    const { devices } = queue
    queue.devices = []
    const refused = await queue.refuse(sale('1.00'))
    expect(refused.message).toBe('No SCU is connected to this Queue.')
    queue.devices = devices
    queue.device.broken = 'off'
    await queue.accept(sale('1.00'))
    queue.devices = []
    expect(captionsOf(await queue.accept(sale('1.00')))).toEqual([FAILED])
    expect((await queue.refuse(zeroReceipt)).message).toBe('No SCU is connected to this Queue.')
  })
})

describe('a failure of more than 48 hours', () => {
  async function failing(): Promise<TestQueue> {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    queue.setTime('2025-01-05T12:00:00Z')
    await queue.accept(sale('1.00'))
    return queue
  }

  it('is reported once, and waits as a message for the zero receipt', async () => {
    const queue = await failing()
    queue.setTime('2025-01-07T12:00:00Z')
    expect((await queue.accept(sale('1.00'))).stateWord).toBe(at(0x02))
    queue.setTime('2025-01-07T12:00:01Z')
    const first = await queue.accept(sale('1.00'))
    expect(first.stateWord).toBe(at(0x46))
    expect(captionsOf(first)).toEqual([FAILED])
    queue.setTime('2025-01-07T13:00:00Z')
    expect((await queue.accept(sale('1.00'))).stateWord).toBe(at(0x46))
    expect(reported(queue)).toEqual([
      ...['FonActivateQueue', 'FonVerifySignature'],
      'FonDeactivateQueue',
    ])
    const note = queue.actions.filter(({ priority }) => priority < 0)[2]
    expect(JSON.parse(note?.dataJson ?? '')).toMatchObject({ IsStopReceipt: false, DEPValue: '' })

    queue.device.broken = undefined
    const recovered = await queue.accept(zeroReceipt)
    expect(captionsOf(recovered)).toEqual(['', 'Sammelbeleg', DEACTIVATION, ACTIVATION])
    expect(JSON.parse(recovered.signatures[2]?.data ?? '')).toMatchObject({
      ActionJournalId: note?.id,
      Type: '0x4154000000000003-FonDeactivateQueue',
      Data: { Moment: '2025-01-07T12:00:01Z', IsStopReceipt: false },
    })
    expect(recovered.signatures[3]?.data).toContain('"IsStartReceipt":false')
    expect(recovered.stateWord).toBe(at(0))
    expect(reported(queue).slice(3)).toEqual(['FonActivateQueue'])
    expect(captionsOf(await queue.accept(zeroReceipt))).toEqual([''])
  })

  it('that a zero receipt finds out is delivered with it, signed or not', async () => {
    const queue = await failing()
    queue.setTime('2025-01-08T12:00:00Z')
    const failed = await queue.accept(zeroReceipt)
    expect([captionsOf(failed), failed.stateWord]).toEqual([[FAILED, DEACTIVATION], at(0x06)])
    queue.device.broken = undefined
    expect(captionsOf(await queue.accept(zeroReceipt))).toEqual(['', 'Sammelbeleg', ACTIVATION])
  })

  it('is shown in v2 by the local bit', async () => {
    const queue = await failing()
    queue.setTime('2025-01-08T12:00:00Z')
    const answer = await queue.accept(receipt(at2(0x3000)))
    expect(answer.stateWord).toBe(0x4154_2001_0000_0042n)
  })
})

describe('backup signing units', () => {
  const backupIdentity = {
    zda: 'AT2',
    serialHex: '1b',
    certificate: certificateEntry(Buffer.from('another certificate')),
  }

  function pair() {
    const normal = new StubDevice()
    const backup = new StubDevice(backupIdentity)
    const devices = [slot(backup, 1, 'backup'), slot(normal, 0, 'normal')]
    return { normal, backup, devices }
  }

  it('sign in the second round, mark the answer and keep on until a zero receipt', async () => {
    const { normal, backup, devices } = pair()
    const queue = await TestQueue.started({ devices })
    expect([normal.tries, backup.tries]).toEqual([1, 0])
    normal.broken = 'off'
    const first = await queue.accept(sale('1.00'))
    expect(first.stateWord).toBe(at(0x80))
    expect([fieldOf(first, 1), fieldOf(first, 11)]).toEqual(['R1-AT2', '1b'])
    // round 1: normal; round 2: normal, backup
    expect([normal.tries, backup.tries]).toEqual([3, 1])
    expect(queue.actions.at(-1)?.type).toBe('SigningUnitChanged')

    expect((await queue.accept(sale('1.00'))).stateWord).toBe(at(0x80))
    expect([normal.tries, backup.tries]).toEqual([3, 2])

    normal.broken = undefined
    expect((await queue.accept(zeroReceipt)).stateWord).toBe(at(0))
    expect((await queue.accept(sale('1.00'))).stateWord).toBe(at(0))
    expect([normal.tries, backup.tries]).toEqual([5, 2])

    const prints = queue.rows.map(({ certificate }) => certificate?.fingerprint.toString('hex'))
    expect(new Set(prints).size).toBe(2)
    expect(queue.rows.map(({ scuId }) => scuId)).toEqual([
      ...['normal', 'backup', 'backup'],
      ...['normal', 'normal'],
    ])
  })

  it('in use are asked first, and the normal one after them in the same round', async () => {
    const { normal, backup, devices } = pair()
    const queue = await TestQueue.started({ devices })
    normal.broken = 'off'
    await queue.accept(sale('1.00'))
    normal.broken = undefined
    backup.broken = 'off'
    const answer = await queue.accept(sale('1.00'))
    expect(answer.stateWord).toBe(at(0))
    expect(queue.rows.at(-1)?.scuId).toBe('normal')
  })

  it('that are switched off are never asked', async () => {
    const off = new StubDevice()
    const normal = new StubDevice()
    const queue = await TestQueue.started({
      devices: [slot(off, 99, 'off'), slot(off, 0xff, 'deactive'), slot(normal, 0, 'normal')],
    })
    normal.broken = 'off'
    expect(captionsOf(await queue.accept(sale('1.00')))).toEqual([FAILED])
    expect(off.tries).toBe(0)
  })
})

describe('tries and time', () => {
  it.each([
    [{}, 4],
    [{ 'scu-max-retries': '0' }, 1],
    [{ 'scu-max-retries': 1 }, 2],
  ])('with %j a device that fails at once is tried %i times', async (configuration, tries) => {
    const queue = await TestQueue.started({ configuration })
    queue.device.broken = 'off'
    queue.device.tries = 0
    await queue.accept(sale('1.00'))
    expect(queue.device.tries).toBe(tries)
  })

  it('all tries of a receipt share the time limit', async () => {
    const queue = await TestQueue.started({ configuration: { 'scu-timeout-ms': 1000 } })
    queue.device.broken = 'slow'
    queue.device.onTry = () => {
      queue.elapsed += 400
    }
    queue.device.limits = []
    await queue.accept(sale('1.00'))
    expect(queue.device.limits).toEqual([1000, 600, 200])
  })

  it('a time-out in Mode lengthens the limit for its unit only', async () => {
    const patient = new StubDevice()
    const hasty = new StubDevice()
    const devices = [slot(hasty, 0, 'hasty'), slot(patient, 0x0300, 'patient')]
    const queue = await TestQueue.started({ devices, configuration: { 'scu-timeout-ms': 1000 } })
    for (const device of [hasty, patient]) {
      device.broken = 'slow'
      device.limits = []
      device.onTry = () => {
        queue.elapsed += 900
      }
    }
    await queue.accept(sale('1.00'))
    expect(hasty.limits).toEqual([1000])
    expect(patient.limits).toEqual([2100, 1200, 300])
  })

  it('an answer that cannot be a signature is a failed try', async () => {
    const queue = await TestQueue.started()
    queue.device.spoil = (answer) => ({ ...answer, signature: Buffer.from('garbage') })
    expect(captionsOf(await queue.accept(sale('1.00')))).toEqual([FAILED])
    expect(queue.actions.at(-1)?.message).toContain('7 bytes')
  })

  it('a signature that does not verify is noticed where it is to be verified', async () => {
    const queue = await TestQueue.started()
    queue.device.spoil = (answer) => {
      const signature = Buffer.from(answer.signature)
      signature[5] = (signature[5] ?? 0) ^ 1
      return { ...answer, signature }
    }
    queue.device.verified = true
    expect(captionsOf(await queue.accept(sale('1.00')))).toEqual([FAILED])
    expect(queue.actions.at(-1)?.message).toContain('does not verify')
  })

  it('a right signature passes the verification', async () => {
    const queue = new TestQueue()
    queue.device.verified = true
    await queue.accept(startReceipt)
    expect(qrOf(await queue.accept(sale('1.00')))).toBeDefined()
    expect(queue.state.sscdFailCount).toBe(0)
  })

  it('a certificate that changes while signing is a failed try', async () => {
    const queue = await TestQueue.started()
    queue.device.spoil = (answer) => ({ ...answer, serialHex: '1' })
    expect(captionsOf(await queue.accept(sale('1.00')))).toEqual([FAILED])
    expect(queue.actions.at(-1)?.message).toContain('certificate changed')
  })
})

describe('receipts that report', () => {
  it('yearly and stop receipts carry the report that they find out', async () => {
    for (const request of [yearlyReceipt, stopReceipt]) {
      const queue = await TestQueue.started()
      queue.device.broken = 'off'
      await queue.accept(sale('1.00'))
      queue.setTime('2025-01-09T12:00:00Z')
      const answer = await queue.accept(request)
      expect(captionsOf(answer)).toEqual([FAILED, DEACTIVATION])
      expect(answer.stateWord).toBe(at(0x06))
    }
  })
})

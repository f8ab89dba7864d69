// The life of a TSE emulator: states, clients, transactions, clock, memory, and what it keeps.
import { describe, expect, it } from 'vitest'
import { DeviceError } from '../../../src/device/device.js'
import { SOFTWARE_PACKAGE, TSE_STATES } from '../../../src/device/tse/tse.js'
import { emulator } from '../../../src/simulator/tse/emulator.js'
import { CLIENT, FIRST_SECOND, LIMIT, TseStand } from '../../market/de/support/tse-stand.js'

const { uninitialized, initialized, terminated } = TSE_STATES

describe('the driver', () => {
  it('is a stateful device inside the server', () => {
    expect(SOFTWARE_PACKAGE).toBe('fiskalwerk.SCU.DE.Software')
    const { remote, stateful, software } = emulator
    expect({ remote, stateful, software }).toEqual({
      remote: false,
      stateful: true,
      software: true,
    })
  })

  it('describes a unit by its leaf certificate and its serial number', async () => {
    const { scu, tse } = await TseStand.make()
    const { certificate, serialHex } = tse.identity()
    expect(await emulator.describe(scu)).toEqual({
      certificateBase64: certificate.der.toString('base64'),
      serial: serialHex,
      members: { ZDA: '' },
    })
  })
})

describe('states', () => {
  it('a new device is uninitialized and answers about itself only', async () => {
    const stand = await TseStand.make()
    expect(await stand.info()).toMatchObject({ state: uninitialized, signatures: 0, logMemory: 0 })
    const refused = [
      stand.start(),
      stand.update(1),
      stand.finish(1),
      stand.tse.registerClient(CLIENT, LIMIT),
      stand.tse.unregisterClient(CLIENT, LIMIT),
      stand.tse.setTime(LIMIT),
      stand.tse.selfTest(LIMIT),
      stand.tse.exportMemory(false, LIMIT),
    ]
    for (const call of refused) await expect(call).rejects.toThrow(DeviceError)
    expect(stand.logged()).toEqual([])
    expect(stand.scu.changed).toBe(false)
  })

  it('goes from uninitialized to initialized to terminated and no other way', async () => {
    const stand = await TseStand.make()
    const set = (state: 0 | 1 | 2) => stand.tse.setState(state, LIMIT)
    expect(await set(terminated)).toBe(uninitialized)
    expect(await set(uninitialized)).toBe(uninitialized)
    expect(stand.operations()).toEqual([])
    expect(await set(initialized)).toBe(initialized)
    expect(stand.operations()).toEqual(['initialize', 'updateTime'])
    expect(await set(initialized)).toBe(initialized)
    expect(await set(uninitialized)).toBe(initialized)
    expect(stand.operations()).toEqual([])
    expect(await set(terminated)).toBe(terminated)
    expect(stand.operations()).toEqual(['disableSecureElement'])
    for (const state of [uninitialized, initialized, terminated]) {
      expect(await set(state)).toBe(terminated)
    }
    expect(stand.operations()).toEqual([])
  })

  it('a terminated device still answers about itself and exports', async () => {
    const stand = await TseStand.working()
    await stand.tse.setState(terminated, LIMIT)
    await expect(stand.start()).rejects.toThrow(DeviceError)
    await expect(stand.tse.selfTest(LIMIT)).rejects.toThrow(DeviceError)
    await expect(stand.tse.registerClient('K-2', LIMIT)).rejects.toThrow(DeviceError)
    expect((await stand.info()).state).toBe(terminated)
    expect(await stand.tse.exportMemory(false, LIMIT)).toMatchObject({ from: 1, to: 4 })
  })

  it('sets the time with a log message of the times before and after', async () => {
    const stand = await TseStand.working()
    stand.logged()
    stand.seconds.push(FIRST_SECOND + 10, FIRST_SECOND + 12)
    await stand.tse.setTime(LIMIT)
    const [message] = stand.logged()
    const seconds = (second: number) => (FIRST_SECOND + second).toString(16)
    expect(message?.der.toString('hex')).toContain(
      `800a75706461746554696d65810c8104${seconds(10)}8204${seconds(12)}`,
    )
  })
})

describe('clients', () => {
  it('are registered once, in order, and forgotten', async () => {
    const stand = await TseStand.working()
    expect(await stand.tse.registerClient('K-2', LIMIT)).toEqual([CLIENT, 'K-2'])
    stand.logged()
    expect(await stand.tse.registerClient('K-2', LIMIT)).toEqual([CLIENT, 'K-2'])
    expect(stand.operations()).toEqual([])
    expect(await stand.tse.unregisterClient(CLIENT, LIMIT)).toEqual(['K-2'])
    expect(stand.operations()).toEqual(['deregisterClient'])
    expect(await stand.tse.unregisterClient(CLIENT, LIMIT)).toEqual(['K-2'])
    expect(stand.operations()).toEqual([])
    expect(await stand.info()).toMatchObject({ clientIds: ['K-2'] })
  })

  it.each(['', 'K', 'A_B', 'A/B', 'A B', 'Käse', 'x'.repeat(31)])(
    'refuses %j, which cannot stand in a file name of the export',
    async (clientId) => {
      const stand = await TseStand.working()
      await expect(stand.tse.registerClient(clientId, LIMIT)).rejects.toThrow(DeviceError)
      expect((await stand.info()).clientIds).toEqual([CLIENT])
    },
  )

  it('a client that is not registered starts nothing', async () => {
    const stand = await TseStand.working()
    await expect(stand.start({ clientId: 'K-2' })).rejects.toThrow(DeviceError)
    expect((await stand.info()).openTransactions).toEqual([])
  })
})

describe('transactions', () => {
  it('get rising numbers that are never used again', async () => {
    const stand = await TseStand.working()
    const first = await stand.start()
    const second = await stand.start()
    await stand.finish(first.transactionNumber)
    const third = await stand.start()
    const numbers = [first, second, third].map(({ transactionNumber }) => transactionNumber)
    expect(numbers).toEqual([1, 2, 3])
    expect((await stand.info()).openTransactions).toEqual([2, 3])
  })

  it('are started, updated, finished, each with the next signature counter', async () => {
    const stand = await TseStand.working()
    const { transactionNumber, signatureCounter: first } = await stand.start()
    const second = await stand.update(transactionNumber)
    const third = await stand.finish(transactionNumber)
    expect([first, second.signatureCounter, third.signatureCounter]).toEqual([4, 5, 6])
    expect(stand.operations().slice(3)).toEqual([
      'StartTransaction',
      'UpdateTransaction',
      'FinishTransaction',
    ])
  })

  it('are closed for good after the finish', async () => {
    const stand = await TseStand.working()
    const { transactionNumber } = await stand.transaction()
    await expect(stand.finish(transactionNumber)).rejects.toThrow(DeviceError)
    await expect(stand.update(transactionNumber)).rejects.toThrow(DeviceError)
    await expect(stand.finish(99)).rejects.toThrow(DeviceError)
    expect((await stand.info()).signatures).toBe(5)
  })

  it('of one client are not touched by another', async () => {
    const stand = await TseStand.working()
    await stand.tse.registerClient('K-2', LIMIT)
    const { transactionNumber } = await stand.start()
    await expect(stand.update(transactionNumber, { clientId: 'K-2' })).rejects.toThrow(DeviceError)
    await expect(stand.finish(transactionNumber, { clientId: 'K-2' })).rejects.toThrow(DeviceError)
    expect((await stand.finish(transactionNumber)).transactionNumber).toBe(transactionNumber)
  })

  it('number 128 has a leading zero octet, and long data a long length', async () => {
    const stand = await TseStand.working()
    for (let n = 1; n < 127; n += 1) await stand.transaction()
    stand.logged()
    const processData = Buffer.alloc(70_000, 0x41)
    const { transactionNumber } = await stand.transaction({ processData })
    expect(transactionNumber).toBe(127)
    await stand.transaction()
    const [start, finish, next] = stand.logged().map(({ der }) => der.toString('hex'))
    expect(start).toContain('830085017f0420')
    expect(finish).toContain('8283011170414141')
    expect(finish?.startsWith('308301')).toBe(true)
    expect(next).toContain('8300850200800420')
  })

  it('refuses a processType that cannot be logged', async () => {
    const stand = await TseStand.working()
    await expect(stand.start({ processType: 'Käse' })).rejects.toThrow(DeviceError)
    expect((await stand.info()).signatures).toBe(3)
  })
})

describe('the clock', () => {
  it('shows whole seconds and never goes back', async () => {
    const stand = await TseStand.working()
    stand.time = FIRST_SECOND * 1000 + 5_999
    const late = await stand.start()
    expect(late.moment).toEqual(new Date((FIRST_SECOND + 5) * 1000))
    stand.time = FIRST_SECOND * 1000
    const early = await stand.finish(late.transactionNumber)
    expect(early.moment).toEqual(late.moment)
    expect(early.startMoment).toEqual(late.moment)
  })
})

describe('what it remembers', () => {
  it('is in its row after each call, so that a restart changes nothing', async () => {
    const stand = await TseStand.working()
    const { transactionNumber } = await stand.start()
    stand.scu.changed = false
    stand.reopen()
    expect((await stand.info()).openTransactions).toEqual([transactionNumber])
    expect(stand.scu.changed).toBe(false)
    const finished = await stand.finish(transactionNumber)
    expect(finished).toMatchObject({ transactionNumber: 1, signatureCounter: 5 })
    expect(stand.scu.changed).toBe(true)
    stand.reopen()
    expect(await stand.start()).toMatchObject({ transactionNumber: 2, signatureCounter: 6 })
  })

  it('follows a row that another process has moved', async () => {
    const stand = await TseStand.working()
    const before = stand.scu.state
    await stand.start()
    stand.scu.state = before
    expect(await stand.start()).toMatchObject({ transactionNumber: 1, signatureCounter: 4 })
  })

  it('stays small for ever', async () => {
    const stand = await TseStand.working()
    for (let n = 0; n < 300; n += 1) await stand.transaction()
    expect(stand.scu.state.length).toBeLessThan(2_000)
  })

  it('holds no PIN and no key', async () => {
    const stand = await TseStand.working({ adminPin: 'admin-1234', timeAdminPin: 'time-1234' })
    const plain = `${stand.scu.configuration}${stand.scu.state}`
    const secrets = JSON.parse(stand.scu.secrets) as Record<string, string>
    expect(secrets).toMatchObject({ adminPin: 'admin-1234', timeAdminPin: 'time-1234' })
    for (const secret of Object.values(secrets)) expect(plain).not.toContain(secret)
  })

  it('is told by a device opened from the stored row exactly as by the one before', async () => {
    const stand = await TseStand.working()
    await stand.start()
    const before = await stand.info()
    stand.reopen()
    expect(await stand.info()).toEqual(before)
    expect(before).toMatchObject({ clientIds: [CLIENT], openTransactions: [1], signatures: 4 })
  })
})

describe('an export of the memory', () => {
  it('holds everything, and erases nothing unless asked', async () => {
    const stand = await TseStand.working()
    await stand.transaction()
    const whole = { from: 1, to: 5, without: [], erased: false }
    expect(await stand.tse.exportMemory(false, LIMIT)).toEqual(whole)
    expect(await stand.tse.exportMemory(false, LIMIT)).toEqual(whole)
    const bytes = stand.logged().reduce((sum, { der }) => sum + der.length, 0)
    expect((await stand.info()).logMemory).toBe(bytes)
    expect(await stand.tse.exportMemory(true, LIMIT)).toEqual({ ...whole, erased: true })
    expect((await stand.info()).logMemory).toBe(0)
    expect(await stand.tse.exportMemory(false, LIMIT)).toEqual({
      from: 6,
      to: 5,
      without: [],
      erased: false,
    })
  })

  it('leaves the messages of open transactions when it erases', async () => {
    const stand = await TseStand.working()
    const first = await stand.start()
    await stand.transaction()
    const second = await stand.start()
    await stand.update(first.transactionNumber)
    const kept = stand
      .logged()
      .filter(({ signatureCounter }) => [4, 7, 8].includes(signatureCounter))
    expect(await stand.tse.exportMemory(true, LIMIT)).toMatchObject({ from: 1, to: 8, without: [] })
    const bytes = kept.reduce((sum, { der }) => sum + der.length, 0)
    expect((await stand.info()).logMemory).toBe(bytes)
    await stand.finish(first.transactionNumber)
    expect(await stand.tse.exportMemory(true, LIMIT)).toEqual({
      from: 4,
      to: 9,
      without: [[5, 6]],
      erased: true,
    })
    expect(await stand.tse.exportMemory(false, LIMIT)).toMatchObject({ from: 7, to: 7 })
    await stand.finish(second.transactionNumber)
    expect(await stand.tse.exportMemory(false, LIMIT)).toMatchObject({
      from: 7,
      to: 10,
      without: [[8, 9]],
    })
  })

  it('never resets a counter', async () => {
    const stand = await TseStand.working()
    await stand.transaction()
    await stand.tse.exportMemory(true, LIMIT)
    expect(await stand.start()).toMatchObject({ transactionNumber: 2, signatureCounter: 6 })
  })
})

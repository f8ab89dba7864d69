// Limits, PINs and repeated calls of the TSE emulator.
import { describe, expect, it } from 'vitest'
import { DeviceError } from '../../../src/device/device.js'
import { TSE_STATES } from '../../../src/device/tse/tse.js'
import { emulator } from '../../../src/simulator/tse/emulator.js'
import { CLIENT, FIRST_SECOND, LIMIT, TseStand } from '../../market/de/support/tse-stand.js'

const { initialized, terminated } = TSE_STATES

describe('limits', () => {
  it('are those of a usual device unless the settings say otherwise', async () => {
    const stand = await TseStand.working()
    expect(await stand.info()).toMatchObject({
      maxClients: 100,
      maxOpenTransactions: 512,
      maxSignatures: 20_000_000,
      maxLogMemory: 8 * 2 ** 30,
    })
  })

  it('maxClients: one more is refused, a known one is not', async () => {
    const stand = await TseStand.working({ maxClients: 2 })
    await stand.tse.registerClient('K-2', LIMIT)
    await expect(stand.tse.registerClient('K-3', LIMIT)).rejects.toThrow(DeviceError)
    expect(await stand.tse.registerClient('K-2', LIMIT)).toEqual([CLIENT, 'K-2'])
  })

  it('maxOpenTransactions: no start, until one is finished', async () => {
    const stand = await TseStand.working({ maxOpenTransactions: 2 })
    await stand.start()
    await stand.start()
    await expect(stand.start()).rejects.toThrow(DeviceError)
    await stand.finish(1)
    expect((await stand.start()).transactionNumber).toBe(3)
  })

  it('maxSignatures: no transaction beyond it; the device can be closed down', async () => {
    const stand = await TseStand.working({ maxSignatures: 5 })
    await stand.transaction()
    await expect(stand.start()).rejects.toThrow(DeviceError)
    expect((await stand.info()).signatures).toBe(5)
    await stand.tse.unregisterClient(CLIENT, LIMIT)
    expect(await stand.tse.setState(terminated, LIMIT)).toBe(terminated)
  })

  it('maxLogMemory: no message beyond it, until the memory is erased', async () => {
    const roomy = await TseStand.working()
    await roomy.transaction()
    const { logMemory } = await roomy.info()
    const stand = await TseStand.working({ maxLogMemory: logMemory })
    await stand.transaction()
    expect((await stand.info()).logMemory).toBe(logMemory)
    await expect(stand.start()).rejects.toThrow(DeviceError)
    await stand.tse.exportMemory(true, LIMIT)
    expect((await stand.start()).transactionNumber).toBe(2)

    const tight = await TseStand.working({ maxLogMemory: logMemory - 1 })
    await tight.start()
    await expect(tight.finish(1)).rejects.toThrow(DeviceError)
    expect((await tight.info()).openTransactions).toEqual([1])
  })

  it('certificateValidUntil: signs in its last second and not in the next', async () => {
    const certificateValidUntil = new Date((FIRST_SECOND + 100) * 1000).toISOString()
    const stand = await TseStand.working({ certificateValidUntil })
    stand.time = (FIRST_SECOND + 100) * 1000
    const { transactionNumber } = await stand.start()
    stand.time += 1000
    await expect(stand.finish(transactionNumber)).rejects.toThrow('the certificate has expired')
    await expect(stand.start()).rejects.toThrow('the certificate has expired')
    await expect(stand.tse.registerClient('K-2', LIMIT)).rejects.toThrow(DeviceError)
    expect(await stand.tse.setState(terminated, LIMIT)).toBe(terminated)
  })

  it.each([
    { maxClients: 0 },
    { maxOpenTransactions: 2_001 },
    { maxSignatures: 1.5 },
    { profile: 'P-521' },
    { adminPin: '1' },
    { adminPin: 'with blank' },
    { certificateValidUntil: 'tomorrow' },
  ])('are refused as %j', (settings) => {
    expect(emulator.configuration.safeParse(settings).success).toBe(false)
  })
})

const PINS = { adminPin: 'admin-pin', timeAdminPin: 'time-pin' }

describe('PINs', () => {
  const register = (stand: TseStand) => stand.tse.registerClient('K-2', LIMIT)

  it('of the settings work, and a right PIN leaves no log message', async () => {
    const stand = await TseStand.working(PINS)
    await register(stand)
    await stand.tse.setTime(LIMIT)
    await stand.tse.exportMemory(true, LIMIT)
    expect(stand.operations()).toEqual([
      'initialize',
      'updateTime',
      'registerClient',
      'registerClient',
      'updateTime',
    ])
  })

  it('that no longer agree fail every call of the administrator, and no signature', async () => {
    for (const call of [
      register,
      (stand: TseStand) => stand.tse.unregisterClient(CLIENT, LIMIT),
      (stand: TseStand) => stand.tse.setState(terminated, LIMIT),
      (stand: TseStand) => stand.tse.exportMemory(true, LIMIT),
    ]) {
      const stand = await TseStand.working(PINS)
      stand.configure({ adminPin: 'another' })
      await expect(call(stand)).rejects.toThrow('the PIN of the administrator is wrong')
      expect((await stand.transaction()).transactionNumber).toBe(1)
      expect(await stand.tse.exportMemory(false, LIMIT)).toMatchObject({ erased: false })
      expect(await stand.info()).toMatchObject({ clientIds: [CLIENT], state: initialized })
    }
  })

  it('either of the two sets the time', async () => {
    const stand = await TseStand.working(PINS)
    stand.configure({ timeAdminPin: 'another' })
    await stand.tse.setTime(LIMIT)
    stand.configure({ ...PINS, adminPin: 'another' })
    await stand.tse.setTime(LIMIT)
    stand.configure({ adminPin: 'another', timeAdminPin: 'another' })
    await expect(stand.tse.setTime(LIMIT)).rejects.toThrow(DeviceError)
  })

  it('are locked by the third failure in a row, across restarts', async () => {
    const stand = await TseStand.working(PINS)
    stand.configure({ adminPin: 'another' })
    await expect(register(stand)).rejects.toThrow('is wrong')
    stand.reopen()
    await expect(register(stand)).rejects.toThrow('is wrong')
    await expect(register(stand)).rejects.toThrow('is locked')
    stand.reopen()
    await expect(register(stand)).rejects.toThrow('is locked')
    expect((await stand.transaction()).transactionNumber).toBe(1)
  })

  it('a right one in between starts the count anew', async () => {
    const stand = await TseStand.working(PINS)
    for (let round = 0; round < 3; round += 1) {
      stand.configure({ adminPin: 'another' })
      await expect(register(stand)).rejects.toThrow('is wrong')
      await expect(register(stand)).rejects.toThrow('is wrong')
      stand.configure(PINS)
      expect(await register(stand)).toContain('K-2')
    }
  })

  async function lockedStand(): Promise<TseStand> {
    const stand = await TseStand.working(PINS)
    stand.configure({ adminPin: 'another' })
    for (let n = 0; n < 3; n += 1) await expect(register(stand)).rejects.toThrow(DeviceError)
    return stand
  }

  it('a new PIN from the settings unlocks: a wrong one counts anew', async () => {
    const right = await lockedStand()
    right.configure(PINS)
    expect(await register(right)).toContain('K-2')
    const wrong = await lockedStand()
    wrong.configure({ adminPin: 'a-third' })
    await expect(register(wrong)).rejects.toThrow('is wrong')
    await expect(register(wrong)).rejects.toThrow('is wrong')
    await expect(register(wrong)).rejects.toThrow('is locked')
  })

  it('clearing the faults unlocks, and leaves a state without failures as it is', async () => {
    const stand = await lockedStand()
    const unlocked = emulator.cleared?.(stand.scu.state) ?? ''
    stand.scu.state = unlocked
    await expect(register(stand)).rejects.toThrow('is wrong')
    expect(emulator.cleared?.(unlocked)).toBe(unlocked)
  })

  it('are those of the settings at the initialization', async () => {
    const stand = await TseStand.make(PINS)
    stand.configure({ adminPin: 'set-before-use' })
    await stand.tse.setState(initialized, LIMIT)
    expect(await register(stand)).toEqual(['K-2'])
    stand.configure(PINS)
    await expect(register(stand)).rejects.toThrow('is wrong')
  })
})

describe('repeated calls', () => {
  it('a retry with a known item gives the stored answer and logs nothing', async () => {
    const stand = await TseStand.working()
    const started = await stand.start({ queueItemId: 'a' })
    const finished = await stand.finish(1, { queueItemId: 'a' })
    stand.logged()
    stand.reopen()
    expect(await stand.start({ queueItemId: 'a', isRetry: true })).toEqual(started)
    expect(await stand.finish(1, { queueItemId: 'a', isRetry: true })).toEqual(finished)
    expect(stand.logged()).toEqual([])
    expect((await stand.info()).openTransactions).toEqual([])
  })

  it('a retry of what never arrived is carried out', async () => {
    const stand = await TseStand.working()
    const started = await stand.start({ queueItemId: 'a', isRetry: true })
    expect(started).toMatchObject({ transactionNumber: 1, signatureCounter: 4 })
    const finished = await stand.finish(1, { queueItemId: 'a', isRetry: true })
    expect(finished).toMatchObject({ transactionNumber: 1, signatureCounter: 5 })
  })

  it('without IsRetry the same item starts another transaction', async () => {
    const stand = await TseStand.working()
    await stand.start({ queueItemId: 'a' })
    expect((await stand.start({ queueItemId: 'a' })).transactionNumber).toBe(2)
  })

  it('an item that finishes several transactions gets the answer of each', async () => {
    const stand = await TseStand.working()
    await stand.start()
    await stand.start()
    const first = await stand.finish(1, { queueItemId: 'closing' })
    const retry = { queueItemId: 'closing', isRetry: true }
    const second = await stand.finish(2, retry)
    expect(second.transactionNumber).toBe(2)
    expect(await stand.finish(1, retry)).toEqual(first)
    expect(await stand.finish(2, retry)).toEqual(second)
  })

  it('a lost answer waits for its retry while other receipts go on', async () => {
    const stand = await TseStand.working()
    await stand.start()
    stand.script({ do: 'error-after', calls: 1 })
    await expect(stand.finish(1, { queueItemId: 'lost' })).rejects.toThrow('the answer was lost')
    const [, , , , lost] = stand.logged()
    for (let n = 0; n < 50; n += 1) await stand.transaction()
    const again = await stand.finish(1, { queueItemId: 'lost', isRetry: true })
    expect(again.signatureCounter).toBe(5)
    expect(lost?.der.subarray(-64)).toEqual(again.signature)
  })

  it('lost answers without end do not let the memory grow without end', async () => {
    const stand = await TseStand.working({ maxOpenTransactions: 2_000 })
    stand.script({ do: 'error-after' })
    for (let n = 0; n < 150; n += 1) await expect(stand.start()).rejects.toThrow(DeviceError)
    const { answers } = JSON.parse(stand.scu.state) as { answers: unknown[] }
    expect(answers.length).toBe(64)
  })
})

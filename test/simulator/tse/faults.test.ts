// Every fault that a script may ask of the TSE emulator: what is done, what is said, what is kept.
import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DeviceError } from '../../../src/device/device.js'
import { TSE_STATES } from '../../../src/device/tse/tse.js'
import type { FaultKind } from '../../../src/simulator/faults.js'
import { faultKinds } from '../../../src/simulator/faults.js'
import { emulator } from '../../../src/simulator/tse/emulator.js'
import { opensslVerdict } from '../../market/de/support/openssl.js'
import { CLIENT, FIRST_SECOND, LIMIT, TseStand } from '../../market/de/support/tse-stand.js'

const { initialized, terminated } = TSE_STATES

type Call = (stand: TseStand) => Promise<unknown>

/** Each works on a stand with transaction 1 open. */
const CALLS = {
  info: (stand) => stand.info(),
  start: (stand) => stand.start(),
  update: (stand) => stand.update(1),
  finish: (stand) => stand.finish(1),
  state: (stand) => stand.tse.setState(terminated, LIMIT),
  register: (stand) => stand.tse.registerClient('K-2', LIMIT),
  unregister: (stand) => stand.tse.unregisterClient(CLIENT, LIMIT),
  time: (stand) => stand.tse.setTime(LIMIT),
  test: (stand) => stand.tse.selfTest(LIMIT),
  export: (stand) => stand.tse.exportMemory(false, LIMIT),
  erase: (stand) => stand.tse.exportMemory(true, LIMIT),
} as const satisfies Record<string, Call>

type Name = keyof typeof CALLS
const NAMES = Object.keys(CALLS) as Name[]
const SIGNING: Name[] = ['start', 'update', 'finish']

async function standWith(...steps: Parameters<TseStand['script']>): Promise<TseStand> {
  const stand = await TseStand.working()
  await stand.start()
  stand.logged()
  stand.script(...steps)
  return stand
}

/** The calls that fail under this fault. */
async function failingUnder(kind: FaultKind): Promise<Name[]> {
  const failing: Name[] = []
  for (const name of NAMES) {
    const stand = await standWith({ do: kind, ms: 1 })
    const before = stand.scu.state
    const outcome = await CALLS[name](stand).then(
      () => 'done',
      (error: unknown) => error,
    )
    if (outcome === 'done') continue
    expect(outcome).toBeInstanceOf(DeviceError)
    expect([stand.scu.state, stand.logged()]).toEqual([before, []])
    failing.push(name)
  }
  return failing
}

describe('faults that refuse', () => {
  it('every kind is known that is not of an authority or a printer', () => {
    const others = new Set([
      ...['paper-out', 'cover-open', 'journal-full', 'closing-needed', 'transmission-failed'],
      'printed-then-silent',
    ])
    const own = faultKinds.filter((kind) => !kind.startsWith('authority-') && !others.has(kind))
    expect([...emulator.faults].sort()).toEqual(own.toSorted())
  })

  it.each(['unreachable', 'error'] as const)('%s: no call does anything', async (kind) => {
    expect(await failingUnder(kind)).toEqual(NAMES)
  })

  it.each(['memory-full', 'counter-overflow'] as const)(
    '%s: transactions do nothing, and the rest works',
    async (kind) => {
      expect(await failingUnder(kind)).toEqual(SIGNING)
    },
  )

  it('too-many-transactions: only a start is refused', async () => {
    expect(await failingUnder('too-many-transactions')).toEqual(['start'])
  })

  it.each(['certificate-expired', 'time-not-set'] as const)(
    '%s: neither transactions nor clients; setting the time and closing down work',
    async (kind) => {
      expect(await failingUnder(kind)).toEqual([...SIGNING, 'register', 'unregister'])
    },
  )

  it('pin-locked: only calls that need a PIN are refused', async () => {
    const needPin = ['state', 'register', 'unregister', 'time', 'erase']
    expect(await failingUnder('pin-locked')).toEqual(needPin)
  })
})

describe('faults that lose the answer', () => {
  it.each(['error-after', 'garbage', 'wrong-signature'] as const)(
    '%s: the start is done and logged, a retry tells its answer, another call starts anew',
    async (kind) => {
      const stand = await standWith({ do: kind, calls: 1 })
      await expect(stand.start({ queueItemId: 'a' })).rejects.toThrow(DeviceError)
      const logged = stand.logged()
      expect(logged.map(({ signatureCounter }) => signatureCounter)).toEqual([5])
      expect((await stand.info()).openTransactions).toEqual([1, 2])
      const again = await stand.start({ queueItemId: 'a', isRetry: true })
      expect(again).toMatchObject({ transactionNumber: 2, signatureCounter: 5 })
      expect(logged[0]?.der.subarray(-64)).toEqual(again.signature)
      expect(stand.logged()).toEqual([])
      expect((await stand.start({ queueItemId: 'b' })).transactionNumber).toBe(3)
    },
  )

  it.each(['error-after', 'garbage', 'wrong-signature'] as const)(
    '%s: the finish is done and logged, and a retry tells its answer with the start',
    async (kind) => {
      const stand = await standWith({ do: kind, calls: 1 })
      stand.time += 3000
      await expect(stand.finish(1, { queueItemId: 'a' })).rejects.toThrow(DeviceError)
      expect(stand.operations()).toEqual(['FinishTransaction'])
      expect((await stand.info()).openTransactions).toEqual([])
      const again = await stand.finish(1, { queueItemId: 'a', isRetry: true })
      expect(again.startMoment).toEqual(new Date(FIRST_SECOND * 1000))
      expect(again.moment).toEqual(new Date((FIRST_SECOND + 3) * 1000))
    },
  )

  it.each(['error-after', 'garbage', 'wrong-signature'] as const)(
    '%s: a retry under the same fault fails too, and does nothing twice',
    async (kind) => {
      const stand = await standWith({ do: kind, calls: 2 })
      const call = { queueItemId: 'a', isRetry: true }
      await expect(stand.start(call)).rejects.toThrow(DeviceError)
      stand.logged()
      await expect(stand.start(call)).rejects.toThrow(DeviceError)
      expect(stand.logged()).toEqual([])
      expect((await stand.start(call)).transactionNumber).toBe(2)
    },
  )

  it('what is in the log verifies, whatever happened to the answer', async () => {
    const steps = ['wrong-signature', 'garbage'] as const
    const stand = await standWith(...steps.map((kind) => ({ do: kind, calls: 1 })))
    await expect(stand.start()).rejects.toThrow('does not verify')
    await expect(stand.start()).rejects.toThrow('cannot be read')
    const certificate = stand.tse.identity().certificate.der
    const checked = { certificate, hash: 'sha256', signatureBytes: 64 } as const
    const verdicts = stand.logged().map(({ der }) => opensslVerdict({ ...checked, der }))
    expect(verdicts).toEqual(['Verified OK', 'Verified OK'])
  })

  it('error-after: other calls are done as well', async () => {
    const stand = await standWith({ do: 'error-after', calls: 3 })
    await expect(stand.tse.registerClient('K-2', LIMIT)).rejects.toThrow(DeviceError)
    await expect(stand.tse.exportMemory(true, LIMIT)).rejects.toThrow(DeviceError)
    await expect(stand.tse.setState(terminated, LIMIT)).rejects.toThrow(DeviceError)
    expect(await stand.info()).toMatchObject({ clientIds: [CLIENT, 'K-2'], state: terminated })
    expect(await stand.tse.exportMemory(false, LIMIT)).toMatchObject({ from: 4, to: 6 })
  })

  it('delay: answers after its time; beyond the limit it is done unheard', async () => {
    const stand = await standWith({ do: 'delay', ms: 400 })
    expect((await stand.start()).transactionNumber).toBe(2)
    expect(stand.waited).toEqual([400])
    const late = stand.tse.startTransaction(stand.call({ queueItemId: 'a' }), { timeoutMs: 100 })
    await expect(late).rejects.toThrow('no answer within 100 ms')
    expect(stand.waited).toEqual([400, 100])
    stand.scu.faultScript = null
    const again = await stand.start({ queueItemId: 'a', isRetry: true })
    expect(again.transactionNumber).toBe(3)
    expect((await stand.info()).openTransactions).toEqual([1, 2, 3])
  })
})

describe('the wrong clock', () => {
  it('moves the log time, which never goes back afterwards', async () => {
    const stand = await standWith({ do: 'wrong-clock', ms: 3_600_000, calls: 1 })
    const ahead = new Date((FIRST_SECOND + 3600) * 1000)
    expect((await stand.start()).moment).toEqual(ahead)
    expect((await stand.start()).moment).toEqual(ahead)
  })

  it('a clock that is behind is held by the last log time', async () => {
    const stand = await standWith({ do: 'wrong-clock', ms: -3_600_000 })
    expect((await stand.start()).moment).toEqual(new Date(FIRST_SECOND * 1000))
  })
})

describe('a script', () => {
  it('counts every call of the device, and its end is told', async () => {
    const stand = await standWith({ do: 'wrong-clock', ms: 0, calls: NAMES.length })
    for (const name of NAMES) {
      expect(stand.scu.faultScript).not.toBeNull()
      if (name === 'unregister') await stand.tse.registerClient('K-3', LIMIT)
      else if (name === 'state') await stand.tse.setState(initialized, LIMIT)
      else await CALLS[name](stand)
    }
    expect(stand.scu.faultScript).toBeNull()
    expect(stand.scu.changed).toBe(true)
    expect(stand.scu.actions.map(({ type }) => type)).toEqual(['FaultScript-ended'])
  })

  it('is not asked for who the device is', async () => {
    const stand = await standWith({ do: 'unreachable', calls: 1 })
    const { serialHex, certificate } = stand.tse.identity()
    expect(new X509Certificate(certificate.der).subject).toContain(serialHex)
    await expect(stand.info()).rejects.toThrow('cannot be reached')
  })
})

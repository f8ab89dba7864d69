// The German TSE in one thread, without network and database: start and finish of a transaction,
// two signatures.
import { randomBytes, randomUUID } from 'node:crypto'
import type { ScuHead } from '../../src/device/device.js'
import { SOFTWARE_PACKAGE } from '../../src/device/tse/tse.js'
import type { Options } from '../options.js'
import { median, type PartResult } from '../report/figures.js'
import { built } from '../stand/built.js'
import { interleaved, type Step } from '../stand/pace.js'

const LIMIT = { timeoutMs: 2_500 }
const CLIENT = 'BENCH-1'
const DATA = Buffer.from('Beleg^58.20_22.05_0.00_0.00_0.00^80.25:Bar')

export async function benchTse({ rounds, seconds }: Options): Promise<PartResult> {
  const rows = await interleaved({ p256: await step() }, { rounds, seconds: seconds / 2 })
  const value = median(rows.map((row) => row.p256 ?? Number.NaN))
  const name = 'TSE core in one thread: start and finish of a transaction'
  return {
    figures: [{ name, value, unit: 'transactions/s', target: { atLeast: 6_000 } }],
    rounds: rows,
    notes: ['P-256 with SHA-256; the state text of the device is written as well.'],
  }
}

async function step(): Promise<Step> {
  const { emulator } = await built<typeof import('../../src/simulator/tse/emulator.js')>(
    'simulator/tse/emulator.js',
  )
  const id = randomUUID()
  const configuration = emulator.configuration.parse({})
  const made = await emulator.create({ id, configuration, now: new Date(), randomBytes })
  const scu: ScuHead = {
    accountId: randomUUID(),
    id,
    market: 'DE',
    package: SOFTWARE_PACKAGE,
    mode: 0,
    url: null,
    ...made,
    faultScript: null,
    version: 0n,
    changed: false,
    actions: [],
  }
  const tse = emulator.open(scu, {
    fetch: () => Promise.reject(new Error('nothing is reached here')),
    now: () => new Date(),
    sleep: () => Promise.resolve(),
  })
  await tse.setState(1, LIMIT)
  await tse.registerClient(CLIENT, LIMIT)
  tse.takeLogs()
  const call = { clientId: CLIENT, isRetry: false }
  return async () => {
    const start = { ...call, queueItemId: randomUUID(), processType: '' }
    const { transactionNumber } = await tse.startTransaction(
      { ...start, processData: Buffer.alloc(0) },
      LIMIT,
    )
    const finish = { ...start, transactionNumber, processType: 'Kassenbeleg-V1' }
    await tse.finishTransaction({ ...finish, processData: DATA }, LIMIT)
    if (tse.takeLogs().length !== 2) throw new Error('not logged')
  }
}

// The Austrian rows of the table of certified devices.
import { ATRUST_PACKAGE } from '../../../src/market/at/devices/atrust.js'
import { PRIMESIGN_PACKAGE } from '../../../src/market/at/devices/primesign.js'
import { ACCOUNT, KEY_LABEL, simulateATrust } from '../../../src/simulator/devices/rksv/atrust.js'
import type { Line, LineFault } from '../../../src/simulator/devices/rksv/door.js'
import {
  PRIMESIGN_TOKEN,
  simulatePrimeSign,
} from '../../../src/simulator/devices/rksv/primesign.js'
import { makeCard } from './card-row.js'
import type { Device, Mishap, Planned, Row } from './rows.js'

const FAULTS: Readonly<Record<Mishap, LineFault>> = {
  'request-lost': 'lost',
  'answer-lost': 'answer-lost',
  'half-answer': 'half',
  restart: 'restart',
  'foreign-signature': 'foreign',
  slow: 'slow',
}

const stepOf = ({ mishap, ...rest }: Planned) => ({ ...rest, fault: FAULTS[mishap] })

type Clock = () => { now(): Date; age(ms: number): void }

function watching(line: Line): Pick<Device, 'plan' | 'clear' | 'offences'> {
  return {
    plan: (...steps) => line.script(...steps.map(stepOf)),
    clear: () => line.clear(),
    offences: () => line.offences,
  }
}

export function rksvRows(clock: Clock): readonly Row[] {
  const atrust = async (): Promise<Device> => {
    const { now, age } = clock()
    const service = await simulateATrust({ now })
    const { port, line, online: url, signatures, wrongLogins, close } = service
    return {
      ...{ market: 'AT', package: ATRUST_PACKAGE, url, port, configuration: { ...ACCOUNT } },
      wrong: { ...ACCOUNT, password: 'old' },
      ...watching(line),
      ...{ age, signatures, wrongLogins, close },
    }
  }
  const appliance = async (): Promise<Device> => {
    const { now, age } = clock()
    const basic = { user: 'till', password: 'of the till' }
    const service = await simulateATrust({ now, basic })
    const { port, line, appliance: url, signatures, wrongLogins, close } = service
    const configuration = { ...basic, keyLabel: KEY_LABEL }
    return {
      ...{ market: 'AT', package: ATRUST_PACKAGE, url, port, configuration },
      wrong: { ...configuration, password: 'old' },
      ...watching(line),
      ...{ age, signatures, wrongLogins, close },
    }
  }
  const primesign = async (): Promise<Device> => {
    const { now, age } = clock()
    const service = await simulatePrimeSign({ now })
    const { port, line, url, signatures, wrongTokens: wrongLogins, close } = service
    const certificateChain = service.leaf().chain.map((der) => der.toString('base64'))
    const configuration = { sharedSecret: PRIMESIGN_TOKEN, certificateChain }
    return {
      ...{ market: 'AT', package: PRIMESIGN_PACKAGE, url, port, configuration },
      wrong: { ...configuration, sharedSecret: 'the-one-of-last-year' },
      ...watching(line),
      ...{ age, signatures, wrongLogins, close },
    }
  }
  let cards = 0
  const card = (): Promise<Device> => {
    cards += 1
    return makeCard(cards, stepOf)
  }
  return [
    {
      name: 'A-Trust RK Online',
      steps: ['Certificate', 'ZDA', 'Session', 'Sign/Hash'],
      make: atrust,
    },
    {
      name: 'A-Trust appliance',
      steps: ['Certificate', 'ZDA', 'Sign/Hash'],
      make: appliance,
      isTwin: true,
    },
    {
      name: 'PrimeSign',
      steps: ['config', 'certificate.cer', 'r1raw'],
      make: primesign,
      isTwin: true,
    },
    { name: 'Card', steps: ['identity', 'sign', 'reader'], make: card },
  ]
}

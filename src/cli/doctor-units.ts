// What the doctor sees of work: signing units (asked who they are, never to sign), their
// certificates, jobs, events, webhooks, outages, problems.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.js'
import { certificateEnds } from '../core/certificate-ends.js'
import { driverOf } from '../core/drivers.js'
import { createUnitLogins } from '../core/unit-logins.js'
import type { DriverTools, ScuHead } from '../device/device.js'
import { createOutbound } from '../device/outbound.js'
import { createConnect } from '../device/socket.js'
import { marketOf } from '../market/index.js'
import type { Store } from '../store/client.js'
import { type Figure, figuresOf } from '../store/operation/figures.js'
import { unitsInUse } from '../store/rollout/scus.js'
import { type Check, check } from './doctor-check.js'
import { sentenceOf } from './sentence.js'

export async function signingChecks(config: Config, store: Store): Promise<Check[]> {
  const now = () => new Date()
  return [
    ...(await unitChecks(config, store)),
    ...(await certificateChecks(store, now)),
    ...workChecks(await figuresOf(store)),
  ]
}

/** Of many units these are asked, so that the doctor ends. */
const MOST_ASKED = 50
const AT_A_TIME = 10
const ASK_MS = 5_000

async function unitChecks(config: Config, store: Store): Promise<Check[]> {
  const units = await unitsInUse(store, { after: undefined, limit: MOST_ASKED })
  const tools: DriverTools = {
    fetch: createOutbound({ allow: config.OUTBOUND_ALLOW }),
    connect: createConnect({ allow: config.OUTBOUND_ALLOW }),
    // a refused password is not tried again for the doctor's sake
    logins: createUnitLogins(store),
    production: config.production,
    now: () => new Date(),
    sleep: (ms) => sleep(ms),
  }
  const found: (Check | undefined)[] = []
  for (let at = 0; at < units.length; at += AT_A_TIME) {
    const some = units.slice(at, at + AT_A_TIME)
    found.push(...(await Promise.all(some.map((unit) => unitCheck({ config, tools }, unit)))))
  }
  const faults = found.filter((one) => one !== undefined)
  const more = units.length === MOST_ASKED ? `, the first ${MOST_ASKED}` : ''
  const well = units.length - faults.length
  return [check('units', 'ok', `${well} of ${units.length} in use are well${more}`), ...faults]
}

/** Undefined: all is well. */
async function unitCheck(
  { config, tools }: { config: Config; tools: DriverTools },
  unit: ScuHead,
): Promise<Check | undefined> {
  const [asked] = await Promise.allSettled([askUnit(unit, tools)])
  const place = `${unit.package} ${unit.id}`
  if (asked.status === 'rejected') {
    const next = 'Look at the device and the way to it; OUTBOUND_ALLOW names private addresses.'
    return check('units', 'bad', `${place}: ${sentenceOf(asked.reason)}`, next)
  }
  if (asked.value && config.production && !config.ALLOW_SOFTWARE_DEVICES) {
    const text = `${place}: its key lies in the database, which production refuses`
    return check(
      'units',
      'bad',
      text,
      'Switch the queue to a certified unit (scu add, scu switch).',
    )
  }
  if (unit.faultScript === null || config.production) return undefined
  return check('units', 'warn', `${place}: fails by script`, `fault clear --scu ${unit.id}`)
}

/** True for a unit whose key lies in this server. */
async function askUnit(unit: ScuHead, tools: DriverTools): Promise<boolean> {
  const driver = driverOf(marketOf(unit.market), unit)
  // one in this server is there; its script is told by itself, and not used up by a look
  if (driver.remote) await driver.reach(unit, tools, { timeoutMs: ASK_MS })
  return driver.software
}

async function certificateChecks(store: Store, now: () => Date): Promise<Check[]> {
  const ends = await certificateEnds({ store, marketOf, now })
  const { nearestDays: days, nearestUnit: unit, within } = ends
  if (days === undefined) return [check('certificates', 'ok', 'none has been seen yet')]
  const text =
    `the first one ends in ${Math.floor(days)} days (unit ${unit}); ` +
    `${within[30]} within 30 days, ${within[90]} within 90`
  const next = 'Order a new certificate or unit, and switch to it before (scu switch).'
  if (days <= 0) return [check('certificates', 'bad', text, next)]
  return [check('certificates', days <= 90 ? 'warn' : 'ok', text, next)]
}

const LATE_SECONDS = 60

function workChecks(figures: readonly Figure[]): Check[] {
  const sum = (name: Figure['name'], label?: string) =>
    figures
      .filter((one) => one.name === name && (label === undefined || one.values.includes(label)))
      .reduce((total, { value }) => total + value, 0)
  const waiting = sum('jobs', 'waiting')
  const failed = sum('jobs', 'failed')
  const seconds = Math.round(sum('events_waiting_seconds'))
  const disabled = sum('webhooks', 'disabled')
  const outages = sum('outages_open')
  const problems = sum('problems_open', '3')
  const told = (name: string, isWell: boolean, [text, next]: [string, string]) =>
    check(name, isWell ? 'ok' : 'warn', text, next)
  return [
    told('jobs', failed === 0, [
      `${waiting} wait, ${failed} have failed for good`,
      'npx fiskalwerk jobs list says why, jobs retry tries one again.',
    ]),
    told('events', seconds < LATE_SECONDS, [
      seconds === 0 ? 'none waits' : `the oldest has been waiting for ${seconds} s`,
      'Start a server: servers move them. If one runs, its log says what is wrong.',
    ]),
    told('webhooks', disabled === 0, [
      `${disabled} are disabled`,
      'Mend their receivers, then enable them (/platform/v1/webhooks).',
    ]),
    told('outages', outages === 0, [
      `${outages} go on`,
      'Mend the units, then send a zero receipt; /platform/v1/outages names the queues.',
    ]),
    told('problems', problems === 0, [
      `${problems} want somebody at once`,
      '/platform/v1/problems has the next step of each.',
    ]),
  ]
}

// Work on an Epson device: its turn, its logins, and what the device wants first (a self test, the
// time, a login) before it does what it is asked for.
import {
  CredentialsRefused,
  DeviceError,
  type DriverTools,
  type ScuHead,
} from '../../../../device/device.js'
import { logIn } from '../../../../device/login.js'
import { OutboundError } from '../../../../device/outbound.js'
import { TimeBudget } from '../../../../device/time-budget.js'
import { sha256 } from '../../../../lib/hash.js'
import { answers, FunctionBusy, FunctionRefused } from './answer.js'
import { EpsonSession, type FunctionCall, type Lost } from './session.js'
import { epsonAccessOf } from './settings.js'

/** Self test, time and login may each be missing once. */
const MOST_MENDED = 4
/** For the farewell of a device that was used. */
const CLOSE_MS = 1_000
/** Lines that broke and may have the device; one that took over from another may as well. */
const MOST_LOST = 8

type Missing = 'admin' | 'login' | 'time' | 'test' | 'export'

/** What is missing, by the code of the device: nothing was done then. */
const MISSING: Readonly<Record<string, Missing>> = {
  // a register goes first: the export is begun anew by the next closing
  CURRENTLY_EXPORTING: 'export',
  NOT_ALLOWED_EXPORT_IN_PROGRESS: 'export',
  UNAUTHENTICATED_HOST: 'login',
  UNAUTHENTICATED_USER: 'login',
  UNAUTHENTICATED_TIME_ADMIN_USER: 'login',
  AUTHENTICATION_USER_NOT_LOGGED_IN: 'login',
  NOT_AUTHORIZED: 'login',
  UNAUTHENTICATED_ADMIN_USER: 'admin',
  NO_TIME_SET: 'time',
  NO_TIME_SET_BEFORE_EXPORT: 'time',
  WRONG_STATE_NEEDS_SELF_TEST: 'test',
  WRONG_STATE_NEEDS_SELF_TEST_PASSED: 'test',
  POWER_CYCLE_DETECTED: 'test',
}

function missingOf(error: unknown): Missing | undefined {
  const isCoded = error instanceof FunctionRefused || error instanceof FunctionBusy
  return isCoded ? MISSING[error.code] : undefined
}

export type Ask = <T>(call: FunctionCall<T>) => Promise<T>

/** What this process knows of a device, whoever has read its unit. */
interface Known {
  lost: readonly Lost[]
}

export class EpsonLink {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly alone: Known = { lost: [] }
  private last: Promise<unknown> = Promise.resolve()

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
  }

  /** One piece of work after the other; `client`: whose login is renewed where one is missing. */
  async work<T>(client: string, budget: TimeBudget, work: (ask: Ask) => Promise<T>): Promise<T> {
    const turn = this.last.then(() => this.visit(client, budget, work))
    this.last = Promise.allSettled([turn])
    return turn
  }

  private async visit<T>(client: string, budget: TimeBudget, work: (ask: Ask) => Promise<T>) {
    const { deviceId } = epsonAccessOf(this.scu)
    const session = await this.connected(budget)
    try {
      const known = this.known()
      await session.open(deviceId, known.lost, budget)
      known.lost = []
      const result = await work((call) => this.mending(session, { client, budget }, call))
      return result
    } finally {
      await this.farewell(session, deviceId)
    }
  }

  /** The device stays open behind a line that broke: the next visit takes it over. */
  private async farewell(session: EpsonSession, deviceId: string): Promise<void> {
    if (!session.isBroken) {
      const budget = new TimeBudget(this.tools, { timeoutMs: CLOSE_MS })
      await session.close(deviceId, budget).catch((error: unknown) => {
        if (!(error instanceof DeviceError)) throw error
      })
    }
    if (session.isBroken && session.clientId !== '') {
      const { clientId, dataId } = session
      const known = this.known()
      // the first one has it where none of the others came through
      const others = known.lost.slice(1).slice(-(MOST_LOST - 2))
      known.lost = [...known.lost.slice(0, 1), ...others, { clientId, dataId }]
    }
    session.leave()
  }

  private known(): Known {
    const { kept } = this.tools
    const key = `${this.scu.id} lines ${this.scu.url}`
    const found = kept?.get(key) as Known | undefined
    if (found === undefined) kept?.set(key, this.alone)
    return found ?? this.alone
  }

  private async connected(budget: TimeBudget): Promise<EpsonSession> {
    const { host, port, isTls, tlsFingerprint, named } = epsonAccessOf(this.scu)
    const { connect } = this.tools
    if (connect === undefined) throw new DeviceError('no connections here', { kind: 'unavailable' })
    const tls = tlsFingerprint === undefined ? {} : { fingerprint: tlsFingerprint }
    const { timeoutMs } = budget.limit()
    try {
      const socket = await connect({ host, port, timeoutMs, named, ...(isTls ? { tls } : {}) })
      return new EpsonSession(socket)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      const text = `the device cannot be reached: ${error.message}`
      throw new DeviceError(text, { cause: error, kind: 'unavailable' })
    }
  }

  // ----------------------------------------------------- what the device wants first

  private async mending<T>(
    session: EpsonSession,
    about: { client: string; budget: TimeBudget },
    call: FunctionCall<T>,
  ): Promise<T> {
    const { deviceId } = epsonAccessOf(this.scu)
    for (let mended = 0; ; mended += 1) {
      try {
        return await session.ask(deviceId, call, about.budget)
      } catch (error) {
        const missing = missingOf(error)
        if (missing === undefined || mended >= MOST_MENDED) throw error
        await this.mend(session, { ...about, missing })
      }
    }
  }

  private async mend(
    session: EpsonSession,
    about: { client: string; budget: TimeBudget; missing: Missing },
  ): Promise<void> {
    const { client, budget, missing } = about
    const { deviceId } = epsonAccessOf(this.scu)
    const schema = answers.none
    if (missing === 'admin') return this.logInAsAdmin(session, budget)
    if (missing === 'export') return this.giveUpExport(session, about)
    if (missing === 'login') return this.logInAs(client, session, budget)
    if (missing === 'test') {
      return void (await session.ask(
        deviceId,
        { name: 'RunTSESelfTest', input: {}, schema },
        budget,
      ))
    }
    await this.setTime(session, about)
  }

  /** Behind a power cycle the device wants its self test and a login first. */
  private async setTime(
    session: EpsonSession,
    about: { client: string; budget: TimeBudget },
  ): Promise<void> {
    const { deviceId } = epsonAccessOf(this.scu)
    const userId = about.client === '' ? 'Administrator' : about.client
    const input = timeInput(userId, this.tools.now())
    const call = { name: 'UpdateTime', input, schema: answers.none }
    for (let mended = 0; ; mended += 1) {
      try {
        return void (await session.ask(deviceId, call, about.budget))
      } catch (error) {
        const missing = missingOf(error)
        const isMended = missing === 'login' || missing === 'admin' || missing === 'test'
        if (!isMended || mended >= MOST_MENDED) throw error
        const isAdmin = missing !== 'test' && userId === 'Administrator'
        await this.mend(session, { ...about, missing: isAdmin ? 'admin' : missing })
      }
    }
  }

  private async giveUpExport(
    session: EpsonSession,
    about: { client: string; budget: TimeBudget },
  ): Promise<void> {
    const call = { name: 'CancelExport', input: {}, schema: answers.none }
    await this.mending(session, about, call)
  }

  private logInAs(client: string, session: EpsonSession, budget: TimeBudget): Promise<void> {
    const { timeAdminPin } = epsonAccessOf(this.scu)
    const who = { userId: client, name: 'AuthenticateUserForTimeAdmin', pin: timeAdminPin }
    return this.present(session, { ...who, member: { clientId: client } }, budget)
  }

  private logInAsAdmin(session: EpsonSession, budget: TimeBudget): Promise<void> {
    const { adminPin } = epsonAccessOf(this.scu)
    if (adminPin === undefined) {
      throw new CredentialsRefused('this call needs the setting adminPin')
    }
    const userId = 'Administrator'
    const who = { userId, name: 'AuthenticateUserForAdmin', pin: adminPin, member: { userId } }
    return this.present(session, who, budget)
  }

  /** The PIN is shown once: three wrong ones block it. */
  private async present(
    session: EpsonSession,
    who: { userId: string; name: string; pin: string; member: object },
    budget: TimeBudget,
  ): Promise<void> {
    const { deviceId, secretKey } = epsonAccessOf(this.scu)
    const { userId, name, pin, member } = who
    const work = async () => {
      const wish = { name: 'GetChallenge', input: { userId }, schema: answers.challenge }
      const { challenge } = await session.ask(deviceId, wish, budget)
      const hash = sha256(`${challenge}${secretKey}`).toString('base64')
      await session.ask(
        deviceId,
        { name, input: { ...member, pin, hash }, schema: answers.none },
        budget,
      )
    }
    const { scu, tools } = this
    await logIn(tools, { scu, credentials: [name, pin, secretKey], limit: budget.limit(), work })
  }
}

/** 24 hours, UTC, whole seconds. */
export function timeInput(userId: string, now: Date): object {
  const newDateTime = `${now.toISOString().slice(0, 19)}Z`
  return { userId, newDateTime, useTimeSync: false }
}

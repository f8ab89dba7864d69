// Work on a Diebold Nixdorf device: one command at a time on a line of its own. Each command brings
// the password along; one that the device refuses is sent by nobody again.
import type { z } from 'zod'
import {
  CredentialsRefused,
  DeviceError,
  type DriverTools,
  type ScuHead,
} from '../../../../device/device.js'
import { logIn } from '../../../../device/login.js'
import { OutboundError } from '../../../../device/outbound.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
import { openTextLine, type TextLine } from '../../../../device/websocket.js'
import { sha256 } from '../../../../lib/hash.js'
import { answers, failureOf, framed, readMembers, unframed } from './answer.js'
import { dieboldAccessOf } from './settings.js'

export interface Command<T> {
  name: string
  members?: object
  /** Comes with the password of the time administrator. */
  isSecret?: boolean
  schema: z.ZodType<T>
}

export type Ask = <T>(command: Command<T>) => Promise<T>

/** The service gives a command up after this time, and a line where nothing is sent. */
const MOST_ANSWER_MS = 5_000
const PING_AFTER_MS = 2_000
/** The service wants a client before it takes commands without one. */
const DEFAULT_CLIENT = 'DummyDefaultClientId'

export class DieboldLink {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private last: Promise<unknown> = Promise.resolve()

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
  }

  /** One piece of work after the other. */
  work<T>(budget: TimeBudget, work: (ask: Ask) => Promise<T>): Promise<T> {
    const turn = this.last.then(() => this.visit(budget, work))
    this.last = Promise.allSettled([turn])
    return turn
  }

  private async visit<T>(budget: TimeBudget, work: (ask: Ask) => Promise<T>): Promise<T> {
    const line = new Commands(await this.connected(budget), budget, this.tools)
    try {
      const members = { ClientID: DEFAULT_CLIENT }
      await line.ask({ name: 'SetDefaultClientID', members, schema: answers.none })
      return await work((command) =>
        command.isSecret === true ? this.asked(line, budget, command) : line.ask(command),
      )
    } finally {
      line.close()
    }
  }

  private async connected(budget: TimeBudget): Promise<TextLine> {
    const { host, port, named, address } = dieboldAccessOf(this.scu)
    const { connect } = this.tools
    if (connect === undefined) throw new DeviceError('no connections here', { kind: 'unavailable' })
    const { timeoutMs } = budget.limit()
    try {
      const socket = await connect({ host, port, timeoutMs, named })
      try {
        return await openTextLine(socket, { address, timeoutMs: budget.limit().timeoutMs })
      } catch (error) {
        // also when the time was over before anything was sent: the device has few lines
        socket.destroy()
        throw error
      }
    } catch (error) {
      if (error instanceof DeviceError) throw error
      const reason = error instanceof OutboundError ? error.message : 'no WebSocket answers'
      const text = `the device cannot be reached: ${reason}`
      throw new DeviceError(text, { cause: error, kind: 'unavailable' })
    }
  }

  // --------------------------------------------------------------------- the password

  /** The first command with it is its trial; one that is refused later is as well. */
  private async asked<T>(line: Commands, budget: TimeBudget, command: Command<T>): Promise<T> {
    const { timeAdminPassword } = dieboldAccessOf(this.scu)
    const Password = Buffer.from(timeAdminPassword, 'utf8').toString('base64')
    const whole = { ...command, members: { ...command.members, Password } }
    const credentials = [timeAdminPassword]
    const trial = (work: () => Promise<T>) =>
      logIn(this.tools, { scu: this.scu, credentials, limit: budget.limit(), work })
    if (!this.isGood()) {
      const done = await trial(() => line.ask(whole))
      this.tools.kept?.set(this.key(), { isGood: true })
      return done
    }
    try {
      return await line.ask(whole)
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error
      // somebody has changed it at the device: that try was the one
      this.tools.kept?.set(this.key(), {})
      return trial(() => Promise.reject(error))
    }
  }

  private isGood(): boolean {
    return (this.tools.kept?.get(this.key()) as { isGood?: true } | undefined)?.isGood === true
  }

  private key(): string {
    const { id, url, secrets } = this.scu
    return `${id} ${sha256(JSON.stringify([url, secrets])).toString('hex')}`
  }
}

/** Commands on one line. */
class Commands {
  private readonly line: TextLine
  private readonly budget: TimeBudget
  private readonly tools: DriverTools
  private number = 0
  private sentAt: number

  constructor(line: TextLine, budget: TimeBudget, tools: DriverTools) {
    this.line = line
    this.budget = budget
    this.tools = tools
    this.sentAt = tools.now().getTime()
  }

  /** Throws DeviceError for everything but an answer that can be read. */
  async ask<T>(command: Command<T>): Promise<T> {
    const isLong = this.tools.now().getTime() - this.sentAt > PING_AFTER_MS
    if (isLong) await this.exchange({ name: 'PingPong', schema: answers.none })
    return this.exchange(command)
  }

  private async exchange<T>({ name, members = {}, schema }: Command<T>): Promise<T> {
    this.number += 1
    const number = this.number
    this.line.send(framed({ Command: name, PingPong: number, ...members }))
    this.sentAt = this.tools.now().getTime()
    for (;;) {
      const answer = unframed(await this.arrival())
      // an answer that somebody has stopped waiting for
      if (answer.head.Command !== name || answer.head.PingPong !== number) continue
      if (answer.head.Status === 'error') throw failureOf(name, answer.head.Code)
      return readMembers(name, answer.members, schema)
    }
  }

  private async arrival(): Promise<string> {
    const { timeoutMs } = this.budget.limit()
    try {
      return await this.line.next(Math.min(timeoutMs, MOST_ANSWER_MS))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new DeviceError(`no answer of the device: ${reason}`, { cause: error })
    }
  }

  close(): void {
    this.line.close()
  }
}

// Services that judge the same credentials with each call: the first call is the login, and what
// was let in once is not counted again.
import { type CallLimit, CredentialsRefused, type DriverTools, type ScuHead } from './device.js'
import { logIn } from './login.js'

export class LetIn {
  private readonly tools: DriverTools
  private readonly scu: ScuHead
  private readonly credentials: () => readonly string[]
  private is = false

  /** Without credentials there is nothing to be refused. */
  constructor(tools: DriverTools, scu: ScuHead, credentials: () => readonly string[]) {
    this.tools = tools
    this.scu = scu
    this.credentials = credentials
  }

  /** `first`: what is asked before anything else. */
  async ready(limit: CallLimit, first: () => Promise<unknown>): Promise<void> {
    if (!this.is) await this.call(limit, first)
  }

  /** Throws CredentialsRefused where the service says no; the same is not sent again. */
  async call<T>(limit: CallLimit, work: () => Promise<T>): Promise<T> {
    const { tools, scu } = this
    const credentials = this.credentials()
    if (this.is || credentials.length === 0) return this.judged(work)
    return logIn(tools, { scu, credentials, limit, work: () => this.judged(work) })
  }

  private async judged<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.is = true
      return result
    } catch (error) {
      if (error instanceof CredentialsRefused) this.is = false
      throw error
    }
  }
}

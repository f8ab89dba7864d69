// How long several calls of a device may take together.
import { type CallLimit, DeviceError, type DriverTools } from './device.js'

/** The time of several calls together, by a clock that never jumps; what was slept counts too. */
export class TimeBudget {
  private readonly tools: Pick<DriverTools, 'sleep'>
  private readonly steady: () => number
  private readonly timeoutMs: number
  private readonly began: number
  private slept = 0

  constructor(tools: Pick<DriverTools, 'sleep' | 'steady'>, { timeoutMs }: CallLimit) {
    this.tools = tools
    this.steady = tools.steady ?? (() => performance.now())
    this.timeoutMs = timeoutMs
    this.began = this.steady()
  }

  /** What is left, in milliseconds. */
  left(): number {
    const passed = Math.max(this.slept, this.steady() - this.began)
    return Math.max(0, this.timeoutMs - passed)
  }

  /** For the next call. Throws DeviceError when nothing is left. */
  limit(): CallLimit {
    const timeoutMs = this.left()
    if (timeoutMs <= 0) throw new DeviceError(`no answer within ${Math.round(this.timeoutMs)} ms`)
    return { timeoutMs }
  }

  async sleep(milliseconds: number): Promise<void> {
    const pause = Math.min(milliseconds, this.limit().timeoutMs)
    await this.tools.sleep(pause)
    this.slept += pause
  }
}

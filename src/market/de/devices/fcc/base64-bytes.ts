// Base64 as it comes, in pieces of any length.
import { DeviceError } from '../../../../device/device.js'

const LETTERS = 4

export class Base64Bytes {
  private readonly sink: (part: Buffer) => Promise<void> | undefined
  private rest = ''

  constructor(sink: (part: Buffer) => Promise<void> | undefined) {
    this.sink = sink
  }

  /** Throws DeviceError for other letters. */
  async write(part: Buffer): Promise<void> {
    const text = this.rest + part.toString('latin1').replaceAll(/\s+/g, '')
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw wrong()
    const whole = text.length - (text.length % LETTERS)
    this.rest = text.slice(whole)
    if (whole > 0) await this.sink(Buffer.from(text.slice(0, whole), 'base64'))
  }

  /** Throws DeviceError where a piece is missing. */
  async end(): Promise<void> {
    if (this.rest !== '') throw wrong()
  }
}

function wrong(): DeviceError {
  return new DeviceError('the export of the device is not Base64', { kind: 'refused' })
}

// Public keys by their versions: given beside the file, or told in its header.
import { createVerify, type KeyObject } from 'node:crypto'
import { publicKeyOf } from '../given.js'

export class Keys {
  private keys: (KeyObject | undefined)[]
  origin: 'given' | 'in the file' | 'none'
  verified = 0

  constructor(given: readonly Buffer[]) {
    this.keys = given.map(publicKeyOf)
    this.origin = given.length > 0 ? 'given' : 'none'
  }

  /** `RSA-SHA1 1 <Base64>` of a header; what is given beside the file counts more. */
  tell(comment: string): void {
    const [, base64 = ''] = /^RSA-SHA1 1 ([A-Za-z0-9+/=]+)$/.exec(comment) ?? []
    if (base64 === '' || this.origin === 'given') return
    this.keys = [publicKeyOf(Buffer.from(base64, 'base64'))]
    this.origin = 'in the file'
  }

  has(version: number): boolean {
    return this.keys[version - 1] !== undefined
  }

  verify(version: number, text: string, hash: string): boolean {
    const key = this.keys[version - 1]
    const isRight = key && createVerify('sha1').update(text).verify(key, hash, 'base64')
    if (isRight) this.verified += 1
    return isRight === true
  }
}

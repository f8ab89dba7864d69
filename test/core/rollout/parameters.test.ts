// Parameters that are given by hand with a new cash box.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../../src/core/rollout/parameters.js'
import { marketOf } from '../../../src/market/index.js'

const austria = marketOf('AT')

describe('parameters of a new queue', () => {
  it('that nobody knows are refused by their name', () => {
    expect(() => parametersOf(austria, { SignAl: true })).toThrow(/configuration\.SignAl/)
    expect(() => parametersOf(marketOf('DE'), { EncryptionKeyBase64: 'x' })).toThrow(
      /configuration/,
    )
  })

  it('may have the key of the turnover counter, which becomes its secret', () => {
    const key = randomBytes(32).toString('base64')
    const { configuration, secrets } = parametersOf(austria, {
      EncryptionKeyBase64: key,
      SignAll: true,
    })
    expect(configuration).toEqual({ SignAll: true })
    expect(secrets).toContain(key)
    expect(() => parametersOf(austria, { EncryptionKeyBase64: 'short' })).toThrow(/32 bytes/)
  })
})

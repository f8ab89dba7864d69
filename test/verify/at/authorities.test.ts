// Certificates of issuers: their order does not matter, but one that is named must have signed.
import { describe, expect, it } from 'vitest'
import { depOf, newAuthority, newSigner, Register } from '../../support/dep7-maker.js'
import { brief, findingsOf } from '../../support/dep7-scene.js'

describe('issuers', async () => {
  const authority = await newAuthority('CN=TEST CA')
  const namesake = await newAuthority('CN=TEST CA')
  const stranger = await newSigner()
  const signer = await newSigner({ issuer: authority })
  const register = new Register({ signer })
  const receipts = [register.next(), register.next({ amounts: [100, 0, 0, 0, 0] })]

  async function found(authorities: string[]): Promise<string[]> {
    const text = depOf({ certificate: signer.certificate, authorities, receipts })
    return brief(await findingsOf(text, { key: register.keyText }))
  }

  it('none, the right one, or the right one among others are accepted in any order', async () => {
    expect(await found([])).toEqual([])
    expect(await found([authority.certificate])).toEqual([])
    expect(await found([stranger.certificate, authority.certificate])).toEqual([])
    expect(await found([namesake.certificate, authority.certificate])).toEqual([])
    expect(await found([stranger.certificate])).toEqual([])
  })

  it('one with the name of the issuer that did not sign is told', async () => {
    expect(await found([namesake.certificate])).toEqual(['CERTIFICATE_SIGNATURE'])
  })
})

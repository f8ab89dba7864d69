// Names of roles, as scripts give them and as lists show them.
import { describe, expect, it } from 'vitest'
import { hasRole, roleOf, rolesOf } from '../../src/model/roles.js'

describe('a role', () => {
  it.each([
    ['PosDealer', 'PosDealer'],
    [' posdealerrksvsign ', 'PosDealerRksvSign'],
    ['RKSV.Sign', 'PosDealerRksvSign'],
    ['Boss', undefined],
  ])('is known in any case, and by its earlier name: %s', (word, role) => {
    expect(roleOf(word)).toBe(role)
  })

  it('that an earlier version stored still counts', () => {
    const account = { roles: ['PosDealer', 'RKSV.Sign'], autoInvite: false }
    expect(hasRole(account, 'PosDealerRksvSign')).toBe(true)
    expect(hasRole({ ...account, roles: ['PosDealer'] }, 'PosDealerRksvSign')).toBe(false)
  })

  it('of auto-invitation is the opt-in of the account', () => {
    expect(rolesOf({ roles: ['PosDealer'], autoInvite: true })).toEqual([
      'PosDealer',
      'PosDealerAutoInvitation',
    ])
    expect(hasRole({ roles: ['PosDealer'], autoInvite: false }, 'PosDealerAutoInvitation')).toBe(
      false,
    )
  })
})

// The roles that an account may have, by the names that the field uses.

export const ROLES = [
  'PosOperator',
  'PosDealer',
  'PosCreator',
  'Consultant',
  'PosDealerAutoInvitation',
  'PosDealerRksvSign',
] as const

export type Role = (typeof ROLES)[number]

/** What versions before this one have stored. */
const EARLIER: Readonly<Record<string, Role>> = { 'RKSV.Sign': 'PosDealerRksvSign' }

/** By any spelling, also one of an earlier version; undefined: there is no such role. */
export function roleOf(word: string): Role | undefined {
  const lower = word.trim().toLowerCase()
  const earlier = Object.entries(EARLIER).find(([name]) => name.toLowerCase() === lower)?.[1]
  return earlier ?? ROLES.find((role) => role.toLowerCase() === lower)
}

export interface RoleHolder {
  roles: readonly string[]
  /** The opt-in to auto-invitation. */
  autoInvite: boolean
}

/** Every role of an account, in the order of the list. */
export function rolesOf({ roles, autoInvite }: RoleHolder): Role[] {
  const held = new Set(roles.map(roleOf))
  if (autoInvite) held.add('PosDealerAutoInvitation')
  return ROLES.filter((role) => held.has(role))
}

export const hasRole = (account: RoleHolder, role: Role): boolean => rolesOf(account).includes(role)

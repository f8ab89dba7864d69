// What servers tell each other of logins to devices; core/unit-logins.ts keeps it.

export interface LoginKey {
  accountId: string
  /** Of the unit. */
  scuId: string
  /** Hash of address, user and password. */
  credentials: string
}

export interface Logins {
  /**
   * `mine`: this caller may try now, for so long. `refused`: these credentials were refused before.
   * `taken`: another caller is trying.
   */
  claim(key: LoginKey, holdMs: number): Promise<'mine' | 'refused' | 'taken'>
  /** The end of a claim. */
  settle(key: LoginKey, outcome: 'accepted' | 'refused' | 'unknown'): Promise<void>
}

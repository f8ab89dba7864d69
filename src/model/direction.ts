// Which way a list goes along its key.

export type Direction = 'asc' | 'desc'

/** What comes behind a row, by the way a list goes. */
export const BEHIND: Readonly<Record<Direction, string>> = { asc: '>', desc: '<' }

// What a country tells of one of its queues to those who know no country. Made by the markets, read
// by core/stock.

/** The key of the turnover counter, and what closed systems are registered as. */
export interface Registration {
  encryptionKeyBase64: string | null
  /** Four characters by which a key that was typed in is checked. */
  encryptionKeyCheckValue: string | null
  closedSystemKind: string | null
  closedSystemValue: string | null
}

/** Which unit a queue works with, for countries whose receipts change it. */
export interface UnitLink {
  /** Null before the start and while units are switched. */
  scuId: string | null
  /** The switch that was begun and is not finished. */
  switching: { sourceId: string; targetId: string } | null
}

// A point-of-sale product (ftPosSystemId of receipts) as master data name it.

export interface PosSystem {
  id: string
  brand: string
  model: string
  softwareVersion: string
  /** ISO 4217. */
  baseCurrency: string
  /** What the maker calls its kind; may be empty. */
  type: string
}

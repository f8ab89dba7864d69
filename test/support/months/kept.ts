// A receipt as it is stored, in the order of its queue.
export interface Kept {
  reference: string
  kind: number
  /** Behind `#`: the number of its document; '' : it has none. */
  number: string
}

export const VOID = 0x4_0000
export const isVoid = ({ kind }: Kept): boolean => (kind & VOID) !== 0

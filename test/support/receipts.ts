// Bodies of receipts as registers send them.

/** A sale of one cash register: members can be replaced or, with undefined, left out. */
export function saleText(members: Record<string, string | undefined> = {}): string {
  const whole: Record<string, string | undefined> = {
    cbTerminalID: '"1"',
    cbReceiptReference: '"r-1"',
    cbReceiptMoment: '"2026-01-31T10:15:00Z"',
    cbChargeItems:
      '[{"Quantity":1,"Description":"Melange","Amount":4.9,"VATRate":20,' +
      '"ftChargeItemCase":4707387510509010947}]',
    cbPayItems:
      '[{"Quantity":1,"Description":"Bar","Amount":4.9,"ftPayItemCase":4707387510509010945}]',
    ftReceiptCase: '4707387510509010945',
    ...members,
  }
  const parts = Object.entries(whole).flatMap(([name, json]) =>
    json === undefined ? [] : [`"${name}":${json}`],
  )
  return `{${parts.join(',')}}`
}

/** A receipt case of Austria: flags and code below the country. */
export const austrianCase = (code: bigint): string => String(0x4154_0000_0000_0000n | code)

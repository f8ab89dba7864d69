// Receipts to begin with, as a register would send them. Words without a country: the register's own
// counts.
export const SAMPLES = {
  sale: '',
  zero: '0x2000_0000_2000',
  start: '0x2000_0000_4001',
  daily: '0x2000_0000_2011',
  initiate: '0x2000_0000_4011',
  finish: '0x2000_0000_4012',
}
export type Sample = keyof typeof SAMPLES
/** Of the lab; the others belong to changing a unit. */
export const USUAL: readonly Sample[] = ['sale', 'zero', 'start', 'daily']

export const isSample = (text: string): text is Sample => text in SAMPLES

export function sampleOf(sample: Sample): string {
  const now = new Date()
  const items =
    sample === 'sale'
      ? {
          cbChargeItems: [{ Quantity: 2, Description: 'Café crème', Amount: 9.8, VATRate: 20 }],
          cbPayItems: [{ Description: 'Cash', Amount: 9.8, ftPayItemCase: '0x2000_0000_0001' }],
        }
      : { ftReceiptCase: SAMPLES[sample], cbChargeItems: [], cbPayItems: [] }
  const cbReceiptReference = `lab-${now.getTime()}`
  return JSON.stringify(
    { cbTerminalID: 'lab', cbReceiptReference, cbReceiptMoment: now.toISOString(), ...items },
    null,
    2,
  )
}

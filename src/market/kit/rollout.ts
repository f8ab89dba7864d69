// What countries have in common for those who set up registers: plain templates, and the demo.
import type { RolloutRules } from '../../model/rollout.js'

/** Of a country whose queues have neither keys nor parameters of their own. */
export const PLAIN_TEMPLATES = {
  completed: (row) => row,
  faultsOf: () => [],
  secretsOf: () => '',
  keptMembers: [],
  parameters: [],
  masterData: false,
  modeOf: () => 0,
  unitParameters: {},
  queueParameters: {},
  isReferenced: () => false,
  unkeyedReferences: false,
} as const satisfies Partial<RolloutRules>

type Charged = readonly [quantity: number, text: string, amount: number, rate: number, code: number]
type Paid = readonly [text: string, amount: number, code: number]

/** A sale in wire members; `base`: the country's word without a code. */
export function demoSale(
  base: bigint,
  { charges, pays }: { charges: readonly Charged[]; pays: readonly Paid[] },
): Record<string, unknown> {
  const word = (code: number): bigint => base | BigInt(code)
  return {
    cbTerminalID: '1',
    cbChargeItems: charges.map(([Quantity, Description, Amount, VATRate, code]) => ({
      ...{ Quantity, Description, Amount, VATRate },
      ftChargeItemCase: word(code),
    })),
    cbPayItems: pays.map(([Description, Amount, code]) => ({
      ...{ Quantity: 1, Description, Amount },
      ftPayItemCase: word(code),
    })),
    ftReceiptCase: word(1),
  }
}

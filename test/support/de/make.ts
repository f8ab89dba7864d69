// Requests, items and words for tests of the German market, with as little noise as possible.
import { Decimal } from '../../../src/lib/decimal.js'
import {
  blankRequest,
  type ChargeItem,
  type PayItem,
  type ReceiptRequest,
} from '../../../src/model/receipt.js'

/** v0/v1 words of Germany: `de(0x1)` is 0x4445_0000_0000_0001, explicit flow. */
export function de(code: number | bigint): bigint {
  return 0x4445_0000_0000_0000n | BigInt(code)
}

/** With the implicit flag. */
export function implicit(code: number | bigint): bigint {
  return 0x4445_0001_0000_0000n | BigInt(code)
}

export function de2(code: number | bigint): bigint {
  return 0x4445_2000_0000_0000n | BigInt(code)
}

export function charge(word: bigint, amount: string, more: Partial<ChargeItem> = {}): ChargeItem {
  return {
    position: 0n,
    quantity: Decimal.of('1'),
    description: 'item',
    amount: Decimal.of(amount),
    vatRate: Decimal.of('19'),
    chargeItemCase: word,
    chargeItemCaseData: null,
    vatAmount: null,
    accountNumber: null,
    costCenter: null,
    productGroup: null,
    productNumber: null,
    productBarcode: null,
    unit: null,
    unitQuantity: null,
    unitPrice: null,
    moment: null,
    ...more,
  }
}

export function pay(word: bigint, amount: string, more: Partial<PayItem> = {}): PayItem {
  return {
    position: 0n,
    quantity: Decimal.of('1'),
    description: 'payment',
    amount: Decimal.of(amount),
    payItemCase: word,
    payItemCaseData: null,
    accountNumber: null,
    costCenter: null,
    moneyGroup: null,
    moneyNumber: null,
    moment: null,
    ...more,
  }
}

export function receipt(receiptCase: bigint, more: Partial<ReceiptRequest> = {}): ReceiptRequest {
  return blankRequest({
    terminalId: 'T1',
    receiptReference: 'R1',
    receiptMoment: new Date('2026-01-01T09:00:00Z'),
    ...more,
    receiptCase,
  })
}

/** A cash sale of one item at the general rate. */
export function sale(
  receiptCase: bigint,
  amount = '11.90',
  more: Partial<ReceiptRequest> = {},
): ReceiptRequest {
  return receipt(receiptCase, {
    chargeItems: [charge(de(0x11), amount)],
    payItems: [pay(de(0x1), amount)],
    ...more,
  })
}

/** An order: no payment. */
export function order(receiptCase: bigint, more: Partial<ReceiptRequest> = {}): ReceiptRequest {
  return receipt(receiptCase, { chargeItems: [charge(de(0x11), '3.99')], ...more })
}

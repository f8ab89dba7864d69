// Requests, items and moments for tests of the Austrian market, with as little noise as possible.
import { Decimal } from '../../../../src/lib/decimal.js'
import {
  blankRequest,
  type ChargeItem,
  type PayItem,
  type ReceiptRequest,
} from '../../../../src/model/receipt.js'

/** v0/v1 and v2 words of Austria: `at(0x3)` is 0x4154_0000_0000_0003. */
export function at(code: number | bigint): bigint {
  return 0x4154_0000_0000_0000n | BigInt(code)
}

export function at2(code: number | bigint): bigint {
  return 0x4154_2000_0000_0000n | BigInt(code)
}

export function charge(word: bigint, amount: string, more: Partial<ChargeItem> = {}): ChargeItem {
  return {
    position: 0n,
    quantity: Decimal.of('1'),
    description: 'item',
    amount: Decimal.of(amount),
    vatRate: Decimal.of('20'),
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

export function pay(word: bigint, amount: string): PayItem {
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
  }
}

export interface Content {
  charges?: ChargeItem[]
  pays?: PayItem[]
  /** cbReceiptMoment. */
  made?: string
}

export function receipt(receiptCase: bigint, content: Content = {}): ReceiptRequest {
  return blankRequest({
    terminalId: 'T1',
    receiptReference: 'R1',
    receiptMoment: new Date(content.made ?? '2025-01-05T07:00:00Z'),
    chargeItems: content.charges ?? [],
    payItems: content.pays ?? [],
    receiptCase,
  })
}

/** A cash sale of one item at the normal rate. */
export function sale(amount: string, flags = 0n): ReceiptRequest {
  return receipt(at(0x1) | flags, {
    charges: [charge(at(0x3), amount)],
    pays: [pay(at(0x1), amount)],
  })
}

export const zeroReceipt = receipt(at(0x2))
export const startReceipt = receipt(at(0x3))
export const stopReceipt = receipt(at(0x4))
export const monthlyReceipt = receipt(at(0x5))
export const yearlyReceipt = receipt(at(0x6))

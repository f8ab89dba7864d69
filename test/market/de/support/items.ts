// Charge items and pay items of German requests in wire members.
import { DE, IMPLICIT, type Members } from './till.js'

export function charge(code: number, amount: number | string, changes: Members = {}): Members {
  return {
    quantity: 1,
    description: `charge ${code.toString(16)}`,
    amount,
    vatRate: 0,
    ftChargeItemCase: DE | BigInt(code),
    ...changes,
  }
}

export function pay(code: number, amount: number | string, changes: Members = {}): Members {
  return {
    quantity: 1,
    description: `pay ${code.toString(16)}`,
    amount,
    ftPayItemCase: DE | BigInt(code),
    ...changes,
  }
}

export const goods = (amount: number | string, changes: Members = {}): Members =>
  charge(0x11, amount, { vatRate: 19, ...changes })

export const cash = (amount: number | string, changes: Members = {}): Members =>
  pay(1, amount, changes)

/** A pos receipt unless `changes` says otherwise; `flags` are bits 16 and up. */
export function receipt(charges: Members[], pays: Members[], changes: Members = {}): Members {
  return {
    ftReceiptCase: IMPLICIT | 1n,
    cbChargeItems: charges,
    cbPayItems: pays,
    ...changes,
  }
}

export const receiptCase = (code: number, flags = 0): bigint =>
  IMPLICIT | BigInt(code) | (BigInt(flags) << 16n)

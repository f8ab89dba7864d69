// Check digits of tax numbers.

/** Digits times their weights, modulo 11. */
export const moduloEleven = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 11

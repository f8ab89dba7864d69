// Check digits as many countries compute them for their tax numbers.

/** Digits, each taken so often as its weight says. */
export const weightedSum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits.charAt(at)), 0)

/** Luhn: the digit that stands behind these, of which the last one is doubled. */
export function luhnDigit(digits: string): number {
  const sum = [...digits].toReversed().reduce((all, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return all + Math.floor(value / 10) + (value % 10)
  }, 0)
  return (10 - (sum % 10)) % 10
}

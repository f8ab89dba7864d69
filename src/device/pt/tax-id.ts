// Portuguese tax numbers.
import { weightedSum } from '../../lib/check-digits.js'

const MODULUS = 11
const WEIGHTS = [9, 8, 7, 6, 5, 4, 3, 2]

/** Nine digits with a check digit. */
export function isNif(text: string): boolean {
  if (!/^[1-35-9]\d{8}$/.test(text)) return false
  const rest = weightedSum(text, WEIGHTS) % MODULUS
  return Number(text.charAt(WEIGHTS.length)) === (rest < 2 ? 0 : MODULUS - rest)
}

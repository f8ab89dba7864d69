// Places in a whole, as parts of it, each as likely as any other. Doubles of fast-check are as
// likely of any magnitude: nearly all of them between 0 and 1 are nearly 0.
import fc from 'fast-check'

/** Finer than any file of a test. */
const FINE = 2 ** 30

/** From 0, below 1. */
export const parts: fc.Arbitrary<number> = fc.nat({ max: FINE - 1 }).map((at) => at / FINE)

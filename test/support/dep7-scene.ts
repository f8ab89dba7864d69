// A day at one register as a DEP7, and what the verifier says of it.
import type { Finding } from '../../src/model/verdict.js'
import { type Dep7Options, dep7File, verifyDep7 } from '../../src/verify/at/dep7.js'
import {
  type Amounts,
  depOf,
  exampleSigner,
  type Plan,
  pieces,
  Register,
  type Signer,
} from './dep7-maker.js'
import { expectGerman } from './german-findings.js'

export async function findingsOf(
  text: string | Uint8Array,
  options: Dep7Options = {},
  pieceSize = 8192,
): Promise<Finding[]> {
  const findings: Finding[] = []
  await verifyDep7(pieces(text, pieceSize), options, (finding) => {
    expectGerman(dep7File, finding)
    findings.push(finding)
  })
  return findings
}

/** `CODE receipt` for each finding: what tests compare. */
export function brief(findings: Finding[]): string[] {
  return findings.map(({ code, receipt }) => `${code} ${receipt}`.trim())
}

export interface Scene {
  register: Register
  /** Compact JWS; receipt n of the plans is at n - 1 and has the number n. */
  receipts: string[]
}

const TRAINING: Plan = { amounts: [5000, 0, 0, 0, 0], kind: 'training' }
const VOID: Plan = { amounts: [-1200, 0, 0, 0, 0], kind: 'void' }

/** What the 40 receipts of the scene are, by number, where they are no plain sales. */
export const SPECIAL: Record<number, Plan> = {
  1: {},
  8: TRAINING,
  10: VOID,
  21: { amounts: [700, 0, 0, 0, 50], failed: true },
  22: { amounts: [800, 0, 0, 0, 0], failed: true },
  23: {},
  30: {},
}

function sale(number: number): Plan {
  const amounts: Amounts = [100 * number, number, 0, 3 * number, 0]
  return { amounts }
}

/**
 * Forty receipts: sales, training, void, a failed device with collective receipt, a zero receipt.
 */
export function scene(changes: Record<number, Plan> = {}, signer: Signer = exampleSigner): Scene {
  const register = new Register({ signer })
  const receipts: string[] = []
  for (let number = 1; number <= 40; number += 1) {
    receipts.push(register.next({ ...(SPECIAL[number] ?? sale(number)), ...changes[number] }))
  }
  return { register, receipts }
}

/**
 * Findings of the receipts in one group under the published certificate, with the register's key.
 */
export async function judged(made: Scene, receipts: unknown[] = made.receipts): Promise<string[]> {
  return brief(await findingsOf(depOf({ receipts }), { key: made.register.keyText }))
}

/** The array with one entry replaced. */
export function replaced(
  receipts: string[],
  number: number,
  change: (jws: string) => string,
): string[] {
  return receipts.map((jws, index) => (index === number - 1 ? change(jws) : jws))
}

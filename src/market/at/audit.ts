// A second look at what an Austrian queue has stored: cash numbers, the code on each answer,
// outages and their collective receipts, the state at the end, and the DEP7 as a whole.

import { createHash } from 'node:crypto'
import type { StoredMarketRow } from '../../model/journal.js'
import type { QueueView } from '../../model/queue.js'
import type { Finding, Verdict } from '../../model/verdict.js'
import type { AuditedReceipt, Auditor } from '../contract.js'
import { certificatesNamed, expect, type Shown, shownBy } from '../kit/audit.js'
import { formats } from '../kit/draft.js'
import { stateBits } from './cases.js'
import type { AtState } from './queue.js'
import { captions } from './text.js'
import { openKey } from './turnover.js'

/**
 * Third part of the JWS when the device failed (RKSV Annex, "Sicherheitseinrichtung ausgefallen").
 */
const FAILED = Buffer.from(captions.signerFailed).toString('base64url')
const CHAIN_BYTES = 8
const DEP7 = 0x4154_0000_0000_0001n

export class AtAuditor implements Auditor {
  private readonly queue: QueueView
  private readonly state: AtState
  private readonly secrets: string
  private number = 0
  private last: string | undefined
  private readonly certificates = certificatesNamed()
  /** Failed receipts since the last collective receipt. */
  private outage = 0

  constructor(queue: QueueView, state: AtState, secrets: string) {
    this.queue = queue
    this.state = state
    this.secrets = secrets
  }

  receipt(receipt: AuditedReceipt): Finding[] {
    if (receipt.response === null) return []
    const shown = shownBy(receipt.response)
    return receipt.journal.flatMap((row) => this.judgeRow(row, receipt, shown))
  }

  end(): Finding[] {
    const { state, queue } = this
    const started = queue.startMoment !== null || this.number > 0
    const chain = started ? chainOver(this.last ?? queue.identification) : state.lastSignatureHash
    return [
      ...expect('STATE_NUMBER', '', [this.number, state.cashNumerator]),
      ...expect('STATE_CHAIN', '', [chain, state.lastSignatureHash]),
      ...expect('STATE_OUTAGE', '', [this.outage, state.sscdFailCount]),
    ]
  }

  /** Its receipts are proven by what the rows name, not by what the export says of itself. */
  legalExport(): ReturnType<Auditor['legalExport']> {
    if (this.number === 0) return undefined
    const key = openKey(this.secrets)
    const wanted = { type: DEP7, ...this.certificates.given() }
    return key.kind === 'key' ? { ...wanted, key: key.base64 } : wanted
  }

  judge({ findings, summary }: Verdict): Finding[] {
    // where a counter is wrong the last one says nothing of the state
    const wrong = findings.some((one) => /^(COUNTER|KEY)_WRONG$/.test(one.code))
    const counter = this.state.cashTotalizer.replace('.', ',')
    const last = summary !== null && 'lastCounter' in summary ? summary.lastCounter : null
    const found = wrong ? counter : (last ?? counter)
    return [...findings, ...expect('STATE_COUNTER', '', [found, counter])]
  }

  private judgeRow(row: StoredMarketRow, receipt: AuditedReceipt, shown: Shown): Finding[] {
    const place = String(row.number)
    const failed = row.content.endsWith(`.${FAILED}`)
    const findings = expect('CASH_NUMBER', place, [this.number + 1, row.number])
    this.number = row.number
    this.last = row.content
    this.certificates.add(row.certificateFingerprint)
    const code = codeOf(row.content)
    const printed = shown.items.filter((one) => one.format === String(formats.qr))
    if (!printed.some((one) => one.data === code)) {
      findings.push(...expect('ANSWER_CODE', place, [code, printed[0]?.data ?? 'no code']))
    }
    findings.push(...expect('FAILED_UNIT', place, [failed, row.scuId === null]))
    return [...findings, ...this.judgeOutage(place, receipt, { shown, failed })]
  }

  /**
   * § 17 RKSV: a failure is recorded when it begins, every receipt of it is marked, and a signed
   * zero receipt ends it.
   */
  private judgeOutage(
    place: string,
    { actionTypes }: AuditedReceipt,
    { shown, failed }: { shown: Shown; failed: boolean },
  ): Finding[] {
    if (failed) {
      this.outage += 1
      const marked = shown.items.some((one) => one.caption === captions.signerFailed)
      const recorded = this.outage > 1 || actionTypes.includes('SigningUnitsFailed')
      return [
        ...expect('OUTAGE_MARK', place, [
          'the mark of a failed device',
          mark(marked && signerOut(shown)),
        ]),
        ...expect('OUTAGE_RECORD', place, [true, recorded]),
      ]
    }
    const ends = shown.items.some((one) => one.caption === captions.collective)
    const inside = this.outage > 0
    if (ends) this.outage = 0
    return [
      ...expect('OUTAGE_END', place, [ends && inside, ends]),
      ...expect('OUTAGE_BIT', place, [inside && !ends, signerOut(shown)]),
    ]
  }
}

const signerOut = ({ state }: Shown): boolean => (state & BigInt(stateBits.signerOut)) !== 0n

function mark(there: boolean): string {
  return there ? 'the mark of a failed device' : 'none'
}

/** Field 12 of the next receipt (RKSV Annex Z 4). */
function chainOver(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, CHAIN_BYTES).toString('base64')
}

/** The 13 fields of the machine-readable code that a compact JWS stands for. */
function codeOf(jws: string): string {
  const [, payload = '', signature = ''] = jws.split('.')
  const code = Buffer.from(payload, 'base64url').toString()
  return `${code}_${Buffer.from(signature, 'base64url').toString('base64')}`
}

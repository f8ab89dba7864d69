// The table of a chain holds what was signed, sign by sign: programs compare it.
import { describe, expect, it } from 'vitest'
import { groups } from '../../../src/market/fr/export/groups.js'
import { lines } from '../../../src/market/fr/export/lines.js'
import type { ExportSource } from '../../../src/model/export-source.js'
import { type Sent, wireOf } from './queue.js'

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function tableOf(members: Record<string, unknown>): Promise<string> {
  const content = `${base64url({ alg: 'ES256' })}.${base64url(members)}.c2lnbmF0dXJl`
  async function* marketRows() {
    yield [{ content }]
  }
  let text = ''
  const copies = groups.find((one) => 'matches' in one && one.matches(0x4652_0000_0000_000an))
  for await (const piece of copies?.run({ marketRows } as unknown as ExportSource) ?? [])
    text += piece
  return text
}

describe('the table of a chain', () => {
  it.each(['-HYDLiSGNsMvE0fbmXKUMQbA8KFvlZELvWEQCZ1Dxow', '+1', '=1', '@a'])(
    'gives %s as it was signed',
    async (sign) => {
      const [, row] = (await tableOf({ qid: 'q', crr: sign, hash: sign })).split('\r\n')
      expect(row).toBe(`q,,,,,,${sign},,,${sign}`)
    },
  )
})

describe('the table of what is kept', () => {
  it('has a row for each line, with how it was paid and in which mode', async () => {
    const sale: Sent = { kind: 1, charges: [[3, 12]], pays: [[1, 12]] }
    const response = '{"ftReceiptIdentification":"ft1#T1","ftReceiptMoment":"2026-03-02T10:00:00Z"}'
    const item = (sent: Sent, receiptNumber: number | null) => ({
      ...{ request: wireOf(sent), response, version: 'v1', receiptNumber, receiptTotal: '12' },
    })
    const data = { ftChargeItemCaseData: '{"NetAmount":10.0}' }
    const request = wireOf({ ...sale, more: { cbUser: 'Marie' } }).replace(
      '"VATRate"',
      `${JSON.stringify(data).slice(1, -1)},"VATRate"`,
    )
    async function* items() {
      yield [
        { ...item(sale, 2), request },
        item({ kind: 5, flags: 2 }, 3),
        item({ ...sale, flags: 5 }, 4),
        item(sale, null),
      ]
    }
    const queue = { identification: 'CAISSE-1' }
    let text = ''
    for await (const piece of lines.run({ items, queue } as unknown as ExportSource)) text += piece
    const rows = text.trimEnd().split('\r\n')
    expect(rows[0]).toMatch(/^Caisse,Document,Horodatage,.*,MontantTTC$/)
    const head = 'CAISSE-1,ft1#T1,2026-03-02T10:00:00Z,r,'
    expect(rows[1]).toBe(`${head},Marie,5067112530745229313,,12,article,x,1,,,20,10.0,,12`)
    expect(rows[2]).toBe(`${head},Marie,5067112530745229313,,12,paiement,x,1,,,,,,12`)
    expect(rows[3]).toMatch(/,5067112530745360389,école,12,,,,,,,,,$/)
    expect(rows[4]).toMatch(/,dégradé annulation,12,article,/)
    expect(rows).toHaveLength(6)
  })
})

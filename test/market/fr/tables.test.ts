// The table of a chain holds what was signed, sign by sign: programs compare it.
import { describe, expect, it } from 'vitest'
import { groups } from '../../../src/market/fr/export/groups.js'
import type { ExportSource } from '../../../src/model/export-source.js'

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function tableOf(members: Record<string, unknown>): Promise<string> {
  const content = `${base64url({ alg: 'ES256' })}.${base64url(members)}.c2lnbmF0dXJl`
  async function* chainRows() {
    yield [{ content }]
  }
  let text = ''
  const copies = groups.find((one) => 'matches' in one && one.matches(0x4652_0000_0000_000an))
  for await (const piece of copies?.run({ chainRows } as unknown as ExportSource) ?? [])
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

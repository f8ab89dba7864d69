import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PreparedRows } from '../../../src/core/accounts/invitation/csv/prepared.js'
import type { NewInvitation } from '../../../src/store/account/invitations.js'

const text = fc.string({ unit: 'grapheme', maxLength: 40 })
/** Also those that are longer than a piece of the temporary storage. */
const long = fc.integer({ min: 0, max: 120_000 }).map((length) => 'ß€😀"\n'.repeat(length / 5))
const row = fc.record({
  ...{ id: fc.uuid(), key: text, rights: fc.constant(null) },
  ...{ company: fc.record({ name: text }), contact: fc.record({ email: fc.oneof(text, long) }) },
})
const lists = fc.array(fc.array(row, { maxLength: 5 }), { maxLength: 6 })

describe('rows of a file that wait until all were looked at', () => {
  it('come back in their batches, whatever stands in them', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (given) => {
        const prepared = new PreparedRows()
        for (const rows of given) await prepared.add(rows as unknown as NewInvitation[])
        const back: unknown[] = []
        for await (const json of prepared.batches()) back.push(JSON.parse(json))
        await prepared.close()
        expect(back).toEqual(given.filter((rows) => rows.length > 0))
      }),
      { numRuns: 60 },
    )
  })

  it('are gone when they were given back', async () => {
    const prepared = new PreparedRows()
    await prepared.add([{ id: 'a' } as unknown as NewInvitation])
    await prepared.close()
    const read = async () => {
      for await (const json of prepared.batches()) return json
      return undefined
    }
    expect(await read()).toBeUndefined()
  })
})

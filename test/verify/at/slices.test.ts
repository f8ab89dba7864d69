// A part of a chain, judged as what follows something: its last chaining value, or the export
// before it.
import { describe, expect, it } from 'vitest'
import { chainOver, depOf, exampleSigner, pieces, Register } from '../../support/dep7-maker.js'
import { brief, findingsOf, replaced, scene } from '../../support/dep7-scene.js'

const { register, receipts } = scene()
const key = register.keyText
const [early, late] = [receipts.slice(0, 25), receipts.slice(25)]
const before = depOf({ receipts: early })
const slice = depOf({ receipts: late })
const after = () => pieces(before)

describe('a slice of a chain', () => {
  it('lacks its beginning unless it is said what it follows', async () => {
    expect(brief(await findingsOf(slice, { key }))).toEqual(['START_MISSING 26'])
    expect(await findingsOf(slice, { key, after: chainOver(early.at(-1) ?? '') })).toEqual([])
    expect(await findingsOf(slice, { key, after })).toEqual([])
  })

  it('behind another receipt is refused', async () => {
    const other = chainOver(early.at(-2) ?? '')
    expect(brief(await findingsOf(slice, { key, after: other }))).toEqual(['CHAIN_BROKEN 26'])
    const short = () => pieces(depOf({ receipts: early.slice(0, -1) }))
    expect(brief(await findingsOf(slice, { key, after: short }))).toEqual(['CHAIN_BROKEN 26'])
  })

  it('goes on with the counter, the numbers and the positions of the export before', async () => {
    const counted = new Register({ signer: exampleSigner })
    const made = [{}, { amounts: [100, 0, 0, 0, 0] as const }, { counted: 7 }, {}].map((plan) =>
      counted.next(plan as object),
    )
    const first = () => pieces(depOf({ receipts: made.slice(0, 2) }))
    const found = await findingsOf(depOf({ receipts: made.slice(2) }), {
      key: counted.keyText,
      after: first,
    })
    expect(brief(found)).toEqual(['COUNTER_WRONG 3'])
    expect(found[0]?.text).toMatch(/^position 1: expected a counter of 1,00/)
    const doubled = new Register({ signer: exampleSigner })
    const twice = [doubled.next(), doubled.next({ number: '1' })]
    const again = await findingsOf(depOf({ receipts: twice.slice(1) }), {
      after: () => pieces(depOf({ receipts: twice.slice(0, 1) })),
    })
    expect(again[0]?.text).toContain('found that of position 1 of the export before')
  })

  it('behind an export that is not right itself is told as a notice', async () => {
    const changed = replaced(early, 3, (jws) => jws.replace(/.{10}$/, 'AAAAAAAAAA'))
    const found = await findingsOf(slice, {
      key,
      after: () => pieces(depOf({ receipts: changed })),
    })
    expect(found).toMatchObject([{ code: 'AFTER_REFUSED', notice: true }])
  })

  it('of a slice of a slice is judged without the very beginning', async () => {
    const middle = () => pieces(depOf({ receipts: receipts.slice(10, 25) }))
    expect(await findingsOf(slice, { key, after: middle })).toEqual([])
  })

  it.each(['', 'x', 'AAAAAAAAAAAA', '{}'])('%j is nothing to follow', async (text) => {
    const given = findingsOf(slice, { after: text })
    await expect(given).rejects.toMatchObject({ code: 'FIELD_INVALID', field: 'after' })
  })

  it('an export without receipts is nothing to follow', async () => {
    const given = findingsOf(slice, { after: () => pieces(depOf({ receipts: [] })) })
    await expect(given).rejects.toMatchObject({ code: 'FIELD_INVALID', field: 'after' })
  })
})

describe('times', () => {
  it('later than now are a notice', async () => {
    const text = depOf({ receipts })
    const now = new Date(register.clock + 3_600_000)
    expect(await findingsOf(text, { key, now })).toEqual([])
    const found = await findingsOf(text, { key, now: new Date('2025-01-05T07:00:10Z') })
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(['TIME_FUTURE']))
    expect(found.every(({ notice }) => notice === true)).toBe(true)
    expect(found[0]?.text).toContain('expected a time until now, 2025-01-05T08:00:10')
  })
})

// Shows that the check of numbers in the pages of the portal finds what it forbids.
import { describe, expect, it } from 'vitest'
import { checkRounding } from './support/tidy/numbers.js'
import { Tree } from './support/tidy/tree.js'

const found = (files: Record<string, string>): string[] =>
  checkRounding(Tree.of(files)).map(({ text }) => text)

describe('numbers of the portal', () => {
  it.each([
    ['Number(state)', 'Number rounds'],
    ['new Number(state)', 'Number rounds'],
    ['parseInt(seq, 10)', 'parseInt rounds'],
    ['Number.parseFloat(seq)', 'parseFloat rounds'],
    ['window.parseInt(seq)', 'parseInt rounds'],
    ['words.map(Number)', 'Number rounds'],
    ['+ticks', 'a unary plus rounds'],
    ['words as number', 'it is called a number'],
    ['words as unknown as number', 'it is called a number'],
    ['JSON.parse(text)', 'JSON.parse rounds'],
    ['await answer.json()', 'json() rounds'],
  ])('%s is found', (text, finding) => {
    const file = `export const a = async () => ${text}`
    expect(found({ 'portal/src/pages/a.tsx': file })).toEqual([finding])
    expect(found({ 'portal/src/api/numbers.ts': file })).toEqual([])
    expect(found({ 'src/lib/a.ts': file })).toEqual([])
  })
  it('words that stay digits, and numbers that are none of digits, are left alone', () => {
    const list = 'BigInt(state), Number.NaN, Math.round(ms), at + 1, -1, x as string'
    const file = `export const a = [${list}]`
    expect(found({ 'portal/src/pages/a.tsx': file })).toEqual([])
  })
})

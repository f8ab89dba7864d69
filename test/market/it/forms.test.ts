// Tables of forms, filled in: what comes of a value is told once, in its place, and nothing else.
import { expect, it } from 'vitest'
import { filled, xml } from '../../../src/device/it/wire.js'

const form = {
  receipt: {
    till: '{till}',
    count: '{count}',
    '?lottery': { code: { of: 'L-{lottery}' } },
    '*lines': { '?note': { note: { text: '{text}' } }, '?cents': { item: { cents: '{cents}' } } },
    end: {},
  },
}

it('elements stand in the order of their table, each of a list, and only what there is', () => {
  const lines = [{ cents: 12n }, { note: true, text: 'Grazie' }]
  expect(xml(form, { till: 'T1', lottery: 'ABCDEFGN', lines })).toBe(
    '<receipt till="T1"><code of="L-ABCDEFGN" /><item cents="12" /><note text="Grazie" />' +
      '<end /></receipt>',
  )
  expect(xml(form, { till: '', lottery: '' })).toBe('<receipt till=""><end /></receipt>')
})

it('what somebody has typed is text: neither an element nor a place of the table', () => {
  const text = '"/><end x="{till}" $& &amp;'
  expect(xml(form, { till: text, lottery: '{till}$1', lines: [] })).toBe(
    '<receipt till="&quot;/&gt;&lt;end x=&quot;{till}&quot; $&amp; &amp;amp;">' +
      '<code of="L-{till}$1" /><end /></receipt>',
  )
  expect(filled({ a: '{one}', b: 'x{one}' }, { one: '{b}', b: 2 })).toEqual([
    ['a', '{b}'],
    ['b', 'x{b}'],
  ])
})

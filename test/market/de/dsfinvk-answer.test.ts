import { describe, expect, it } from 'vitest'
import { answerOf, headOf } from '../../../src/market/de/export/dsfinvk/answer.js'

const answer = (changes: string) =>
  `{"ftQueueRow":7,"cbReceiptReference":"r","ftReceiptIdentification":"ft6#IT3",` +
  `"ftReceiptMoment":"2026-01-31T10:15:00Z","ftSignatures":[{"ftSignatureType":0,"data":"x"}],` +
  `"ftState":4919338167972134914${changes}}`

describe('the head of an answer, read without its signatures', () => {
  it.each([
    ['a plain answer', answer('')],
    ['an answer that holds another one', answer(',"ftStateData":{"ftState":1}')],
    ['one with an answer in a text', answer(',"ftStateData":"{\\"ftState\\":1}"')],
    ['a reference that looks like a member', answer('').replace('"r"', '"\\"ftState\\":5,"')],
    ['an identification with a quote', answer('').replace('ft6#IT3', 'ft6\\"#')],
    ['names in another case', answer('').replace('ftState', 'FtState')],
  ])('is that of the whole answer: %s', (_name, text) => {
    const { identification, state } = answerOf(text)
    expect(headOf(text)).toMatchObject({ identification, state })
  })
})

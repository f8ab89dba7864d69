import { describe, expect, it } from 'vitest'
import { chainHash } from '../../src/model/receipt-chain.js'

// Published chain vectors of the receipt journal, recomputed outside this program.
const link = {
  receiptJournalId: '314019ae-9290-4f30-9e35-4f403df1cbaf',
  receiptMoment: new Date('2019-12-03T03:00:29.933Z'),
  receiptNumber: 4,
  requestHash: Buffer.from('3fLuQrqGKXmD452hUF/jJDo5N2k2pEpeuPxEB9oeTUg=', 'base64'),
  responseHash: Buffer.from('Pb1bTQ5wsRrtrvhh8YOaahqZiHQhi7RBnNqdo+dFpI0=', 'base64'),
}
const previous = Buffer.from('ma+D/tFGuwgKRwomnOlb6eDXjIx4JMsX3a0zqSxLpVU=', 'base64')

describe('the hash chain of the receipt journal', () => {
  it('gives the published hash of a receipt behind another one', () => {
    const hash = chainHash({ ...link, previous })
    expect(hash.toString('base64')).toBe('u3OwD1Vtc+N22/mMF4XgIsfqPUK5HQMvYa7tfBT2sdA=')
  })

  it('gives the published hash of the first receipt of a queue', () => {
    const hash = chainHash({ ...link, previous: null })
    expect(hash.toString('base64')).toBe('s3w9N4PCwUehjsPDzziLZTArO8f3/of7c5M7NTb/99w=')
  })

  it('changes with every one of its parts', () => {
    const changed = [
      { previous: Buffer.from(previous).reverse() },
      { receiptJournalId: '314019ae-9290-4f30-9e35-4f403df1cbae' },
      { receiptMoment: new Date('2019-12-03T03:00:29.934Z') },
      { receiptNumber: 5 },
      { requestHash: link.responseHash },
      { responseHash: link.requestHash },
    ].map((part) => chainHash({ ...link, previous, ...part }).toString('base64'))
    expect(new Set(changed).size).toBe(6)
    expect(changed).not.toContain('u3OwD1Vtc+N22/mMF4XgIsfqPUK5HQMvYa7tfBT2sdA=')
  })
})

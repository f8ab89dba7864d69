// Documents of processes that died that nothing takes back (a credit has no reversal): they stand
// in the books, and the same sale, when its program sends it again, is that document and no second
// one.
import type { Transmitted } from '../../device/gr/mydata.js'
import { contentOf, idOf, xmlOf } from '../../device/gr/whole.js'
import { sha256 } from '../../lib/hash.js'
import type { XmlElement } from '../../lib/xml-read.js'
import type { LeftDocument, StoredRecord } from './rows.js'

/** Older ones are a matter of people. */
const MOST = 50

const contentKey = (invoice: XmlElement): string =>
  sha256(contentOf(invoice, ['aa'])).toString('base64')

export const leftOf = ({ invoice, ...there }: Transmitted): LeftDocument => ({
  ...{ content: contentKey(invoice), aa: idOf(invoice).aa, uid: there.uid, url: there.url },
  ...{ mark: there.mark, authenticationCode: there.authenticationCode, qrUrl: there.qrUrl },
})

/** The document itself, for the books. */
export const leftRecord = ({ invoice, uid, url }: Transmitted): StoredRecord => ({
  ...{ ...idOf(invoice), uid, xml: xmlOf(invoice, url) },
  ...{ reference: '', failure: 0, isLeft: true },
})

/** The one that this sale is; `invoice`: as it would be sent. */
export function leftFor(
  left: readonly LeftDocument[],
  invoice: () => XmlElement | undefined,
): LeftDocument | undefined {
  const sent = left.length === 0 ? undefined : invoice()
  const content = sent && contentKey(sent)
  return left.find((one) => one.content === content)
}

export const withLeft = (all: readonly LeftDocument[], more: readonly LeftDocument[]) =>
  [...withoutLeft(all, more), ...more].slice(-MOST)

export const withoutLeft = (all: readonly LeftDocument[], gone: readonly LeftDocument[]) =>
  all.filter(({ mark }) => gone.every((one) => one.mark !== mark))

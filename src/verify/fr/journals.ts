// Journals of a French queue: the documents of one chain as a table, and the raw journal with its
// signatures.
import type { FileVerifier } from '../contract.js'
import { openTable, type TableRow } from '../csv-table.js'
import { jsonRows, textOf } from '../json-rows.js'
import { Certificates, type Payload, payloadText } from '../jws.js'
import { Documents } from './documents.js'
import { FRENCH, judged } from './rules.js'
import { MEMBERS, PREFIXES } from './totals.js'

const HEAD = 'QueueId,CashBoxIdentification,Siret,ReceiptId,ReceiptMoment,QueueItemId'
const placeOf = (rid: string) => {
  const [, letter = '', number = ''] = /#([A-Z])(\d+)$/.exec(rid) ?? []
  return { letter, number }
}

/** The documents of one chain; without signatures, so that numbers, order and sums are judged. */
export const groupFile: FileVerifier = {
  ...FRENCH,
  name: 'French journal of a chain',
  recognises: ({ head }) => {
    const [line = ''] = head.toString('utf8').split(/\r?\n/)
    return line.replace(/^\ufeff?(?:A[^,]*,|L[^,]*,|P[^,]*,|F[^,]*,)*/, '').startsWith(HEAD)
  },
  verify: (read, _options, sink) =>
    judged(sink, { documents: 0 }, async (report, counted) => {
      const documents = new Documents(report)
      let chain = ''
      for await (const row of openTable(read()).rows) {
        const { letter, number } = placeOf(row.ReceiptId ?? '')
        chain ||= letter
        documents.unsigned({ letter: chain, number }, payloadIn(row))
        counted.documents += 1
      }
    }),
}

/** Columns of total and rates, in the order of the members. */
const AMOUNTS = 'Totalizer CINormal CIReduced1 CIReduced2 CIReducedS CIZero CIUnknown'.split(' ')
const MEMBER_OF = new Map([
  ...[['QueueId', 'qid'] as const, ['ReceiptId', 'rid'] as const, ['LastHash', 'hash'] as const],
  ...[['ReceiptMoment', 'dt'] as const, ['ReceiptCase', 'rc'] as const],
  ...PREFIXES.flatMap((prefix) =>
    AMOUNTS.map(
      (name, at) => [prefix.slice(0, 1).toUpperCase() + name, prefix + MEMBERS[at]] as const,
    ),
  ),
])

/** The same members as in a document; moments are `MM/dd/yyyy HH:mm:ss`. */
function payloadIn(row: TableRow): Payload {
  const members = Object.entries(row).map(([name, value]): [string, string] => [
    MEMBER_OF.get(name) ?? name,
    value.replace(/^(\d\d)\/(\d\d)\/(\d{4}) ([\d:]+)$/, '$3-$1-$2T$4Z'),
  ])
  return new Map(members.filter(([, value]) => value !== ''))
}

/** ftJournalFR as JSON, with the signature of every document; certificates are given beside it. */
export const rawFile: FileVerifier = {
  ...FRENCH,
  name: 'French journal',
  recognises: ({ head }) => /^\s*\[\s*\{\s*"ftJournalFRId"/.test(head.toString('utf8')),
  verify: (read, { certificates: given }, sink) =>
    judged(sink, { documents: 0 }, async (report, counted) => {
      const certificates = new Certificates(report)
      certificates.trust(given, false)
      const documents = new Documents(report, certificates)
      try {
        for await (const row of jsonRows(read())) {
          const names = ['ReceiptType', 'JWT', 'JsonData', 'ftQueueItemId']
          const [letter = '', jws = '', data, item] = names.map((name) => textOf(row, name))
          const payload = payloadText(jws)
          const { number } = placeOf(/"rid":"([^"]*)"/.exec(payload)?.[1] ?? '')
          const document = documents.signed({ letter, number }, jws)
          const isSame = data === payload && document?.payload.get('qiid') === item
          if (!isSame) report('DOCUMENT_ITEM', document?.rid ?? '', 'the row says something else')
        }
      } finally {
        counted.documents = documents.count
        if (documents.count === 0) report('EMPTY', '', 'expected documents, found none')
      }
    }),
}

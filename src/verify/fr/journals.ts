// Journals of a French queue: the documents of one chain as a table, and the raw journal with its
// signatures.
import { openTable, type TableRow } from '../csv-table.js'
import { jsonRows, textOf } from '../json-rows.js'
import { Certificates, type Payload, payloadText } from '../jws.js'
import columns from './columns.json' with { type: 'json' }
import { Documents } from './documents.js'
import { fileKind } from './rules.js'

const HEAD = 'QueueId,CashBoxIdentification,Siret,ReceiptId,ReceiptMoment,QueueItemId'
const placeOf = (rid: string) => {
  const [, letter = '', number = ''] = /#([A-Z])(\d+)$/.exec(rid) ?? []
  return { letter, number }
}

/** The documents of one chain; without signatures, so that numbers, order and sums are judged. */
export const groupFile = fileKind({
  name: 'French journal of a chain',
  // some chains have columns before those that all have
  recognises: new RegExp(`^\ufeff?(?:[ALPF][^,\\r\\n]*,)*${HEAD}`),
  counted: { documents: 0 },
  async judge(read, { report, counted }) {
    const documents = new Documents(report)
    let chain = ''
    for await (const row of openTable(read()).rows) {
      const { letter, number } = placeOf(row.ReceiptId ?? '')
      chain ||= letter
      documents.take({ letter: chain, number }, payloadIn(row))
      counted.documents += 1
    }
  },
})

const memberOf = new Map(Object.entries(columns))

/** The same members as in a document; moments are `MM/dd/yyyy HH:mm:ss`. */
function payloadIn(row: TableRow): Payload {
  const members = Object.entries(row).map(([name, value]): [string, string] => [
    memberOf.get(name) ?? name,
    value.replace(/^(\d\d)\/(\d\d)\/(\d{4}) ([\d:]+)$/, '$3-$1-$2T$4Z'),
  ])
  return new Map(members.filter(([, value]) => value !== ''))
}

/** ftJournalFR as JSON, with the signature of every document; certificates are given beside it. */
export const rawFile = fileKind({
  name: 'French journal',
  recognises: /^\s*\[\s*\{\s*"ftJournalFRId"/,
  counted: { documents: 0 },
  async judge(read, { report, counted, options }) {
    const certificates = new Certificates(report, options.certificates)
    const documents = new Documents(report, certificates)
    try {
      for await (const row of jsonRows(read())) {
        const names = ['ReceiptType', 'JWT', 'JsonData', 'ftQueueItemId']
        const [letter = '', jws = '', data, item] = names.map((name) => textOf(row, name))
        const payload = payloadText(jws)
        const { number } = placeOf(/"rid":"([^"]*)"/.exec(payload)?.[1] ?? '')
        const document = documents.take({ letter, number }, jws)
        const isSame = data === payload && document?.payload.get('qiid') === item
        if (!isSame) report('DOCUMENT_ITEM', document?.rid ?? '', 'the row says something else')
      }
    } finally {
      counted.documents = documents.count
      if (documents.count === 0) report('EMPTY', '', 'expected documents, found none')
    }
  },
})

// What a reader does beside pasting the blocks of the documentation: words that are to be replaced,
// files that are to be there, programs that go on until somebody ends them. Called by
// test/docs-blocks.test.ts, which fails for an entry that fits no block.

/** About the blocks of a page that hold this text. */
interface About {
  page: string
  has: string
}

/** Blocks that cannot be run here, and why. Whoever adds one has to say what proves it instead. */
export const NOT_RUN: readonly (About & { why: string })[] = [
  { page: 'README.md', has: 'npm test', why: 'it would run the tests within the tests' },
]

/** Programs that do not end: this long they may take to say this; then they are ended. */
export const ENDLESS: readonly (About & { says: string })[] = [
  { page: 'README.md', has: 'npm start', says: 'npx fiskalwerk demo' },
  { page: 'docs/examples/README.md', has: 'npm start', says: 'npx fiskalwerk demo' },
  { page: 'docs/grpc.md', has: 'npm start', says: 'npx fiskalwerk demo' },
  { page: 'docs/payments.md', has: 'terminal simulate', says: 'http://' },
  { page: 'docs/dealer-templates.md', has: 'serve --cashbox', says: 'http://' },
]

/** What a reader puts in place of a word that says so: the next one is a command of bash. */
export const REPLACED: readonly (About & { word: string; by: string })[] = [
  { page: 'docs/operating.md', has: 'fault set', word: 'SCU-ID', by: '"$SCU_ID"' },
  { page: 'docs/operating.md', has: 'QUEUE_ALIASES', word: 'QUEUE-ID', by: '"$QUEUE_ID"' },
  // nothing waits here: the command says that it knows of no such job
  { page: 'docs/messages.md', has: 'jobs retry', word: 'retry ID', by: 'retry 1 || true' },
  {
    page: 'docs/markets/de.md',
    has: 'cashbox add',
    word: '--account ID',
    by: '--account "$OWNER"',
  },
  { page: 'docs/markets/de.md', has: 'cashbox add', word: 'QUEUE-ID', by: '"$QUEUE_ID"' },
  {
    page: 'docs/markets/de.md',
    has: 'cashbox add',
    word: '{…}',
    by: '{"Account":{"AccountName":"Muster GmbH"}}',
  },
  // the key is the merchant's own; without it the value of the counter is not judged
  { page: 'docs/markets/at.md', has: 'verify dep7', word: ' --key <Base64 AES key>', by: '' },
  { page: 'docs/grpc.md', has: 'GRPC_PORT', word: '1400', by: '"$FREE_PORT"' },
  { page: 'docs/dealer-templates.md', has: 'serve --cashbox', word: '8081', by: '0' },
]

const EXPORT =
  'fetched() { curl -sS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" ' +
  '"$FISKALWERK_URL/$QUEUE_ID/json/v1/journal?type=$1" -o "$2"; }\n'

/** What is to be there before: the files that a command judges, the address of an account. */
export const BEFORE: readonly (About & { script: string })[] = [
  {
    page: 'docs/markets/at.md',
    has: 'verify dep7',
    script: `${EXPORT}fetched 0x4154000000000001 dep7.json`,
  },
  {
    page: 'docs/markets/de.md',
    has: 'verify tse.tar',
    script:
      `${EXPORT}fetched 0x4445000000000001 tse.tar\ndocs/examples/de/10-daily-closing.sh\n` +
      'fetched 0x4445000000000002 dsfinvk.zip',
  },
  {
    page: 'docs/markets/de.md',
    has: 'cashbox add',
    script:
      'OWNER=$(npx fiskalwerk demo --json | ' +
      "node -p 'JSON.parse(fs.readFileSync(0)).operator.accountId')",
  },
]

/** Answers that stand on a page, and what brings them. The others are fragments or requests. */
export const ANSWERED: readonly (About & { by: string })[] = [
  { page: 'README.md', has: 'ftReceiptIdentification', by: 'docs/examples/at/02-sale.sh' },
  {
    page: 'docs/payments.md',
    has: '"Protocol": "use_auto",\n  "ftQueueId"',
    by:
      'curl -s "$FISKALWERK_URL/v2/pay" -H "x-cashbox-id: $CASHBOX_ID" ' +
      '-H "x-cashbox-accesstoken: $ACCESS_TOKEN" -H "x-operation-id: $(uuidgen)" ' +
      `-H 'x-possystem-id: t' -H 'content-type: application/json' -d '{"Action":"payment",` +
      `"Protocol":"use_auto","cbTerminalID":"term1",` +
      `"cbPayItem":{"Description":"Card","Amount":10}}'`,
  },
  {
    page: 'docs/possystem-api.md',
    has: 'ftJournalType is missing',
    by:
      'curl -s "$FISKALWERK_URL/v2/journal" -H "x-cashbox-id: $CASHBOX_ID" ' +
      '-H "x-cashbox-accesstoken: $ACCESS_TOKEN" -H "x-operation-id: $(uuidgen)" ' +
      `-H 'x-possystem-id: t' -H 'content-type: application/json' -d '{}'`,
  },
]

export function about<T extends About>(list: readonly T[], page: string, text: string): T[] {
  return list.filter((one) => one.page === page && text.includes(one.has))
}

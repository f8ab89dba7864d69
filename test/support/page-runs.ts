// What a reader does beside pasting the blocks of the documentation: words that are to be replaced,
// files that are to be there, programs that go on until somebody ends them.
import { demo } from '../../src/market/de/rollout.js'

/** About the blocks of a page that hold this text. */
interface About {
  page: string
  has: string
}

/** Blocks that are neither run nor compared, and what proves them instead. */
export const NOT_RUN: readonly (About & { why: string })[] = [
  { page: 'README.md', has: 'npm test', why: 'it would run the tests within the tests' },
  { page: 'CONTRIBUTING.md', has: 'main → serve', why: 'test/tidy.test.ts' },
  { page: 'bench/README.md', has: 'npm run bench', why: 'it would measure for ten minutes' },
  { page: 'client/README.md', has: 'posSystem', why: 'test/clients/quick-starts.test.ts' },
  { page: 'docs/architecture.md', has: 'main → serve', why: 'test/tidy.test.ts' },
  { page: 'docs/dealer-api.md', has: 'Link: </api', why: 'test/api/dealer/paging.test.ts' },
  { page: 'docs/dealer-api.md', has: 'renameThing', why: 'test/api/dealer/table.test.ts' },
  { page: 'docs/going-live-at.md', has: 'scu check', why: 'test/cli/scu-check.test.ts' },
  {
    page: 'docs/going-live-at.md',
    has: 'fiskalwerk-card',
    why: 'test/market/at/devices/card.test.ts',
  },
  {
    page: 'docs/going-live-de.md',
    has: 'npx fiskalwerk',
    why: 'test/market/de/devices/fiskaly.test.ts',
  },
  { page: 'docs/grpc.md', has: 'import grpc', why: 'test/story/grpc-client.test.ts' },
  { page: 'docs/messages.md', has: 'POST /send', why: 'test/notify/ways.test.ts' },
  { page: 'docs/new-market.md', has: 'market:new', why: 'test/story/market-new.test.ts' },
  { page: 'docs/operating.md', has: 'TRUST_PROXY=uniquelocal', why: 'test/compose.test.ts' },
  {
    page: 'docs/operating.md',
    has: 'MIDDLEWARE_PORTS=1500',
    why: 'test/story/local-ports.test.ts',
  },
  { page: 'docs/operating.md', has: 'fiskalwerk: PORT', why: 'test/config.test.ts' },
  { page: 'docs/operations/README.md', has: 'rule_files', why: 'test/operations.test.ts' },
  {
    page: 'docs/outages.md',
    has: 'three answers',
    why: 'test/core/event/autopilot-machine.test.ts',
  },
  { page: 'docs/payments.md', has: 'PaymentProvider', why: 'test/core/payment/own-driver.test.ts' },
  { page: 'docs/payments.md', has: 'my_provider', why: 'test/core/payment/own-driver.test.ts' },
  { page: 'docs/simulators.md', has: 'simulate', why: 'test/cli/simulate.test.ts' },
]

/** Statements for a database, which have a test of their own. */
export const STATEMENTS = { page: 'docs/operating.md', has: 'create role' }

/** Requests that are to be refused; the answer behind them says how. */
export const REFUSED: readonly About[] = [
  { page: 'docs/dealer-api.md', has: '"name":" "' },
  { page: 'docs/dealer-api.md', has: 'outlet_number=9' },
  { page: 'docs/possystem-api.md', has: "-d '{}'" },
  { page: 'docs/outages.md', has: 'outage/close' },
]

/**
 * Programs that do not end: this long they may take to say this; then they are ended, at once or,
 * where later blocks need them, at the end of the page.
 */
export const ENDLESS: readonly (About & { says: string; stays?: true })[] = [
  { page: 'README.md', has: 'npm start', says: 'npx fiskalwerk demo' },
  { page: 'docs/examples/README.md', has: 'npm start', says: 'npx fiskalwerk demo' },
  { page: 'docs/grpc.md', has: 'npm start', says: 'npx fiskalwerk demo' },
  { page: 'docs/grpc.md', has: 'MIDDLEWARE_AUTH=off', says: 'npx fiskalwerk demo' },
  { page: 'docs/operating.md', has: 'MIDDLEWARE_AUTH=off', says: 'npx fiskalwerk demo' },
  { page: 'docs/portal.md', has: 'SSO_ISSUER', says: 'npx fiskalwerk demo' },
  { page: 'docs/payments.md', has: 'terminal simulate', says: 'http://', stays: true },
  { page: 'docs/dealer-templates.md', has: 'serve --cashbox', says: 'http://' },
]

/** What a reader puts in place of a word that says so: the next one is a command of bash. */
export const REPLACED: readonly (About & { word: string; by: string })[] = [
  { page: 'docs/operating.md', has: 'fault set', word: 'SCU-ID', by: '"$SCU_ID"' },
  { page: 'docs/operating.md', has: 'QUEUE_ALIASES', word: 'QUEUE-ID', by: '"$QUEUE_ID"' },
  { page: 'docs/messages.md', has: 'jobs retry', word: 'retry ID', by: 'retry "$ID"' },
  {
    page: 'docs/payments.md',
    has: 'terminal simulate',
    word: 'simulate',
    by: 'simulate --port "$FREE_PORT" --scale 0.001',
  },
  { page: 'docs/payments.md', has: '/hobex/ecr/pay', word: '9700', by: '"$FREE_PORT"' },
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
    by: JSON.stringify(demo.configuration?.init_masterData),
  },
  { page: 'docs/markets/at.md', has: 'verify dep7', word: '<Base64 AES key>', by: '"$AES_KEY"' },
  { page: 'docs/grpc.md', has: 'GRPC_PORT', word: '1400', by: '"$FREE_PORT"' },
  {
    page: 'docs/grpc.md',
    has: 'GRPC_PORT',
    word: '=QUEUE-ID,1401',
    by: '="$QUEUE_ID","$NEXT_PORT"',
  },
  { page: 'docs/grpc.md', has: 'GRPC_PORT', word: 'ANOTHER-QUEUE-ID', by: '"$QUEUE_ID"' },
  { page: 'docs/dealer-templates.md', has: 'serve --cashbox', word: '8081', by: '0' },
]

/** Exports of the queue whose variables are set, into a file. */
const EXPORT =
  'fetched() { curl -sS -X POST -H "cashboxid: $CASHBOX_ID" -H "accesstoken: $ACCESS_TOKEN" ' +
  '"$FISKALWERK_URL/$QUEUE_ID/json/v1/journal?type=$1" -o "$2"; }\n'

const DEP7 = '0x4154000000000001'
const DEP7_AND_KEY =
  `${EXPORT}fetched ${DEP7} dep7.json\n` +
  'npx fiskalwerk queue registration --queue "$QUEUE_ID" --json > registration.json\n' +
  'AES_KEY=$(node -p "require(\'$PWD/registration.json\').encryptionKeyBase64")\n'

/** The closing archives the log of the TSE. */
const GERMAN =
  'docs/examples/de/10-daily-closing.sh\nfetched 0x4445000000000003 tse.tar\n' +
  'fetched 0x4445000000000002 dsfinvk.zip\n'

/** The container of keys: the certificate of the DEP7 under the number that it has on receipts. */
const CONTAINER = `node -e "
const [group] = require('$PWD/dep7.json')['Belege-Gruppe']
const { units, encryptionKeyBase64 } = require('$PWD/registration.json')
const id = units[0].serialHexadecimal
const entry = { id, signatureDeviceType: 'CERTIFICATE',
  signatureCertificateOrPublicKey: group.Signaturzertifikat }
fs.writeFileSync('container.json', JSON.stringify({ base64AESKey: encryptionKeyBase64,
  certificateOrPublicKeyMap: { [id]: entry } }))"
`

/** Two exports of one chain that follow each other, and the certificate of the issuer of a TSE. */
const SLICES =
  'TICKS=$(node -p "BigInt(Date.now()) * 10000n + 621355968000000000n + \'\'")\n' +
  `fetched "${DEP7}&to=$TICKS" january.json\ndocs/examples/at/02-sale.sh\n` +
  `fetched "${DEP7}&from=$((TICKS + 1))" february.json\n`
const ISSUER =
  'for one in $(tar -tf tse.tar | grep _X509); do\n' +
  '  tar -xOf tse.tar "$one" | openssl x509 -inform der > one.pem\n' +
  '  [ "$(openssl x509 -in one.pem -noout -subject | cut -d= -f2-)" != ' +
  '"$(openssl x509 -in one.pem -noout -issuer | cut -d= -f2-)" ] || mv one.pem issuer.pem\ndone\n'

/** A message that nobody has taken yet. */
const MESSAGE =
  'call() { curl -s -H "x-cashbox-id: $CASHBOX_ID" -H "x-cashbox-accesstoken: $ACCESS_TOKEN" ' +
  '-H "x-operation-id: $(uuidgen)" -H "x-possystem-id: docs" ' +
  '-H "content-type: application/json" "$@"; }\n' +
  `SALE='{"cbReceiptReference":"m","cbReceiptMoment":"2026-01-31T10:15:00Z",` +
  `"cbChargeItems":[],"cbPayItems":[]}'\n` +
  'SIGNED=$(call "$FISKALWERK_URL/v2/sign" -d "$SALE")\n' +
  'ISSUED=$(call "$FISKALWERK_URL/v2/issue" ' +
  '-d "{\\"ReceiptRequest\\":$SALE,\\"ReceiptResponse\\":$SIGNED}")\n' +
  'IDS=$(node -p "new URL(JSON.parse(process.argv[1]).DocumentURL).pathname" "$ISSUED")\n' +
  'call -X PUT "$FISKALWERK_URL/v2/issue$IDS" ' +
  `-d '{"Action":"send","Target":{"Scheme":"email","Address":"a@example.com"}}'\n` +
  'ID=$(npx fiskalwerk jobs list --json | ' +
  "node -p 'JSON.parse(fs.readFileSync(0)).messages[0].id')\n"

/** What is to be there before: the files that a command judges, the address of an account. */
export const BEFORE: readonly (About & { script: string })[] = [
  { page: 'docs/markets/at.md', has: 'verify dep7', script: DEP7_AND_KEY },
  { page: 'docs/markets/de.md', has: 'verify tse.tar', script: EXPORT + GERMAN },
  {
    page: 'docs/verify.md',
    has: 'container.json',
    script:
      `${DEP7_AND_KEY}${CONTAINER}${SLICES}eval "$(npx fiskalwerk demo --env DE)"\n` +
      `docs/examples/de/02-sale.sh\n${GERMAN}${ISSUER}`,
  },
  { page: 'docs/messages.md', has: 'jobs retry', script: MESSAGE },
  {
    page: 'docs/markets/de.md',
    has: 'cashbox add',
    script:
      'OWNER=$(npx fiskalwerk demo --json | ' +
      "node -p 'JSON.parse(fs.readFileSync(0)).operator.accountId')",
  },
]

export function about<T extends About>(list: readonly T[], page: string, text: string): T[] {
  return list.filter((one) => one.page === page && text.includes(one.has))
}

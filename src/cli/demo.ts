// demo: makes the demo once and prints lines that can be pasted.
import type { Config } from '../config.js'
import { type DemoPerson, ensureDemoPeople } from '../core/accounts/people/desk.js'
import { type Demo, type DemoCashBox, ensureDemo } from '../core/rollout/demo.js'
import { marketOf, markets } from '../market/index.js'
import { notedAddress } from '../postgres/address-note.js'
import { type Command, type Context, type Output, oneOf, optional, UsageError } from './command.js'
import { barOf } from './progress.js'

export const demoCommands: Record<string, Command> = {
  demo: {
    usage: 'demo [--env AT] [--month] [--json]',
    summary:
      'Makes a demo dealer, merchant and one cash box per market; prints curl lines, or with ' +
      '--env the variables that docs/examples read. --month makes the last calendar month of a ' +
      'café, a shop and a hotel in every market: sales, voids, tips, vouchers, outage, closings.',
    examples: ['eval "$(npx fiskalwerk demo --env AT)"', 'npx fiskalwerk demo --month'],
    options: { env: { type: 'string' }, month: { type: 'boolean' } },
    positionals: [],
    run: async (input) => {
      const env = optional(input, 'env')
      const market = env === undefined ? undefined : oneOf(env, Object.keys(markets), 'env')
      const context = await input.open()
      const demo = await demoOf(context)
      if (input.options.month === true) return monthOf(context, demo)
      const { store, config } = context
      const desk = { store, now: () => new Date() }
      const people = config.production ? [] : await ensureDemoPeople(desk, demo)
      const url = addressOf(config)
      const text =
        market === undefined
          ? lesson(demo, addressesOf(url, config)) + portalLines(people, url)
          : variables(demo, url, market)
      return { json: { ...demo, people }, text }
    },
  },
}

/** Tells on the error stream how far it is: the output is the result. */
async function monthOf(context: Context, demo: Demo): Promise<Output> {
  if (context.config.production) throw new UsageError('--month is for the sandbox')
  const { demoMonth } = await import('./demo-month.js')
  const bar = barOf()
  const json = await demoMonth(context, { demo, progress: bar.at })
  bar.end()
  const { month, receipts, merchants, without } = json
  const lines = merchants.map(({ name, accountId }) => `${name.padEnd(12)}  ${accountId}`)
  const left = without.length === 0 ? [] : [`not known there: ${without.join(', ')}`]
  return { json, text: [`${month}: ${receipts} receipts`, ...lines, ...left].join('\n') }
}

async function demoOf(context: Context): Promise<Demo> {
  const { createDeps } = await import('../deps.js')
  const { store, signing, operations, config } = await createDeps(context)
  const software = !config.production || config.ALLOW_SOFTWARE_DEVICES
  try {
    return await ensureDemo({ store, signing, software, now: () => new Date(), markets, marketOf })
  } finally {
    await signing.drained()
    await operations.close()
  }
}

/** Where the server of this data folder listens; where it would, when it does not run. */
function addressOf({ PUBLIC_URL, DATA_DIR, HOST, PORT }: Config): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  return PUBLIC_URL ?? notedAddress(DATA_DIR) ?? `http://${host}:${PORT}`
}

/** Shell lines that the examples read. */
export function variables(demo: Demo, url: string, market: string): string {
  const box = demo.cashBoxes.find((one) => one.market === market)
  return [
    `export FISKALWERK_URL='${url}'`,
    `export CASHBOX_ID='${box?.cashBoxId ?? ''}'`,
    `export ACCESS_TOKEN='${box?.accessToken ?? ''}'`,
    `export QUEUE_ID='${box?.queueId ?? ''}'`,
    `export SCU_ID='${box?.scuIds[0] ?? ''}'`,
    `export MARKET='${market}'`,
    `export DEALER_ID='${demo.dealer.accountId}'`,
    `export DEALER_TOKEN='${demo.dealer.accessToken}'`,
  ].join('\n')
}

/** Where the groups of a server begin. */
export interface Addresses {
  middleware: string
  possystem: string
}

function addressesOf(url: string, config: Config): Addresses {
  const { MOUNT_MIDDLEWARE, MOUNT_POSSYSTEM } = config
  return { middleware: url + MOUNT_MIDDLEWARE.prefix, possystem: url + MOUNT_POSSYSTEM.prefix }
}

/** The lines of the demo; each can be pasted. */
export function lesson(demo: Demo, addresses: Addresses): string {
  const boxes = demo.cashBoxes.map((box) => boxLesson(box, addresses))
  return `# A demo dealer (${demo.dealer.accountId}) and merchant are ready.
# Leave the server running (npm start), and paste these lines one by one into another terminal.
${boxes.join('\n')}`
}

/** Who can log in, and where. */
function portalLines(people: readonly DemoPerson[], url: string): string {
  if (people.length === 0) return ''
  const lines = people.map(({ email, password }) => `#   ${email}  ${password ?? '(changed)'}`)
  return `\n\n# --- the portal: ${url}/portal\n${lines.join('\n')}`
}

/** The lines for one cash box; each works in the order in which they stand. */
function boxLesson(box: DemoCashBox, { middleware, possystem }: Addresses): string {
  const { demo } = marketOf(box.market).rollout
  const headers = `-H "cashboxid: ${box.cashBoxId}" -H "accesstoken: ${box.accessToken}"`
  const base = `${middleware}/${box.queueId}/json/v1`
  const sale = saleText(demo.sale, box)
  const answer = `demo-${box.market.toLowerCase()}-sale.json`
  const type = '-H "content-type: application/json"'
  return `
# --- ${box.market}: queue ${box.queueId}, signing unit ${box.scuIds.join(', ')}
# 1. say hello
curl -sS ${headers} ${type} -d '{"message":"hello"}' ${base}/echo

# 2. sign a sale
curl -sS ${headers} ${type} -d '${sale}' ${base}/sign | tee ${answer}

# 3. hand the receipt over: this prints an address, open it in a browser
${issueLine(box, { possystem, sale, answer })}

# 4. export the journal
curl -sS ${headers} -X POST '${base}/journal?type=${demo.journalType}' -o ${demo.exportFile}

# 5. let the independent verifier judge it
npx fiskalwerk verify ${demo.exportFile}`
}

interface Sold {
  possystem: string
  sale: string
  /** The file that holds what was answered to the sale. */
  answer: string
}

/** Issues the receipt whose answer is in a file, and prints its address alone. */
function issueLine({ cashBoxId, accessToken }: DemoCashBox, sold: Sold): string {
  const headers = [
    ...[`x-cashbox-id: ${cashBoxId}`, `x-cashbox-accesstoken: ${accessToken}`],
    ...['x-possystem-id: demo', "x-operation-id: $(node -p 'crypto.randomUUID()')"],
    'content-type: application/json',
  ]
  const pair = `'{"ReceiptRequest":${sold.sale},"ReceiptResponse":'"$(cat ${sold.answer})"'}'`
  const address = `node -p 'JSON.parse(fs.readFileSync(0)).DocumentURL'`
  const call = `curl -sS ${headers.map((one) => `-H "${one}"`).join(' ')} -d ${pair}`
  return `${call} ${sold.possystem}/v2/issue | ${address}`
}

/** The sale as one line of JSON; case words keep all their digits. */
function saleText(sale: Record<string, unknown>, box: DemoCashBox): string {
  const whole = {
    ftCashBoxID: box.cashBoxId,
    cbReceiptReference: 'demo-1',
    // some authorities take documents of today only
    cbReceiptMoment: `${new Date().toISOString().slice(0, 16)}:00Z`,
    ...sale,
  }
  const marked = JSON.stringify(whole, (_name, value: unknown) =>
    typeof value === 'bigint' ? `#${value}#` : value,
  )
  return marked.replace(/"#(\d+)#"/g, '$1')
}

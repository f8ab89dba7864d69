// demo: makes the demo once and prints lines that can be pasted.
import { type Demo, type DemoCashBox, ensureDemo } from '../core/rollout/demo.js'
import { createDeps } from '../deps.js'
import { marketOf, markets } from '../market/index.js'
import { type Command, oneOf, optional } from './command.js'

export const demoCommands: Record<string, Command> = {
  demo: {
    usage: 'demo [--env AT] [--json]',
    summary: 'Makes a demo dealer, merchant and one cash box per market; prints curl lines.',
    options: { env: { type: 'string' } },
    positionals: 0,
    run: async (input) => {
      const context = await input.open()
      const deps = await createDeps(context)
      try {
        const now = () => new Date()
        const { store, signing } = deps
        const demo = await ensureDemo({ store, signing, now, markets, marketOf })
        const { HOST, PORT, PUBLIC_URL } = context.config
        const url = PUBLIC_URL ?? `http://${HOST}:${PORT}`
        const market = optional(input, 'env')
        const text = market === undefined ? lesson(demo, url) : variables(demo, { url, market })
        return { json: demo, text }
      } finally {
        await deps.signing.drained()
        await deps.store.close()
      }
    },
  },
}

/** Shell lines that the examples read. */
export function variables(demo: Demo, { url, market }: { url: string; market: string }): string {
  const codes = demo.cashBoxes.map((box) => box.market)
  const box = demo.cashBoxes[codes.indexOf(oneOf(market, codes, 'env'))]
  return [
    `export FISKALWERK_URL='${url}'`,
    `export CASHBOX_ID='${box?.cashBoxId ?? ''}'`,
    `export ACCESS_TOKEN='${box?.accessToken ?? ''}'`,
    `export QUEUE_ID='${box?.queueId ?? ''}'`,
    `export SCU_ID='${box?.scuIds[0] ?? ''}'`,
  ].join('\n')
}

/** The lines of the demo; each can be pasted. */
export function lesson(demo: Demo, url: string): string {
  const boxes = demo.cashBoxes.map((box) => boxLesson(box, url))
  return `# A demo dealer (${demo.dealer.accountId}) and merchant are ready. Start the server with
# npm start, then paste these lines one by one.
${boxes.join('\n')}`
}

/** The lines for one cash box; each works in the order in which they stand. */
function boxLesson(box: DemoCashBox, url: string): string {
  const { demo } = marketOf(box.market)
  const headers = `-H "cashboxid: ${box.cashBoxId}" -H "accesstoken: ${box.accessToken}"`
  const base = `${url}/${box.queueId}/json/v1`
  const type = '-H "content-type: application/json"'
  return `
# --- ${box.market}: queue ${box.queueId}, signing unit ${box.scuIds.join(', ')}
# 1. say hello
curl -sS ${headers} ${type} -d '{"message":"hello"}' ${base}/echo

# 2. sign a sale
curl -sS ${headers} ${type} -d '${saleText(demo.sale, box)}' ${base}/sign

# 3. export the journal
curl -sS ${headers} -X POST '${base}/journal?type=${demo.journalType}' -o ${demo.exportFile}

# 4. let the independent verifier judge it
npx fiskalwerk verify ${demo.exportFile}`
}

/** The sale as one line of JSON; case words keep all their digits. */
function saleText(sale: Record<string, unknown>, box: DemoCashBox): string {
  const whole = {
    ftCashBoxID: box.cashBoxId,
    cbReceiptReference: 'demo-1',
    cbReceiptMoment: '2026-01-31T10:15:00Z',
    ...sale,
  }
  const marked = JSON.stringify(whole, (_name, value: unknown) =>
    typeof value === 'bigint' ? `#${value}#` : value,
  )
  return marked.replace(/"#(\d+)#"/g, '$1')
}

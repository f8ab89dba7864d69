import { dsfinvk } from './src/market/de/export/dsfinvk/dsfinvk.js'
import { Till, IMPLICIT } from './test/market/de/support/till.js'
import { openSpool } from './src/core/journal/spool.js'
const N = Number(process.argv[2] ?? 20000)
const till = new Till()
for (let i = 0; i < 2000; i++) till.add({ ftReceiptCase: IMPLICIT | 1n, cbUser: 'Erika', cbChargeItems: [1,2,3].map(n => ({ quantity: 2, description: 'Artikel '+n, amount: 11.9*n, vatRate: 19, ftChargeItemCase: 0x4445000000000011n, productNumber: '47'+n, productGroup: 'Getränke', unit: 'Stück', moment: '2026-01-01T09:00:00Z' })), cbPayItems: [{ quantity: 1, description: 'Cash', amount: 71.4, ftPayItemCase: 0x4445000000000001n }] })
till.close()
const items = till.items.slice(0, 2000)
const src = till.source()
const c = JSON.parse(till.closings[0]!.content); c.row = N + 1
const row = { ...till.closings[0]!, content: JSON.stringify(c) }
let spooled = 0
const source = { ...src,
  marketRowAfter: async (_k: string, t: bigint) => t < row.timeStamp ? row : undefined,
  receiptsBefore: async (asked: readonly unknown[]) => asked.map(() => undefined),
  spool: () => { const s = openSpool(); return { ...s, write: (b: Uint8Array) => { spooled += b.length; return s.write(b) } } },
  async *itemsBetween() { for (let at = 0; at < N; at += 100) { const page = []; for (let i = at; i < Math.min(at+100, N); i++) { const it = items[i % 2000]!; page.push({ ...it, row: i+1 }) } yield page } } }
const t0 = performance.now(); let bytes = 0, peak = 0
const base = process.memoryUsage().rss
for await (const p of dsfinvk.run(source as never)) { bytes += p.length; peak = Math.max(peak, process.memoryUsage().rss) }
const s = (performance.now() - t0) / 1000
console.log({ N, s, perSecond: Math.round(N / s), cpuPerReceiptUs: Math.round((process.cpuUsage().user+process.cpuUsage().system)/N), zipMB: bytes/1e6, spooledMB: spooled/1e6, growthMB: (peak-base)/1e6 })

// Writes a big DEP7 and its crypto container for measuring: tsx test/support/dep7-file.ts N FILE
// Called by hand; FILE.container.json is written beside it.
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import {
  type Amounts,
  containerOf,
  exampleSigner,
  groupOf,
  type Plan,
  Register,
} from './dep7-maker.js'

const [count = '1000', file = '/tmp/dep7.json'] = process.argv.slice(2)
const register = new Register()
const out = createWriteStream(file)
const [before = '', after = ''] = JSON.stringify({
  'Belege-Gruppe': [groupOf({ receipts: ['#'] })],
}).split('"#"')

/** Mostly sales; now and then training, a void, a failed device with its collective receipt. */
function plan(at: number): Plan {
  if (at === 0 || at % 1000 === 501) return {}
  const amounts: Amounts = [
    at % 977,
    (at * 7) % 500,
    at % 3 === 0 ? 450 : 0,
    0,
    at % 5 === 0 ? 315 : 0,
  ]
  if (at % 1000 === 500) return { amounts, failed: true }
  if (at % 97 === 0) return { amounts: amounts.map((cents) => -cents) as Amounts, kind: 'void' }
  return at % 89 === 0 ? { amounts, kind: 'training' } : { amounts }
}

out.write(before)
for (let at = 0; at < Number(count); at += 1) {
  const text = `${at === 0 ? '' : ','}"${register.next(plan(at))}"`
  if (!out.write(text)) await once(out, 'drain')
}
out.end(after)
await finished(out)
writeFileSync(`${file}.container.json`, containerOf(register, [exampleSigner]))

// Signs receipt after receipt on a till and prints each answer, until a fail point ends it.
// Run by test/core/sign/fail-point.test.ts.
import { createFailPoints, readFailPoints } from '../../src/core/fail-point.js'
import { answer, job, openStand } from './stand.js'

const { connection, masterKey, failPoints, allow, till, cents } = JSON.parse(process.argv[2] ?? '')
const stand = openStand(connection, {
  masterKey: Buffer.from(masterKey, 'base64'),
  allow,
  deps: { failPoints: createFailPoints(readFailPoints(failPoints)) },
})
for (let number = 1; number < 10; number += 1) {
  // with `cents`, no two have the same amount
  const sale =
    cents === undefined
      ? { reference: `r${number}` }
      : { reference: `sale ${cents + number}`, cents: cents + number }
  console.log(await answer(stand.signing.sign(job(till, sale))))
}
await stand.close()

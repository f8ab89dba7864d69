// A server's sign path in a process of its own that takes calls over IPC, its clock with each of
// them. Run by test/support/signing-process.ts.
import { answer, job, openStand } from './stand.js'

const { connection, masterKey } = JSON.parse(process.argv[2] ?? '')
let moment = new Date()
const stand = openStand(connection, {
  masterKey: Buffer.from(masterKey, 'base64'),
  deps: { now: () => moment },
})

process.on('message', async ({ number, till, iso, wanted }) => {
  moment = new Date(iso)
  const [told] = await Promise.allSettled([answer(stand.signing.sign(job(till, wanted)))])
  const error = told.status === 'rejected' ? String(told.reason) : undefined
  process.send?.({ number, error, text: told.status === 'fulfilled' ? told.value : '' })
})
process.on('disconnect', () => void stand.close())
process.send?.({ number: 0, text: 'ready' })

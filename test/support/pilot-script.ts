// A server's autopilot in a process of its own, which looks until no outage of the queue goes on,
// and dies where it is told to. Run by test/core/event/autopilot-servers.test.ts.
import { createFailPoints, readFailPoints } from '../../src/core/fail-point.js'
import { openPilot } from './autopilot.js'

const { connection, masterKey, till, points } = JSON.parse(process.argv[2] ?? '')
const stand = openPilot(connection, {
  masterKey: Buffer.from(masterKey, 'base64'),
  failPoints: createFailPoints(readFailPoints(points)),
})
await stand.closed(till)
await stand.close()

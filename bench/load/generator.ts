// Requests over HTTP from a process of its own: wrk where it is installed, else plain sockets.
import { spawnSync } from 'node:child_process'
import type { Generator } from './load.js'
import { runSockets } from './sockets.js'
import { runWrk } from './wrk.js'

export function findGenerator(): Generator {
  // wrk prints its version together with its usage, and ends with 1
  const found = spawnSync('wrk', ['--version'], { encoding: 'utf8' })
  const version = /^wrk (\S+)/m.exec(found.stdout ?? '')?.[1]
  if (version !== undefined) return { name: `wrk ${version}`, run: runWrk }
  return { name: 'plain sockets of Node.js', run: runSockets }
}

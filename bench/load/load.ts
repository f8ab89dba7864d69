// Requests over HTTP from a process of its own: wrk where it is installed, else autocannon.
import { spawnSync } from 'node:child_process'
import { runAutocannon } from './autocannon.js'
import { runWrk } from './wrk.js'

/** One kind of request; NUMBER_MARK in headers and body becomes the number of the request. */
export interface Target {
  /** POST unless told. */
  method?: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body: string
}

export interface Load {
  url: string
  /** Every client goes around them. */
  targets: Target[]
  /** Connections kept alive; each waits for its answer before it asks again. */
  clients: number
  seconds: number
}

export interface LoadResult {
  /** Answers, all of them with a status of success. */
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** The least time that the generator can tell from none. */
  resolutionMs: number
}

export interface Generator {
  name: string
  /** Throws when any answer was no success, or none came. */
  run(load: Load): Promise<LoadResult>
}

export function findGenerator(): Generator {
  // wrk prints its version together with its usage, and ends with 1
  const found = spawnSync('wrk', ['--version'], { encoding: 'utf8' })
  const version = /^wrk (\S+)/m.exec(found.stdout ?? '')?.[1]
  if (version !== undefined) return { name: `wrk ${version}`, run: runWrk }
  return { name: 'autocannon', run: runAutocannon }
}

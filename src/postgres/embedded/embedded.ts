// The embedded database of one data folder: opens it, and closes it behind the last tool.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { errorCode } from '../database-error.js'
import { makeCluster } from './cluster.js'
import { logIn } from './login.js'
import { findPlaces, type PlaceOptions, type Places } from './places.js'
import { ensureRunning, type Postmaster, type StartOptions, stopPostmaster } from './postmaster.js'
import { worksAlone } from './server-lock.js'

export interface ClusterOptions extends PlaceOptions, Omit<StartOptions, 'places'> {}

export interface OpenCluster extends StartOptions {
  places: Places
  postmaster: Postmaster
  client: pg.Client
}

/** A running PostgreSQL with role and database, and one connection to it. */
export async function openCluster(options: ClusterOptions): Promise<OpenCluster> {
  const places = await findPlaces(options)
  await makeCluster(places)
  const start = { places, durable: options.durable, log: options.log }
  return { ...start, ...(await startAndLogIn(start)) }
}

const LOGIN_TRIES = 100
const LOGIN_PAUSE_MS = 50

/** Tries again while PostgreSQL goes down under us (behind the last tool) or comes up again. */
export async function startAndLogIn(
  options: StartOptions,
): Promise<{ postmaster: Postmaster; client: pg.Client }> {
  for (let tries = 1; ; tries += 1) {
    const postmaster = await ensureRunning(options)
    try {
      return { postmaster, client: await logIn(options.places.endpoint) }
    } catch (error) {
      if (!isPassing(error) || tries === LOGIN_TRIES) throw error
      await sleep(LOGIN_PAUSE_MS)
    }
  }
}

/** Going down or coming up; no connection left; its template in use; and the socket is gone. */
const PASSING_CODES = new Set(
  ['57P01', '57P02', '57P03', '53300', '55006'].concat(
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOENT',
    'EPIPE',
  ),
)

function isPassing(error: unknown): boolean {
  if (PASSING_CODES.has(errorCode(error))) return true
  return (
    error instanceof Error && /^Connection terminated|not queryable|was closed/.test(error.message)
  )
}

/** The end of a tool: stops PostgreSQL unless a server or another tool works with it. */
export async function leaveCluster(cluster: OpenCluster): Promise<void> {
  const alone = await worksAlone(cluster.client).catch((error) => {
    // a server has stopped PostgreSQL in the meantime
    if (isPassing(error)) return false
    throw error
  })
  await cluster.client.end()
  if (alone) await stopPostmaster(cluster.places, cluster.log)
}

// Runs a PostgreSQL program to its end, as the user it belongs to.
import { spawn } from 'node:child_process'
import * as path from 'node:path'
import { DatabaseError } from '../database-error.js'
import type { Identity } from './identity.js'

/**
 * The environment of PostgreSQL: nothing of ours, which holds the master key and PG* variables.
 * Windows programs need theirs.
 */
export const programEnvironment =
  process.platform === 'win32' ? {} : { env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } }

/** Resolves when the program ends well; else throws DatabaseError with its last line. */
export function runProgram(
  file: string,
  args: string[],
  identity: Identity | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...programEnvironment,
      ...identity,
    })
    const output: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => output.push(piece))
    child.stderr.on('data', (piece: Buffer) => output.push(piece))
    child.on('error', (error) => reject(failed(file, error.message)))
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(failed(file, reasonIn(Buffer.concat(output).toString()) || `exit code ${code}`))
    })
  })
}

function failed(file: string, reason: string): DatabaseError {
  return new DatabaseError(
    'start-failed',
    `The embedded PostgreSQL does not start: ${path.basename(file)} says "${reason}".`,
  )
}

/** The line that tells most: the first error, else the last line. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  const error = lines.find((line) => /\b(FATAL|PANIC|error):/i.test(line))
  return error ?? lines.filter((line) => line !== '').at(-1) ?? ''
}

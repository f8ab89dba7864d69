// Servers' sign paths in processes of their own, on one database.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { PoolConfig } from 'pg'
import { scriptFile } from './script-file.js'
import type { Till } from './stand.js'

const SCRIPT = scriptFile('signing-script.ts')

export interface SigningProcess {
  pid: number
  /** Signs a sale of so many cents by the clock of this moment; the answer as it is sent. */
  sign(till: Till, iso: string, cents?: number): Promise<string>
  close(): Promise<void>
}

interface Told {
  number: number
  text: string
  error?: string
}

/** Resolves when it takes calls. */
export async function startSigning(
  connection: PoolConfig,
  masterKey: Buffer,
): Promise<SigningProcess> {
  const options = JSON.stringify({ connection, masterKey: masterKey.toString('base64') })
  const child = fork(SCRIPT, [options], {
    execArgv: [],
    env: { PATH: process.env.PATH },
  })
  const waiting = new Map<number, (told: Told) => void>()
  const ready = new Promise<Told>((resolve) => waiting.set(0, resolve))
  child.on('message', (message) => {
    const told = message as Told
    waiting.get(told.number)?.(told)
    waiting.delete(told.number)
  })
  child.once('exit', (code) => {
    for (const tell of waiting.values()) {
      tell({ number: -1, text: '', error: `the process ended with ${code}` })
    }
  })
  const { error } = await ready
  if (error !== undefined) throw new Error(error)
  let calls = 0
  return {
    pid: child.pid ?? 0,
    sign: async (till, iso, cents = 1000) => {
      calls += 1
      const number = calls
      const answered = new Promise<Told>((resolve) => waiting.set(number, resolve))
      child.send({ number, till, iso, wanted: { cents } })
      const told = await answered
      if (told.error !== undefined) throw new Error(told.error)
      return told.text
    },
    close: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.disconnect()
  await exit
}

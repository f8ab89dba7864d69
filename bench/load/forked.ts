// A load in a process of its own, which sends one message when it is done.
import { fork } from 'node:child_process'
import type { LoadResult } from './load.js'

/** Starts the module again, hands it the load and waits for the result. */
export function runForked(module: string, load: object): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(module)
    child.once('message', (answer) => {
      const { result, fault } = answer as { result?: LoadResult; fault?: string }
      if (result === undefined) reject(new Error(fault))
      else resolve(result)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the load ended with ${code}`)))
    child.send(load)
  })
}

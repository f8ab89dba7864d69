// The table of the queue's tasks: what runs for which word. A further task is one line here.
// Called by deps/messages.ts.
import { z } from 'zod'
import type { Deliver } from '../core/message/deliver.js'
import { MESSAGE_TASK } from '../store/messages.js'

export interface TaskRun {
  signal: AbortSignal
  /** No further try comes after this one. */
  last: boolean
}

/** Throws to be tried again; must stand being run twice. */
export type Task = (payload: unknown, run: TaskRun) => Promise<void>
export type Tasks = Readonly<Record<string, Task>>

const messageKey = z.object({ accountId: z.string(), id: z.string() })

export function tasksOf(deliver: Deliver): Tasks {
  return { [MESSAGE_TASK]: (payload, run) => deliver(messageKey.parse(payload), run) }
}

// The table of the queue's tasks: what runs for which word. A further task is one line here.
import { z } from 'zod'
import type { WorkOn } from '../core/event/job/work.js'
import type { Deliver } from '../core/message/deliver.js'
import { JOB_TASK } from '../store/event/job/jobs.js'
import { MESSAGE_TASK } from '../store/message/messages.js'
import { ORDER_TASK } from '../store/sales/orders.js'
import { OUTBOX_TASK } from '../store/sign/sign-outbox.js'

export interface TaskRun {
  signal: AbortSignal
  /** No further try comes after this one. */
  last: boolean
}

/** Throws to be tried again; must stand being run twice. */
export type Task = (payload: unknown, run: TaskRun) => Promise<void>
export type Tasks = Readonly<Record<string, Task>>

const rowKey = z.object({ accountId: z.string(), id: z.string() })

export interface TaskParts {
  deliver: Deliver
  processOrder(key: z.output<typeof rowKey>): Promise<void>
  workOutbox(payload: unknown, run: TaskRun): Promise<void>
}

/** Long work has room of its own: nothing else waits behind it. */
export function longTasksOf({ workOn }: { workOn: WorkOn }): Tasks {
  return { [JOB_TASK]: (payload, run) => workOn(rowKey.parse(payload), run) }
}

export function tasksOf({ deliver, processOrder, workOutbox }: TaskParts): Tasks {
  return {
    [MESSAGE_TASK]: (payload, run) => deliver(rowKey.parse(payload), run),
    [ORDER_TASK]: (payload) => processOrder(rowKey.parse(payload)),
    [OUTBOX_TASK]: workOutbox,
  }
}

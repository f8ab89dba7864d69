// Limits of calls: how many are open at once, and how long a message may take to arrive.
import {
  ServerInterceptingCall,
  type ServerInterceptor,
  type StatusObject,
  status,
} from '@grpc/grpc-js'

export interface GuardOptions {
  /** Most open calls of all connections. */
  most: number
  /** Until the whole message is here. */
  arrivalMs: number
  /** A message did not come; `peer` is address and port of the connection. */
  late(peer: string): void
}

type Answer = Pick<StatusObject, 'code' | 'details'>

const OVERLOADED: Answer = {
  code: status.UNAVAILABLE,
  details: 'Too many calls are open; try again at once.',
}
const LATE: Answer = {
  code: status.DEADLINE_EXCEEDED,
  details: 'The message took too long to arrive.',
}

/** Each call passes here twice: when it comes, and when it ends however it ends. */
export function createGuard({ most, arrivalMs, late }: GuardOptions): ServerInterceptor {
  let open = 0
  return (_method, call) => {
    if (open >= most) {
      return new ServerInterceptingCall(call, { start: () => call.sendStatus(OVERLOADED) })
    }
    open += 1
    const timer = setTimeout(() => {
      call.sendStatus(LATE)
      late(call.getPeer())
    }, arrivalMs)
    let isOpen = true
    const ended = () => {
      clearTimeout(timer)
      if (isOpen) open -= 1
      isOpen = false
    }
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveHalfClose: (goOn) => {
            clearTimeout(timer)
            goOn()
          },
          onCancel: ended,
        }),
      sendStatus: (answer, next) => {
        ended()
        next(answer)
      },
    })
  }
}

// Signals to processes that the tests did not start themselves.

/** It may have ended by itself meanwhile: that is no error. */
export function signalTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (Object(error).code !== 'ESRCH') throw error
  }
}

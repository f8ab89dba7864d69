// Forked servers of models: nothing that goes wrong in one is lost, and none outlives its test.
import { afterEach, describe, expect, it } from 'vitest'
import { Child } from '../support/child.js'
import type { EchoCalls } from '../support/model/echo-script.js'
import { type ForkOptions, ServerProcess } from '../support/model/server-process.js'

const SCRIPT = new URL('../support/model/echo-script.ts', import.meta.url)

let server: ServerProcess<EchoCalls>
afterEach(() => server.kill())

async function forked(options: ForkOptions = {}): Promise<ServerProcess<EchoCalls>> {
  server = await ServerProcess.fork<EchoCalls>(SCRIPT, {}, options)
  return server
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a server in a process of its own', () => {
  it('answers from there, and says what a call threw', async () => {
    const { pid } = await forked()
    expect(pid).not.toBe(process.pid)
    expect(await server.call('echo', 'hello')).toBe('hello')
    await expect(server.call('fail', 'no such till')).rejects.toThrow('no such till')
    await server.close()
    expect(isAlive(pid)).toBe(false)
  })

  it('has a limit of time for each call', async () => {
    await forked({ callMs: 2_000 })
    await expect(server.call('hang')).rejects.toThrow('has not answered hang after 2000 ms')
  })

  it('fails open and later calls, and its close, with the text of an uncaught error', async () => {
    await forked()
    const open = expect(server.call('hang')).rejects.toThrow('nobody caught it')
    await server.call('breakLater', 'nobody caught it')
    await open
    await expect(server.call('echo', 'hello')).rejects.toThrow('nobody caught it')
    await expect(server.close()).rejects.toThrow('nobody caught it')
  })

  it('is dead when it was killed, and nobody is answered any more', async () => {
    const { pid } = await forked()
    const hanging = expect(server.call('hang')).rejects.toThrow('was killed')
    await server.kill()
    await server.death
    await hanging
    expect(isAlive(pid)).toBe(false)
  })

  it('ends with its parent, however that ends', async () => {
    await forked()
    const parent = new Child('model/echo-parent.ts', [])
    const pid = Number(await parent.line())
    expect(isAlive(pid)).toBe(true)
    await parent.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

// Events of streams and sockets that nobody listens to: the process goes on, unless they do not
// end.
import { spawnSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { outliveFaults } from '../../src/lib/outlive.js'

it('an error that nobody listens to does not end the process', () => {
  const serve = JSON.stringify(new URL('../../src/lib/outlive.ts', import.meta.url).href)
  const script = `import { Readable } from 'node:stream'
    import { outliveFaults } from ${serve}
    outliveFaults(process, { fatal: (_, text) => console.log(text) }, () => process.exit(9))
    new Readable().destroy(new Error('cut'))
    void Promise.reject(new Error('forgotten'))
    setTimeout(() => console.log('alive'), 50)`
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(stdout.match(/nobody expected/g)).toHaveLength(2)
  expect(stdout).toContain('alive')
  expect(status).toBe(0)
})

it('errors that do not end stop the server in order', () => {
  const on = new EventEmitter()
  const log = { fatal: () => undefined }
  let stopped = 0
  outliveFaults(on as unknown as NodeJS.Process, log, () => {
    stopped += 1
  })
  for (let many = 0; many < 20; many += 1) on.emit('uncaughtException', new Error('x'), 'x')
  expect(stopped).toBe(0)
  on.emit('uncaughtException', new Error('x'), 'x')
  expect(stopped).toBe(1)
})

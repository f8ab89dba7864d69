// Connections that wait for one of several processes.
import { once } from 'node:events'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { type Handed, Line } from '../../src/serve/child.js'

const NOTHING = Buffer.alloc(0)
const named = (door: string): Handed => {
  return { socket: new Socket(), head: NOTHING, door, whose: undefined }
}
const namesOf = (all: readonly Handed[]) => all.map(({ door }) => door).join('')

it('is left in the order in which it was joined', () => {
  const [line, first] = [new Line(), named('a')]
  for (const one of [first, named('b'), named('c')]) line.join(one)
  expect(line.first()?.door).toBe('a')
  line.join(first)
  expect(namesOf(line.all())).toBe('bca')
  expect([line.length, line.first()]).toEqual([0, undefined])
})

it('keeps no place for whoever is gone', async () => {
  const [line, gone] = [new Line(), named('a')]
  line.join(gone)
  line.join(named('b'))
  gone.socket.destroy()
  await once(gone.socket, 'close')
  expect(line.length).toBe(1)
  line.join(gone)
  expect(namesOf(line.all())).toBe('b')
})

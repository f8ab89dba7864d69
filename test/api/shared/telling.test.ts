// What waits for a listener of events: bounded, and whoever catches up is told everything.
import { expect, it } from 'vitest'
import { Telling } from '../../../src/api/shared/telling.js'

const MOST = 1000
const good = () => Promise.resolve(true)
const piece = (number: number) => `${number}:${'x'.repeat(400)}\n`

it('whoever reads slowly is told everything, and never more than some pieces wait', async () => {
  const telling = new Telling(good, MOST)
  const waited: number[] = []
  const said = (async () => {
    for (let number = 0; number < 50; number += 1) {
      expect(await telling.room(5_000)).toBe(true)
      expect(telling.say(piece(number))).toBe(true)
      waited.push(telling.stream.readableLength)
    }
    telling.end()
  })()
  let text = ''
  for await (const part of telling.stream) {
    text += String(part)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await said
  for (let number = 0; number < 50; number += 1) expect(text).toContain(piece(number))
  expect(Math.max(...waited)).toBeLessThanOrEqual(MOST + piece(0).length)
})

it('whoever reads nothing has no room after a while', async () => {
  const telling = new Telling(good, MOST)
  for (let number = 0; telling.hasRoom; number += 1) telling.say(piece(number))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await telling.room(60)).toBe(false)
  telling.stream.destroy()
  expect(await telling.room(60)).toBe(true)
})

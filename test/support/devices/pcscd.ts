// The service of PC/SC as the helper of cards sees it, with one reader; written from the header
// files of pcsc-lite 1.9.9, and shared with nobody. CARD_SOCKET names a real one instead.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RksvCard } from '../../../src/simulator/devices/rksv/card.js'

const REMOVED = 0x8010_0069
const SHARING = 0x8010_000b

export interface Pcscd {
  socket: string
  /** What a client may not do. */
  offences: string[]
  /** Out of the reader, and in again. */
  isIn: boolean
  /** Another program has the card for itself. */
  isTaken: boolean
  /** The next command to the card is not answered. */
  breaks: boolean
  close(): Promise<void>
}

export async function startPcscd(card: RksvCard): Promise<Pcscd> {
  const folder = mkdtempSync(join(tmpdir(), 'pcscd-'))
  const socket = join(folder, 'pcscd.comm')
  const sockets = new Set<Socket>()
  const on: Pcscd = {
    ...{ socket, offences: [], isIn: true, isTaken: false, breaks: false },
    close: async () => {
      for (const one of sockets) one.destroy()
      await new Promise((done) => server.close(done))
      rmSync(folder, { recursive: true })
    },
  }
  const server = createServer((line) => {
    sockets.add(line)
    serve(line, on, card)
  })
  await new Promise<void>((done) => server.listen(socket, done))
  return on
}

function serve(line: Socket, on: Pcscd, card: RksvCard): void {
  let rest = Buffer.alloc(0)
  let isAlone = false
  line.on('error', () => line.destroy())
  line.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      if (rest.length < 8) return
      const [size, command] = [rest.readUInt32LE(0), rest.readUInt32LE(4)]
      const extra = command === 0x09 && rest.length >= 8 + size ? rest.readUInt32LE(8 + 12) : 0
      if (rest.length < 8 + size + extra) return
      const body = Buffer.from(rest.subarray(8, 8 + size))
      const apdu = rest.subarray(8 + size, 8 + size + extra)
      rest = rest.subarray(8 + size + extra)
      if (command === 0x07) isAlone = true
      if (command === 0x08) isAlone = false
      if (command === 0x09 && !isAlone) on.offences.push('a command outside of a transaction')
      answer(line, { command, body, apdu }, { on, card })
    }
  })
}

interface Message {
  command: number
  body: Buffer
  apdu: Buffer
}

function answer(
  line: Socket,
  { command, body, apdu }: Message,
  { on, card }: { on: Pcscd; card: RksvCard },
): void {
  if (command === 0x11) {
    if (body.readUInt32LE(0) !== 4) on.offences.push('another protocol')
  } else if (command === 0x01) body.writeUInt32LE(7, 4)
  else if (command === 0x12) {
    line.write(readers(on, card))
    return
  } else if (command === 0x04) {
    body.writeUInt32LE(41, 4 + 128 + 8)
    body.writeUInt32LE(2, 4 + 128 + 12)
    const failure = on.isIn ? SHARING : REMOVED
    if (!on.isIn || on.isTaken) body.writeUInt32LE(failure, 4 + 128 + 16)
    else card.reset()
  } else if (command === 0x09) {
    if (on.breaks) {
      on.breaks = false
      line.destroy()
      return
    }
    const told = on.isIn ? card.answer(apdu) : Buffer.alloc(0)
    body.writeUInt32LE(told.length, 24)
    if (!on.isIn) body.writeUInt32LE(REMOVED, 28)
    line.write(Buffer.concat([body, told]))
    return
  }
  line.write(body)
}

function readers({ isIn }: Pcscd, card: RksvCard): Buffer {
  const all = Buffer.alloc(16 * 184)
  all.write('Virtual PCD 00 00', 0, 'latin1')
  all.writeUInt32LE(isIn ? 0x34 : 0x02, 132)
  if (isIn) {
    card.atr.copy(all, 140)
    all.writeUInt32LE(card.atr.length, 176)
  }
  return all
}

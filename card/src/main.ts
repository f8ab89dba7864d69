#!/usr/bin/env node
// fiskalwerk-card: signs with the card in a reader of this machine for a server that has the token.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createDoor } from './server.js'
import { Signer } from './signer.js'

const USAGE = `fiskalwerk-card --pin-file FILE --token-file FILE --state FILE
  [--port 9815] [--host 127.0.0.1] [--reader NAME] [--serial HEX] [--exclusive] [--socket PATH]

  PIN and token are the first lines of their files. FILE of --state keeps which PIN was refused:
  it is never sent again. Port and host are where a fiskalwerk server asks.`

const { values } = parseArgs({
  options: {
    'pin-file': { type: 'string' },
    'token-file': { type: 'string' },
    state: { type: 'string' },
    port: { type: 'string', default: '9815' },
    host: { type: 'string', default: '127.0.0.1' },
    reader: { type: 'string' },
    serial: { type: 'string' },
    socket: { type: 'string' },
    exclusive: { type: 'boolean', default: false },
  },
})
const { 'pin-file': pinFile, 'token-file': tokenFile, state } = values
if (pinFile === undefined || tokenFile === undefined || state === undefined) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}

const firstLine = (path: string): string => readFileSync(path, 'utf8').split('\n')[0]?.trim() ?? ''
const token = firstLine(tokenFile)
if (token.length < 16) {
  process.stderr.write('the token has fewer than 16 letters\n')
  process.exit(2)
}
const { reader, serial, socket, exclusive: isExclusive } = values
const signer = new Signer({ pin: firstLine(pinFile), reader, serial, socket, isExclusive, state })
const door = createDoor(signer, token)
door.listen(Number(values.port), values.host, () => {
  process.stdout.write(`fiskalwerk-card answers on http://${values.host}:${values.port}\n`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    signer.close()
    process.exit(0)
  })
}

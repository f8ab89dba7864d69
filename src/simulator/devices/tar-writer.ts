// Exports of simulated devices: a TAR (POSIX ustar), written piece by piece.

export interface Member {
  name: string
  bytes: Buffer
}

const BLOCK = 512
const LONGEST_NAME = 99

/** info.csv of version 2 of the guideline (BSI TR-03151 1.0.1, 5.1). */
export function infoMember(maker: string): Member {
  const cells = ['description:', 'simulated device (not certified)', 'manufacturer:', maker]
  const line = [...cells, 'version:', '1'].map((cell) => `"${cell}"`).join(',')
  return { name: 'info.csv', bytes: Buffer.from(`${line}\n`) }
}

export function* tarOf(members: Iterable<Member>, now: Date): Generator<Buffer> {
  const time = Math.floor(now.getTime() / 1000)
  for (const { name, bytes } of members) {
    if (name.length > LONGEST_NAME) yield longName(name, time)
    yield header({ name: name.slice(0, LONGEST_NAME), size: bytes.length, kind: '0', time })
    yield padded(bytes)
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** An extended header (PAX) with the whole name. */
function longName(name: string, time: number): Buffer {
  const rest = ` path=${name}\n`
  let length = rest.length + 2
  while (`${length}${rest}`.length !== length) length += 1
  const bytes = Buffer.from(`${length}${rest}`)
  return Buffer.concat([
    header({ name: 'PaxHeader', size: bytes.length, kind: 'x', time }),
    padded(bytes),
  ])
}

interface Head {
  name: string
  size: number
  kind: '0' | 'x'
  time: number
}

function header({ name, size, kind, time }: Head): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  block.write(name, 0, 'latin1')
  block.write(octal(0o644, 7), 100, 'latin1')
  block.write(octal(0, 7) + octal(0, 7), 108, 'latin1')
  block.write(octal(size, 11) + octal(time, 11), 124, 'latin1')
  block.write(' '.repeat(8) + kind, 148, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  let sum = 0
  for (const byte of block) sum += byte
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

function padded(bytes: Buffer): Buffer {
  const rest = (BLOCK - (bytes.length % BLOCK)) % BLOCK
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(rest)])
}

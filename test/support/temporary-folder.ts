// Where a run of tests keeps what goes with it: in memory where the system has room for that, since
// durable databases of tests wait for the disk at every commit.
import * as fs from 'node:fs'
import * as os from 'node:os'

const IN_MEMORY = '/dev/shm'
/** What the largest runs have used, several times. */
const ROOM_BYTES = 8 * 2 ** 30

/** A folder in memory; undefined: the system has none, too little room, or runs nothing there. */
export function memoryFolder(): string | undefined {
  if (os.platform() !== 'linux' || os.freemem() < ROOM_BYTES) return undefined
  const mount = fs
    .readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, place]) => place === IN_MEMORY)
  const [, , kind, options = ''] = mount ?? []
  if (kind !== 'tmpfs' || options.split(',').some((one) => one === 'ro' || one === 'noexec')) {
    return undefined
  }
  const { bavail, bsize } = fs.statfsSync(IN_MEMORY)
  return bavail * bsize < ROOM_BYTES ? undefined : IN_MEMORY
}

// Machines that are none: network namespaces of Linux on one bridge, each with its address. What
// runs in one can be killed, frozen and cut off as a whole. For root, and for `ip` of iproute2.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { signalTo } from './signals.js'

const BRIDGE = 'fiskalwerk0'
/** What the kernel of each machine is told. */
const KERNEL = fileURLToPath(new URL('../../docs/operations/keepalive.conf', import.meta.url))
/** The addresses of the sample files in docs/operations. */
const NETWORK = '10.20.0'

const run = (...words: string[]): string =>
  execFileSync('ip', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** The bridge with addresses of its own: what runs outside of the machines has these. */
export function openNetwork(own: readonly number[]): void {
  closeNetwork()
  run('link', 'add', BRIDGE, 'type', 'bridge')
  for (const host of own) run('address', 'add', `${NETWORK}.${host}/24`, 'dev', BRIDGE)
  run('link', 'set', BRIDGE, 'up')
}

export function closeNetwork(): void {
  for (const line of run('netns', 'list').split('\n')) {
    const [name = ''] = line.split(' ')
    if (!name.startsWith('fiskalwerk-')) continue
    for (const pid of pidsIn(name)) killed(pid)
    run('netns', 'delete', name)
  }
  const links = run('-brief', 'link')
  // a space that something still runs in keeps its cable, and the next one would not fit
  for (const [, cable = ''] of links.matchAll(/^(fw-\w+)/gm)) run('link', 'delete', cable)
  if (links.includes(BRIDGE)) run('link', 'delete', BRIDGE)
}

/** One that has ended meanwhile is what is wanted. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const pidsIn = (space: string): number[] =>
  run('netns', 'pids', space).split('\n').filter(Boolean).map(Number)

export interface Program {
  command: string
  words: readonly string[]
  /** The file that gets what it says. */
  log: string
  environment?: Record<string, string>
}

export class Machine {
  readonly address: string
  private readonly space: string
  private readonly cable: string

  constructor(
    readonly name: string,
    host: number,
  ) {
    this.address = `${NETWORK}.${host}`
    this.space = `fiskalwerk-${name}`
    this.cable = `fw-${name}`
    run('netns', 'add', this.space)
    run('link', 'add', this.cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.space)
    run('link', 'set', this.cable, 'master', BRIDGE, 'up')
    run('-n', this.space, 'address', 'add', `${this.address}/24`, 'dev', 'eth0')
    run('-n', this.space, 'link', 'set', 'eth0', 'up')
    run('-n', this.space, 'link', 'set', 'lo', 'up')
    run('netns', 'exec', this.space, 'sysctl', '-q', '-p', KERNEL)
  }

  /** As the user of Debian's PostgreSQL, which refuses to run as root. */
  start({ command, words, log, environment }: Program): ChildProcess {
    const out = openSync(log, 'a')
    const user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups']
    return spawn('ip', ['netns', 'exec', this.space, ...user, command, ...words], {
      stdio: ['ignore', out, out],
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...environment },
      cwd: '/',
    })
  }

  /** Every process on it, or those with this command line. */
  signal(name: NodeJS.Signals, command = /^/): void {
    for (const pid of pidsIn(this.space)) if (command.test(commandOf(pid))) signalTo(pid, name)
  }

  /** No byte comes in or out any more, and nobody is told. */
  unplug(): void {
    run('link', 'set', this.cable, 'down')
  }

  /** The others are out of reach; who stands outside of them still reaches this one. */
  lose(others: readonly string[]): void {
    for (const other of others) run('-n', this.space, 'route', 'add', 'blackhole', `${other}/32`)
  }

  find(others: readonly string[]): void {
    for (const other of others) run('-n', this.space, 'route', 'delete', 'blackhole', `${other}/32`)
  }

  plug(): void {
    run('link', 'set', this.cable, 'up')
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

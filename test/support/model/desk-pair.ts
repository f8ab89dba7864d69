// Two server processes on one database that can be killed, and what their deaths leave behind: a
// further process in the place of the dead one.
import type { DeskCalls, DeskGiven } from './desk-script.js'
import { ServerProcess } from './server-process.js'

export type DeskProcess = ServerProcess<DeskCalls>

const SCRIPT = new URL('desk-script.ts', import.meta.url)

export class DeskPair {
  /** Of all its servers so far. */
  readonly pids: number[] = []
  deaths = 0
  private readonly servers: [DeskProcess, DeskProcess]
  private readonly given: DeskGiven
  /** Takes the place of the next one that dies: nobody waits until a process is up. */
  private spare: Promise<DeskProcess>
  private turn: Promise<void> = Promise.resolve()

  private constructor(given: DeskGiven, servers: [DeskProcess, DeskProcess]) {
    this.given = given
    this.servers = servers
    for (const { pid } of servers) this.pids.push(pid)
    this.spare = forked(given)
  }

  static async open(given: DeskGiven): Promise<DeskPair> {
    return new DeskPair(given, await Promise.all([forked(given), forked(given)]))
  }

  serverAt(at: number): DeskProcess {
    const server = this.servers[at % this.servers.length]
    if (server === undefined) throw new Error('there is no server')
    return server
  }

  /** Kills it under everybody's calls; whoever calls from then on calls its successor. */
  crash(at: number): Promise<void> {
    this.turn = this.turn.then(() => this.replace(at % this.servers.length))
    return this.turn
  }

  async close(): Promise<void> {
    await this.turn
    const all = [...this.servers, await this.spare]
    const ends = await Promise.allSettled(all.map((one) => one.close()))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  private async replace(at: number): Promise<void> {
    const next = await this.spare
    this.spare = forked(this.given)
    const dying = this.serverAt(at)
    this.servers[at] = next
    this.pids.push(next.pid)
    this.deaths += 1
    await dying.kill()
  }
}

async function forked(given: DeskGiven): Promise<DeskProcess> {
  return ServerProcess.fork<DeskCalls>(SCRIPT, given)
}

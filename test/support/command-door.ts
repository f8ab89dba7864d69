// Commands of shell scripts, run in this process: a program that scripts call as `npx fiskalwerk`
// hands its words, its folder and its variables over, and says what the command said. A process for
// each of them would load the whole program anew.
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { command, type Said } from './command.js'

export interface CommandDoor {
  /** Lines of bash: `"$@"` is a command with its words, which ends as it does. */
  line: string
  close(): Promise<void>
}

interface Order {
  folder: string
  words: string[]
  variables: Record<string, string>
}

/** The socket lies in this folder. */
export async function openCommandDoor(folder: string): Promise<CommandDoor> {
  const socket = join(folder, 'commands')
  let last: Promise<unknown> = Promise.resolve()
  const server = createServer((request, reply) => {
    const said = buffer(request).then((bytes) => {
      const own = last.then(() => carriedOut(orderOf(bytes.toString())))
      last = Promise.allSettled([own])
      return own
    })
    void said.then(
      (answer) => reply.end(spoken(answer)),
      (fault: Error) => reply.end(spoken({ code: 70, stdout: '', stderr: `${fault.stack}\n` })),
    )
  })
  await new Promise<void>((done) => server.listen(socket, done))
  const send = `command curl -sS --unix-socket '${socket}' --data-binary @- http://commands/`
  return {
    line: `eval "$({ printf '%s\\0' "$PWD" "$#" "$@"; env -0; } | ${send})"`,
    close: () => closed(server),
  }
}

/** Folder, number of words, words, variables; a zero byte behind each. */
function orderOf(text: string): Order {
  const [folder = '', length, ...rest] = text.split('\0').slice(0, -1)
  const pairs = rest.slice(Number(length)).map((line): [string, string] => {
    const at = line.indexOf('=')
    return [line.slice(0, at), line.slice(at + 1)]
  })
  return { folder, words: rest.slice(0, Number(length)), variables: Object.fromEntries(pairs) }
}

/** One at a time: folder and variables are those of this process meanwhile. */
async function carriedOut({ folder, words, variables }: Order): Promise<Said> {
  const own = process.cwd()
  process.chdir(folder)
  try {
    return await command(words, variables)
  } finally {
    process.chdir(own)
  }
}

/** For bash. */
function spoken({ code, stdout, stderr }: Said): string {
  return `printf %s ${quoted(stdout)}; printf %s ${quoted(stderr)} >&2; exit ${code}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => {
    server.close(() => done())
  })
}

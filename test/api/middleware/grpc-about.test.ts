// What tools ask a gRPC port about itself, and ports that stand for a queue each.
import { randomUUID } from 'node:crypto'
import { Client, credentials, status } from '@grpc/grpc-js'
import { service as health } from 'grpc-health-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addQueue,
  type Server,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import { saleMessage } from '../../support/grpc-door.js'
import { type GrpcStand, standGrpc } from '../../support/grpc-server.js'

let server: TestServer
let local: Server
let grpc: GrpcStand
beforeAll(async () => {
  server = await startTestServer()
  local = await startServer(server, { MIDDLEWARE_AUTH: 'off' })
  grpc = await standGrpc(server.deps)
})
afterAll(async () => {
  await grpc.close()
  await local.close()
  await server.close()
})

const clientOf = (address: string) => new Client(address, credentials.createInsecure())

/** What Check says of a service, or the status of its refusal. */
function checked(client: Client, name: string): Promise<unknown> {
  const { Check: check } = health
  if (check === undefined) throw new Error('the contract of health has no Check')
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      check.path,
      check.requestSerialize,
      check.responseDeserialize,
      { service: name },
      (error, answer) => resolve(error === null ? Object(answer).status : status[error.code]),
    )
  })
}

it('health says that it serves, and nothing of services that there are not', async () => {
  const client = clientOf(grpc.address)
  expect(await checked(client, '')).toBe('SERVING')
  expect(await checked(client, 'fiskaltrust.ifPOS.v1.POS')).toBe('SERVING')
  expect(await checked(client, 'somebody.else')).toBe('NOT_FOUND')
  client.close()
})

it('a watcher is told of the stop, and does not hold it up', async () => {
  const own = await standGrpc(server.deps)
  const client = clientOf(own.address)
  const { Watch: watch } = health
  if (watch === undefined) throw new Error('the contract of health has no Watch')
  const told: unknown[] = []
  const call = client.makeServerStreamRequest(
    watch.path,
    watch.requestSerialize,
    watch.responseDeserialize,
    { service: '' },
  )
  const ended = new Promise<number>((resolve) => {
    call.on('error', (error: { code: number }) => resolve(error.code))
  })
  const first = new Promise((resolve) => call.once('data', resolve))
  call.on('data', (answer) => told.push(Object(answer).status))
  await first
  await own.close()
  expect(await ended).toBe(status.UNAVAILABLE)
  expect(told[0]).toBe('SERVING')
  client.close()
})

it('reflection names the service and gives its contract', async () => {
  const client = clientOf(grpc.address)
  // ServerReflectionRequest: list_services = 7, file_containing_symbol = 4
  const asked = (field: number, text: string) =>
    new Promise<string>((resolve, reject) => {
      const call = client.makeBidiStreamRequest(
        '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => bytes,
      )
      call.on('data', (bytes: Buffer) => {
        resolve(bytes.toString('latin1'))
        call.end()
      })
      call.on('error', reject)
      call.write(Buffer.from([field * 8 + 2, text.length, ...Buffer.from(text)]))
    })
  expect(await asked(7, '')).toContain('fiskaltrust.ifPOS.v1.POS')
  const contract = await asked(4, 'fiskaltrust.ifPOS.v1.POS')
  for (const word of ['Sign', 'Journal', 'cbReceiptReference', 'ftReceiptCase']) {
    expect(contract).toContain(word)
  }
  client.close()
})

it('each port has its queue: several tills without credentials share a server', async () => {
  const second = await addQueue(server)
  const ports = [
    await standGrpc(local.deps, { queue: server.box.queueId }),
    await standGrpc(local.deps, { queue: second }),
  ]
  const unknown = await standGrpc(local.deps, { queue: randomUUID() })
  const queueOf = async (stand: GrpcStand, metadata = {}) => {
    const answer = await stand
      .till(metadata)
      .call('Sign', saleMessage({ ftCashBoxID: '' }))
      .then(
        (message) => message.ftQueueID,
        (error: { metadata: { get(name: string): unknown[] } }) => error.metadata.get('code')[0],
      )
    return answer
  }
  // no cash box in the message: the receipt is refused for that, by the queue of the port
  const cash = { cashboxid: server.box.cashBoxId }
  const [first, other] = ports
  if (first === undefined || other === undefined) throw new Error('two ports were opened')
  expect(await queueOf(first, cash)).toBe(server.box.queueId)
  expect(await queueOf(other, cash)).toBe(second)
  // what a call names counts more than its port
  expect(await queueOf(first, { ...cash, queueid: second })).toBe(second)
  expect(await queueOf(unknown, cash)).toBe('QUEUE_UNKNOWN')
  for (const stand of [...ports, unknown]) await stand.close()
})

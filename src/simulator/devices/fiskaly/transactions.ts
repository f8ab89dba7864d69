// Transactions of the simulated cloud service: revisions, and the same call answered twice the
// same.
import type { Fault } from '../script.js'
import { Refused } from '../script.js'
import type { Entry } from '../security-unit.js'
import { type TransactionBody, UUID4 } from './shapes.js'
import { MOST_OPEN, type Transacted, type Tss } from './tss.js'

interface Upsert {
  name: string
  revision: string | null
  body: TransactionBody
}

/** Does the call, or answers as the first time. */
export function upsert(tss: Tss, { name, revision, body }: Upsert): [Transacted, number] {
  tss.demandUsable()
  if (revision === null || !/^[1-9]\d{0,8}$/.test(revision)) {
    throw new Refused('E_FAILED_SCHEMA_VALIDATION')
  }
  const number = Number(revision)
  const known = tss.found(name)
  const asked = JSON.stringify(body)
  const before = known?.steps[number - 1]
  if (known !== undefined && before !== undefined) {
    if (before.body !== asked) throw new Refused('E_TX_UPSERT')
    return [known, number]
  }
  if (known === undefined) return [start(tss, name, { number, body, asked }), 1]
  if (known.state !== 'ACTIVE' || number !== known.steps.length + 1) {
    throw new Refused('E_TX_UPSERT')
  }
  return [goOn(tss, known, { body, asked }), number]
}

interface Asked {
  body: TransactionBody
  asked: string
}

function start(tss: Tss, name: string, { number, body, asked }: Asked & { number: number }) {
  if (!UUID4.test(name)) throw new Refused('E_FAILED_SCHEMA_VALIDATION')
  if (number !== 1 || body.state !== 'ACTIVE') throw new Refused('E_TX_UPSERT')
  if (body.schema !== undefined) throw new Refused('E_FAILED_SCHEMA_VALIDATION')
  const client = tss.clientOf(body.client_id)
  if (tss.unit.open.length >= MOST_OPEN) throw new Refused('E_TX_LIMIT_REACHED')
  const step = { client: client.serial, processType: '', processData: Buffer.alloc(0) }
  const entry = tss.unit.start(step)
  const transacted: Transacted = {
    ...{ uuid: name, number: tss.unit.lastNumber, client, state: 'ACTIVE', start: entry.time },
    steps: [{ body: asked, state: 'ACTIVE', entry, type: ' ', data: '' }],
  }
  tss.transactions.set(name, transacted)
  return transacted
}

function goOn(tss: Tss, known: Transacted, { body, asked }: Asked): Transacted {
  const client = tss.clientOf(body.client_id)
  if (client !== known.client) throw new Refused('E_TX_UPSERT')
  if (body.schema === undefined) throw new Refused('E_FAILED_SCHEMA_VALIDATION')
  const { process_type: type, process_data: data } = body.schema.raw
  const step = {
    ...{ client: client.serial, processType: type },
    processData: Buffer.from(data, 'base64'),
  }
  const entry = tss.unit.go(body.state === 'ACTIVE' ? 'Update' : 'Finish', known.number, step)
  known.state = body.state
  known.steps.push({ body: asked, state: body.state, entry, type, data })
  return known
}

/** The transaction as it was after this revision. */
export function shown(
  tss: Tss,
  transacted: Transacted,
  { revision, env, fault }: { revision: number; env: string; fault?: Fault | undefined },
): object {
  const step = transacted.steps[revision - 1]
  if (step === undefined) throw new Refused('E_TX_REVISION_NOT_FOUND')
  const { entry, state } = step
  const isOver = state !== 'ACTIVE'
  return {
    _id: transacted.uuid,
    _type: 'TRANSACTION',
    _env: env,
    _version: '2.1.35',
    number: transacted.number,
    state,
    revision,
    latest_revision: transacted.steps.length,
    time_start: transacted.start,
    ...(isOver ? { time_end: entry.time } : {}),
    tss_id: tss.id,
    tss_serial_number: tss.unit.serialHex,
    client_id: transacted.client.id,
    client_serial_number: transacted.client.serial,
    schema: { raw: { process_type: step.type, process_data: step.data } },
    log: {
      operation: operationOf(revision, isOver),
      timestamp: entry.time,
      timestamp_format: 'unixTime',
    },
    signature: signatureOf(tss, entry, fault),
    metadata: {},
  }
}

function operationOf(revision: number, isOver: boolean): string {
  if (revision === 1) return 'StartTransaction'
  return isOver ? 'FinishTransaction' : 'UpdateTransaction'
}

function signatureOf(tss: Tss, entry: Entry, fault: Fault | undefined): object {
  const bytes = Buffer.from(entry.signature)
  if (fault?.do === 'foreign-signature') bytes.reverse()
  const counter = entry.counter + (fault?.do === 'wrong-counter' ? 1 : 0)
  return {
    value: bytes.toString('base64'),
    algorithm: tss.unit.algorithm,
    // a text in the description of the service, a number in what it sends
    counter: entry.counter % 2 === 0 ? counter : String(counter),
    public_key: tss.unit.key.point.toString('base64'),
  }
}

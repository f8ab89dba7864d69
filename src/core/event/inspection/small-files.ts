// The files of a bundle that are small: master data, configurations without secrets, outages,
// certificates, and the keys that the tool of the ministry asks for.
import { X509Certificate } from 'node:crypto'
import { CSV_START, csvLines } from '../../../lib/csv.js'
import { JsonObject, parseJson } from '../../../lib/json.js'
import { writeJson } from '../../../lib/json-write.js'
import type { Market } from '../../../market/contract.js'
import { listOutlets } from '../../../store/account/outlets.js'
import type { Store } from '../../../store/client.js'
import {
  certificatesUsed,
  type InspectedOutage,
  masterChanges,
} from '../../../store/journal/inspection.js'
import { findCertificate } from '../../../store/journal/journal.js'
import { publicationText } from '../../../store/rollout/components.js'
import { findSecrets } from '../../../store/rollout/inventory-secrets.js'
import { findPublication } from '../../../store/rollout/publications.js'
import { queueSecrets } from '../../../store/sign/queues.js'
import { masked } from '../../audit/mask.js'
import type { Plan, QueuePlan, Wish } from './plan.js'
import { reportFiles } from './report-files.js'

export interface SmallDeps {
  store: Store
  marketOf(code: string): Market
}

export interface SmallFacts {
  accountId: string
  account: Readonly<Record<string, string>>
  wish: Wish
  plan: Plan
  outages: readonly InspectedOutage[]
}

/** Of one queue: what its verifier is given. */
export interface Keys {
  /** In Base64. */
  key?: string
  certificates: string[]
}

export interface SmallFiles {
  /** Path to content. */
  files: Map<string, string>
  /** By the id of the queue. */
  keys: Map<string, Keys>
}

const json = (value: unknown): string => `${writeJson(value)}\n`

export async function smallFiles(deps: SmallDeps, facts: SmallFacts): Promise<SmallFiles> {
  const { wish, plan, accountId, account } = facts
  const files = new Map<string, string>()
  const keys = new Map<string, Keys>()
  if (wish.include.includes('masterData')) {
    files.set('master-data/account.json', json(account))
    const outlets = await listOutlets(deps.store, accountId, { after: -1, most: 100_000 })
    files.set('master-data/outlets.json', json(masked(outlets)))
    files.set('master-data/history.csv', await historyOf(deps, facts))
  }
  if (wish.include.includes('reports')) await reportFiles(deps.store, facts, files)
  if (wish.include.includes('configurations')) await configurations(deps, facts, files)
  for (const queue of plan.queues) {
    files.set(`${queue.folder}/outages.csv`, outagesCsv(facts.outages, queue.id))
    const own = await keysOf(deps, accountId, { queue, files, wish })
    keys.set(queue.id, own)
  }
  return { files, keys }
}

async function historyOf({ store }: SmallDeps, { accountId, wish }: SmallFacts): Promise<string> {
  let text = CSV_START + csvLines([['moment', 'operation', 'subjects', 'before', 'after']])
  for await (const rows of masterChanges(store, { accountId, to: new Date(wish.to) })) {
    text += csvLines(
      rows.map(({ moment, operation, subjects, before, after }) => [
        ...[moment.toISOString(), operation, subjects, before ?? '', after ?? ''],
      ]),
    )
  }
  return text
}

async function configurations(
  { store }: SmallDeps,
  { accountId, plan }: SmallFacts,
  files: Map<string, string>,
): Promise<void> {
  for (const id of new Set(plan.queues.map(({ cashBoxId }) => cashBoxId))) {
    const sealed = await findPublication(store, { accountId, id })
    if (sealed === undefined) continue
    const text = store.sealer.open(sealed, publicationText(id))
    files.set(`cashboxes/${id}/configuration.json`, json(deepMasked(parseJson(text))))
  }
}

/** Configurations have objects in texts, and secrets in those. */
export function deepMasked(value: unknown): unknown {
  return inTexts(masked(value))
}

function inTexts(value: unknown): unknown {
  if (typeof value === 'string') return ofText(value)
  if (Array.isArray(value)) return value.map(inTexts)
  if (value instanceof JsonObject || typeof value !== 'object' || value === null) return value
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inTexts(one)]))
}

function ofText(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return writeJson(deepMasked(parseJson(text)))
  } catch {
    // begins like an object and is none
    return text
  }
}

function outagesCsv(outages: readonly InspectedOutage[], queueId: string): string {
  const own = outages.filter((one) => one.queueId === queueId)
  const rows = own.map(({ cause, beganAt, endedAt }) => [
    ...[cause, beganAt.toISOString(), endedAt?.toISOString() ?? ''],
  ])
  return CSV_START + csvLines([['cause', 'beganAt', 'endedAt'], ...rows])
}

interface KeysAsked {
  queue: QueuePlan
  files: Map<string, string>
  wish: Wish
}

async function keysOf(
  deps: SmallDeps,
  accountId: string,
  { queue, files, wish }: KeysAsked,
): Promise<Keys> {
  const { store } = deps
  const range = { from: BigInt(queue.from), upTo: BigInt(queue.upTo) }
  const used = await certificatesUsed(store, { accountId, queueId: queue.id }, range)
  const certificates: X509Certificate[] = []
  for (const fingerprint of used) {
    const entry = await findCertificate(store, accountId, fingerprint)
    if (entry === undefined) continue
    const own = new X509Certificate(entry.der)
    certificates.push(own)
    const chain = entry.chain.map((der) => new X509Certificate(der).toString())
    const name = `${serialOf(own)}-${fingerprint.toString('hex').slice(0, 8)}`
    files.set(`certificates/${name}.pem`, [own.toString(), ...chain].join(''))
  }
  const ders = certificates.map(({ raw }) => raw.toString('base64'))
  const key = await turnoverKeyOf(deps, accountId, queue)
  if (key === undefined) return { certificates: ders }
  if (wish.include.includes('keys')) {
    const path = `${queue.folder}/cryptographic-material.json`
    files.set(path, json(containerOf(key, certificates)))
  }
  return { certificates: ders, key }
}

async function turnoverKeyOf(
  { store, marketOf }: SmallDeps,
  accountId: string,
  { id: queueId, market }: QueuePlan,
): Promise<string | undefined> {
  const { turnoverKey } = marketOf(market).rollout
  if (turnoverKey === undefined) return undefined
  const sealed = await findSecrets(store, { accountId, queueId })
  if (sealed === null) return undefined
  const opened = store.sealer.open(Buffer.from(sealed), queueSecrets(queueId))
  return turnoverKey({}, opened).encryptionKeyBase64 ?? undefined
}

/** Serial number in hexadecimal as it stands in the code of a receipt. */
const serialOf = (one: X509Certificate): string => BigInt(`0x${one.serialNumber}`).toString(16)

/** The cryptographic material container of the ministry's tool. */
function containerOf(base64AESKey: string, certificates: readonly X509Certificate[]): unknown {
  const entries = certificates.map((one) => {
    const id = serialOf(one)
    return [
      id,
      {
        ...{ id, signatureDeviceType: 'CERTIFICATE' },
        signatureCertificateOrPublicKey: one.raw.toString('base64'),
      },
    ]
  })
  return { base64AESKey, certificateOrPublicKeyMap: Object.fromEntries(entries) }
}

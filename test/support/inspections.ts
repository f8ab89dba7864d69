// Bundles as tests ask for them, wait for them, fetch and unpack them.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AccountAccess } from '../../src/core/accounts/accounts.js'
import { accountHeaders } from './platform.js'

export interface ToldInspection {
  id: string
  operatorId: string
  job: { state: string; phase: string | null; done: number; total: number | null; error: unknown }
  bytes: number | null
  sha256: string | null
  findings: number | null
  hasKeys: boolean | null
  expiresAt: string | null
}

export interface Asking {
  url: string
  as: AccountAccess
}

export async function callInspections(
  { url, as }: Asking,
  path: string,
  more: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  const { method = 'GET', body, headers } = more
  return fetch(`${url}/platform/v1/inspections${path}`, {
    method,
    headers: { ...accountHeaders(as), 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

export async function askInspection(asking: Asking, body: unknown): Promise<ToldInspection> {
  const answer = await callInspections(asking, '', { method: 'POST', body })
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as ToldInspection
}

export async function endOf(asking: Asking, id: string): Promise<ToldInspection> {
  for (;;) {
    const told = (await (await callInspections(asking, `/${id}`)).json()) as ToldInspection
    if (told.job.state === 'failed') throw new Error(JSON.stringify(told.job.error))
    if (['succeeded', 'canceled'].includes(told.job.state)) return told
    await new Promise((go) => setTimeout(go, 100))
  }
}

/** The folder that it was unpacked into, by the tools that an auditor has. */
export async function unpacked(asking: Asking, id: string): Promise<string> {
  const answer = await callInspections(asking, `/${id}/content`)
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  const folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-bundle-'))
  const zip = join(folder, '..', `${id}.zip`)
  writeFileSync(zip, Buffer.from(await answer.arrayBuffer()))
  execFileSync('unzip', ['-tq', zip])
  execFileSync('unzip', ['-q', zip, '-d', folder])
  execFileSync('sha256sum', ['--quiet', '--strict', '-c', 'SHA256SUMS'], { cwd: folder })
  return folder
}

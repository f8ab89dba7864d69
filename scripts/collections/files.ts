// The requests as files: one collection for Postman, one folder for Bruno.
import { ENVIRONMENT, type Named, type Request } from './requests.js'

export type Files = ReadonlyMap<string, string>

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`

function grouped<T>(list: readonly T[], keyOf: (one: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>()
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return [...groups]
}

// ------------------------------------------------------------------------ Postman

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

export function postmanFile(list: readonly Request[]): string {
  const item = grouped(list, ({ group }) => group).map(([name, calls]) => ({
    name,
    item: grouped(calls, ({ folder }) => folder).map(([folder, own]) => ({
      name: folder,
      item: own.map(postmanItem),
    })),
  }))
  const variable = ENVIRONMENT.map(({ name, value }) => ({ key: name, value }))
  return json({ info: { name: 'fiskalwerk', schema: SCHEMA }, variable, item })
}

function postmanItem({ title, text, method, path, query, headers, body }: Request): object {
  const asked = query.filter(({ optional }) => !optional)
  return {
    name: title,
    request: {
      method,
      description: text,
      header: [...headers.map(keyed), ...(body === undefined ? [] : [typeOf(body.type)])],
      url: {
        raw: `{{url}}${path}${queryText(asked)}`,
        host: ['{{url}}'],
        path: path.split('/').slice(1),
        query: query.map((one) => ({ ...keyed(one), disabled: one.optional })),
      },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: body.text } }),
    },
    response: [],
  }
}

const keyed = ({ name, value }: Named): object => ({ key: name, value })
const typeOf = (type: string): object => ({ key: 'content-type', value: type })

function queryText(query: readonly Named[]): string {
  const parts = query.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

// -------------------------------------------------------------------------- Bruno

export function brunoFiles(list: readonly Request[]): Files {
  const files = new Map<string, string>()
  files.set('bruno.json', json({ version: '1', name: 'fiskalwerk', type: 'collection' }))
  const variables = ENVIRONMENT.map(({ name, value }) => `  ${name}: ${value}`)
  files.set('environments/local.bru', `vars {\n${variables.join('\n')}\n}\n`)
  for (const [group, calls] of grouped(list, (one) => one.group)) {
    calls.forEach((call, at) => {
      files.set(`${group}/${call.folder}/${fileName(call.title)}.bru`, bruFile(call, at + 1))
    })
  }
  return files
}

const fileName = (title: string): string => title.replace(/[^\p{L}\d ,-]+/gu, ' ').trim()

function bruFile({ title, text, method, path, query, headers, body }: Request, at: number): string {
  const asked = query.filter(({ optional }) => !optional)
  const type = body === undefined ? [] : [{ name: 'content-type', value: body.type }]
  const kind = kindOf(body)
  return [
    block('meta', [`name: ${title}`, 'type: http', `seq: ${at}`]),
    block(method.toLowerCase(), [
      `url: {{url}}${path}${queryText(asked)}`,
      `body: ${kind}`,
      'auth: none',
    ]),
    block(
      'params:query',
      query.map(({ name, value, optional }) => `${optional ? '~' : ''}${name}: ${value}`),
    ),
    block(
      'headers',
      [...headers, ...type].map(({ name, value }) => `${name}: ${value}`),
    ),
    kind === 'none' ? '' : block(`body:${kind}`, (body?.text ?? '').split('\n')),
    block('docs', text === '' ? [] : text.split('\n')),
  ]
    .filter((one) => one !== '')
    .join('\n')
}

function kindOf(body: Request['body']): 'none' | 'json' | 'xml' | 'text' {
  if (body === undefined) return 'none'
  if (/json/.test(body.type)) return 'json'
  return /xml/.test(body.type) ? 'xml' : 'text'
}

function block(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}\n`
}

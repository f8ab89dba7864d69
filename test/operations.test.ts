// Alert rules and the dashboard of docs/operations name only figures and labels that /metrics has.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Registry } from 'prom-client'
import { beforeAll, expect, it } from 'vitest'
import { createMetrics } from '../src/core/metrics.js'
import { outsideFigures } from '../src/core/metrics-outside.js'
import { marketOf } from '../src/market/index.js'
import type { Store } from '../src/store/client.js'

const RULES = 'docs/operations/alerts.yml'
const DASHBOARD = 'docs/operations/dashboard.json'
const RULE_TESTS = 'docs/operations/alerts.test.yml'

/** Series by name, with their labels. */
const series = new Map<string, ReadonlySet<string>>()
beforeAll(() => {
  let registry: Registry | undefined
  // nothing is collected: only names are looked at
  const store = {} as Store
  const log = { warn: () => undefined }
  createMetrics({
    waiting: () => 0,
    signed: () => undefined,
    pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
    environment: 'sandbox',
    exports: () => ({ taken: 0, waiting: 0 }),
    outside: (given) => {
      registry = given
      outsideFigures({ store, marketOf, now: () => new Date(), log })(given)
    },
  })
  for (const metric of registry?.getMetricsAsArray() ?? []) {
    const { name, labelNames } = metric as unknown as { name: string; labelNames: string[] }
    const labels = new Set([...labelNames, 'job', 'instance'])
    series.set(name, labels)
    series.set(`${name}_bucket`, new Set([...labels, 'le']))
    for (const part of ['sum', 'count']) series.set(`${name}_${part}`, labels)
  }
  series.set('up', new Set(['job', 'instance']))
})

const WORDS = new Set(['by', 'without', 'on', 'ignoring', 'and', 'or', 'unless', 'bool', 'offset'])

interface Used {
  names: string[]
  labels: string[]
}

/** Names of series and labels in a PromQL expression. */
function used(expression: string): Used {
  const labels: string[] = []
  const plain = expression
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, inside: string) => {
      labels.push(...inside.split(',').map((label) => label.trim()))
      return ''
    })
    .replace(/\{([^}]*)\}/g, (_, inside: string) => {
      labels.push(...[...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label))
      return ''
    })
  const names = [...plain.matchAll(/[a-zA-Z_:][\w:]*(?!\w)(?!\s*\()/g)].map(([name]) => name)
  return { names: names.filter((name) => !WORDS.has(name)), labels }
}

function faultsOf(expression: string): string[] {
  const { names, labels } = used(expression)
  const known = new Set(names.flatMap((name) => [...(series.get(name) ?? [])]))
  return [
    ...(names.length === 0 ? ['no series'] : []),
    ...names.filter((name) => !series.has(name)),
    ...labels.filter((label) => !known.has(label)).map((label) => `label ${label}`),
  ]
}

/** `expr:` of a rule, in one line or folded. */
function ruleExpressions(text: string): string[] {
  return [...text.matchAll(/^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
    ([, folded, line = '']) => folded ?? line,
  )
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[]; gridPos: Record<string, number> }[]
}

const dashboard = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard

it('the reader of expressions finds what is wrong', () => {
  expect(
    faultsOf('sum by (market) (rate(fiskalwerk_receipts_total{outcome="a"}[5m])) > 0'),
  ).toEqual([])
  expect(faultsOf('rate(fiskalwerk_receipt_total[5m])')).toEqual(['fiskalwerk_receipt_total'])
  expect(faultsOf('sum by (tenant) (fiskalwerk_sign_waiting{shop="1"})')).toEqual([
    'label tenant',
    'label shop',
  ])
})

it('alert rules ask for figures that exist', () => {
  const text = readFileSync(RULES, 'utf8')
  const found = ruleExpressions(text)
  expect(found).toHaveLength(text.match(/- alert: /g)?.length ?? 0)
  expect(found.flatMap(faultsOf)).toEqual([])
})

it('the dashboard asks for figures that exist, and shows each of ours', () => {
  const found = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  expect(found.flatMap(faultsOf)).toEqual([])
  const shown = new Set(found.flatMap((expression) => used(expression).names))
  const own = [...series.keys()].filter((name) => name.startsWith('fiskalwerk_'))
  const roots = own.filter((name) => !/_(bucket|sum|count)$/.test(name))
  const missing = roots.filter(
    (name) => ![name, `${name}_bucket`, `${name}_sum`].some((one) => shown.has(one)),
  )
  expect(missing).toEqual([])
})

it('panels of the dashboard do not lie upon each other', () => {
  const places = dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(places.length)
})

const isThere = spawnSync('promtool', ['--version']).error === undefined

// Debian: apt-get install prometheus
it.skipIf(!isThere)('promtool reads the rules, and they fire when they should', () => {
  for (const words of [
    ['check', 'rules', RULES],
    ['test', 'rules', RULE_TESTS],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' })
    expect(`${status} ${stdout}${stderr}`).toMatch(/^0 [\s\S]*SUCCESS/)
  }
})

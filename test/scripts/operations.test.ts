// The files of docs/operations for Kubernetes, systemd and containers are what those programs take,
// and fit the server: names, ports, addresses and settings.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { TABLE } from '../../src/config/table.js'

const run = promisify(execFile)
const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const modules = join(root, 'node_modules')
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const MANIFESTS = ['fiskalwerk.yaml', 'secret.yaml'].map(
  (name) => `docs/operations/kubernetes/${name}`,
)
const { version } = JSON.parse(text('package.json')) as { version: string }

type Named = { name: string }
type Labels = Record<string, string>
interface Probe {
  httpGet: { port: string }
}
interface Container {
  image: string
  ports: (Named & { containerPort: number })[]
  livenessProbe: Probe
  readinessProbe: Probe
  volumeMounts: (Named & { mountPath: string })[]
  envFrom: { configMapRef?: Named; secretRef?: Named }[]
}
/** What is looked at here; the whole is judged by the types of the API. */
interface Manifest {
  apiVersion: string
  kind: string
  metadata: Named
  data: Labels
  stringData: Labels
  spec: {
    replicas: number
    minAvailable: number
    selector: { matchLabels: Labels } & Labels
    ports: (Named & { targetPort: string })[]
    rules: { http: { paths: { backend: { service: object } }[] } }[]
    template: {
      metadata: { labels: Labels }
      spec: {
        containers: [Container]
        volumes: Named[]
        topologySpreadConstraints: { labelSelector: { matchLabels: Labels } }[]
      }
    }
  }
}

const all: Manifest[] = MANIFESTS.flatMap((path) =>
  parseAllDocuments(text(path)).map((one) => {
    expect(one.errors, path).toEqual([])
    return one.toJS() as Manifest
  }),
)
const of = (kind: string): Manifest => {
  const found = all.find((one) => one.kind === kind)
  if (found === undefined) throw new Error(`there is no ${kind}`)
  return found
}

let folder: string
beforeAll(async () => {
  // below the packages, so that the compiler finds them
  await mkdir(join(modules, '.cache'), { recursive: true })
  folder = await mkdtemp(join(modules, '.cache/operations-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What the types of the API of Kubernetes say; members that it has not are faults. */
async function judged(manifests: readonly object[]): Promise<string> {
  const lines = manifests.map((manifest, at) => {
    const { kind, apiVersion } = manifest as Manifest
    const type = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`
    return `export const m${at}: ${type} = ${JSON.stringify(manifest)}`
  })
  await writeFile(join(folder, 'manifests.ts'), `${lines.join('\n')}\n`)
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, types: [] }
  const module = { target: 'es2022', module: 'preserve', moduleResolution: 'bundler' }
  const config = { compilerOptions: { ...compilerOptions, ...module }, files: ['manifests.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  return run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', folder]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
}

describe('the manifests for Kubernetes', () => {
  it('are what its API has, member by member', async () => {
    expect(all).toHaveLength(6)
    expect(await judged(all)).toBe('')
    const { spec, ...rest } = of('Deployment')
    const typo = await judged([{ ...rest, spec: { ...spec, replica: 2, replicas: undefined } }])
    expect(typo).toContain('"replica"')
    expect(await judged([{ ...rest, spec: { ...spec, selector: undefined } }])).toContain(
      'selector',
    )
  })

  it('belong together: labels, ports, names', () => {
    const { spec } = of('Deployment')
    const { labels } = spec.template.metadata
    const [server] = spec.template.spec.containers
    for (const selector of [
      ...[spec.selector.matchLabels, of('Service').spec.selector],
      of('PodDisruptionBudget').spec.selector.matchLabels,
      spec.template.spec.topologySpreadConstraints[0]?.labelSelector.matchLabels ?? {},
    ]) {
      expect(labels).toMatchObject(selector)
    }
    const ports = server.ports.map(({ name }) => name)
    const { livenessProbe, readinessProbe } = server
    const [port] = of('Service').spec.ports
    if (port === undefined) throw new Error('the service has no port')
    for (const named of [
      port.targetPort,
      livenessProbe.httpGet.port,
      readinessProbe.httpGet.port,
    ]) {
      expect(ports).toContain(named)
    }
    const [backend] = of('Ingress').spec.rules.flatMap(({ http }) =>
      http.paths.map((one) => one.backend),
    )
    expect(backend?.service).toEqual({
      name: of('Service').metadata.name,
      port: { name: port.name },
    })
    const volumes = spec.template.spec.volumes.map(({ name }) => name)
    const mounted = server.volumeMounts.map(({ name }) => name)
    expect(mounted.toSorted()).toEqual(volumes.toSorted())
    const [map, secret] = server.envFrom
    expect(map?.configMapRef?.name).toBe(of('ConfigMap').metadata.name)
    expect(secret?.secretRef?.name).toBe(of('Secret').metadata.name)
    expect(of('PodDisruptionBudget').spec.minAvailable).toBeLessThan(spec.replicas)
  })

  it('fit the server: settings, port, folder, version, time to stop', () => {
    const [server] = of('Deployment').spec.template.spec.containers
    const known = new Set(Object.keys(TABLE))
    const set = [...Object.keys(of('ConfigMap').data), ...Object.keys(of('Secret').stringData)]
    expect(set.filter((name) => !known.has(name))).toEqual([])
    expect(server.image).toMatch(new RegExp(`:${version}$`))
    expect([server.ports[0]?.containerPort, server.volumeMounts[0]?.mountPath]).toEqual([
      8080,
      /DATA_DIR=(\S+)/.exec(text('Dockerfile'))?.[1],
    ])
    expect(text('Dockerfile')).toContain(`EXPOSE ${server.ports[0]?.containerPort}`)
  })
})

it('the container has a Node.js that is looked after, in both of its stages', () => {
  const stages = [...text('Dockerfile').matchAll(/^FROM node:(\d+)-/gm)].map(([, major]) => major)
  expect([new Set(stages).size, stages.length]).toEqual([1, 2])
  // 20 has ended in April 2026, 22 ends in April 2027, 24 in April 2028
  expect(['22', '24']).toContain(stages[0])
})

it('the unit is one that systemd takes', async (context) => {
  const has = await run('systemd-analyze', ['--version']).then(
    () => true,
    () => false,
  )
  context.skip(!has, 'systemd is not installed on this machine')
  const unit = text('docs/operations/fiskalwerk.service')
  const verified = async (content: string): Promise<string> => {
    const path = join(folder, 'fiskalwerk.service')
    // the program of this machine: where another one has it is not the question
    await writeFile(path, content.replace('/usr/bin/node', process.execPath))
    const done = await run('systemd-analyze', ['verify', '--man=no', path]).catch((error) => error)
    return `${done.stdout}${done.stderr}`
      .split('\n')
      .filter((line) => line.includes('fiskalwerk.service'))
      .join('\n')
  }
  expect(await verified(unit)).toBe('')
  expect(await verified(unit.replace('UMask=', 'Umaks='))).toContain('Umaks')
})

it('the unit starts what npm start starts', () => {
  const command = /^ExecStart=\S+ (.*)$/m.exec(text('docs/operations/fiskalwerk.service'))?.[1]
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
  expect(scripts.start).toBe(`node ${command}`)
  expect(text('Dockerfile')).toContain(
    JSON.stringify(['node', ...(command ?? '').split(' ')]).replaceAll(',', ', '),
  )
  expect(existsSync(join(root, 'src/main.ts'))).toBe(true)
})

// Prisma's schema engine as WebAssembly: what has to change in a database to fit schema.prisma. The
// native engine is a download, this one a package.
import * as fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlQuery,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import type pg from 'pg'

/** What Node has, and its type package and the language's do not describe. */
declare const WebAssembly: {
  instantiate(module: Uint8Array, imports: object): Promise<{ instance: { exports: Exports } }>
}

interface Exports {
  __wbindgen_start(): void
}

/** The generated glue of the package, as far as it is used here. */
interface Glue {
  __wbg_set_wasm(exports: Exports): void
  SchemaEngine: {
    new: (options: object, log: () => void, adapter: object) => Promise<SchemaEngine>
  }
}

/** The SQL that turns the live database into what the schema file says; '' when it fits. */
export async function difference(config: pg.PoolConfig, schemaFile: string): Promise<string> {
  const content = fs.readFileSync(schemaFile, 'utf8')
  const schema = { files: [{ path: schemaFile, content }] }
  const engine = await openEngine(config, [schemaFile, content])
  const found = await engine.diff({
    from: { tag: 'schemaDatasource', ...schema, configDir: process.cwd() },
    to: { tag: 'schemaDatamodel', ...schema },
    script: true,
    exitCode: true,
    filters: { externalTables: ['public._prisma_migrations'], externalEnums: [] },
  })
  engine.free()
  return found.exitCode === 0 ? '' : (found.stdout ?? '')
}

async function openEngine(
  config: pg.PoolConfig,
  datamodel: [file: string, content: string],
): Promise<SchemaEngine> {
  const glue = await theGlue()
  const factory = new PrismaPg({ ...config, allowExitOnIdle: true, idleTimeoutMillis: 1 })
  const connect = factory.connect.bind(factory)
  factory.connect = async () => readCharColumns(await connect())
  const adapter = bindMigrationAwareSqlAdapterFactory(factory)
  return glue.SchemaEngine.new({ datamodels: [datamodel] }, () => undefined, adapter)
}

let loaded: Promise<Glue> | undefined

/** Once per process: the glue holds one instance. */
function theGlue(): Promise<Glue> {
  loaded ??= loadGlue()
  return loaded
}

async function loadGlue(): Promise<Glue> {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: console.error } })
  const address = import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const glue = (await import(address)) as Glue
  const module = fs.readFileSync(fileURLToPath(address).replace(/\.js$/, '.wasm'))
  const { instance } = await WebAssembly.instantiate(module, { './schema_engine_bg.js': glue })
  glue.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return glue
}

/** The hidden step of the adapter that its column types are made from. */
interface Inside {
  performIO(query: SqlQuery): Promise<{ fields: { dataTypeID: number }[] }>
}

const CHAR_OID = 18
const TEXT_OID = 25

/** The engine reads catalogue columns of the type "char", which the adapter does not know. */
function readCharColumns<Adapter extends SqlDriverAdapter>(adapter: Adapter): Adapter {
  const inside = adapter as unknown as Inside
  const performIO = inside.performIO.bind(adapter)
  const queryRaw = adapter.queryRaw.bind(adapter)
  let isChar: boolean[] = []
  inside.performIO = async (query) => {
    const result = await performIO(query)
    isChar = result.fields.map((field) => field.dataTypeID === CHAR_OID)
    for (const field of result.fields) {
      if (field.dataTypeID === CHAR_OID) field.dataTypeID = TEXT_OID
    }
    return result
  }
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query)
    const columnTypes = result.columnTypes.map((type, column) => {
      return isChar[column] ? ColumnTypeEnum.Character : type
    })
    return { ...result, columnTypes }
  }
  return adapter
}

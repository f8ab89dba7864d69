// Compares prisma/schema.prisma with a new database that has all migrations.
import { migrate, migrationsFolder } from '../src/postgres/migrate.js'
import { difference } from './schema-engine.js'
import { startThrowAwayCluster } from './throw-away-cluster.js'

export const SCHEMA_FILE = 'prisma/schema.prisma'

/** The SQL that is missing in the migrations; '' when they say what the schema says. */
export async function missingMigration(
  schemaFile: string = SCHEMA_FILE,
  folder: string = migrationsFolder,
): Promise<string> {
  const cluster = await startThrowAwayCluster()
  try {
    await migrate(cluster.config, { info: () => undefined }, folder)
    return await difference(cluster.config, schemaFile)
  } finally {
    await cluster.stop()
  }
}

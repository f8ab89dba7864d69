// Applies the migrations to the database given as JSON and prints what it applied as JSON.
// Run by test/postgres/migrate.test.ts, several at once.
import { migrate } from '../../src/postgres/migrate.js'

const [config = '{}', folder] = process.argv.slice(2)
const applied = await migrate(JSON.parse(config), { info: () => undefined }, folder)
console.log(JSON.stringify(applied))

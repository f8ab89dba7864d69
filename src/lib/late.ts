// Packages that a start does without: each is read where something of it is used first. To read
// them all takes a start as long as its own work.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Node.js keeps what it has read: every call but the first is a look into a table. */
export const late =
  <T>(name: string) =>
  (): T =>
    require(name) as T

// A queue full of receipts, and the file that its export goes to.
import type { Options } from '../options.js'
import type { Cluster } from './cluster.js'
import type { Shop, Till } from './shop.js'

export interface FilledQueue {
  options: Options
  cluster: Cluster
  masterKey: Buffer
  shop: Shop
  till: Till
  file: string
}

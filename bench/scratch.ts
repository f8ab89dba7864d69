import { benchDevices } from './parts/devices-scratch.js'
import { startCluster } from './stand/cluster.js'
import { readOptions } from './options.js'
const cluster = await startCluster()
try {
  await benchDevices(readOptions(process.argv.slice(2)), cluster)
} catch (error) { console.log(error) } finally { await cluster.stop() }

// Settings of the embedded PostgreSQL, on its command line so that a new release brings its own.
import type { Endpoint } from './endpoint.js'

/** A small machine of two cores under many small writes; nothing that costs durability. */
const SETTINGS: Record<string, string> = {
  shared_buffers: '128MB',
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // fewer checkpoints: after each one every page goes to the log in full once more. Compressing
  // those pages (wal_compression) saves a tenth of the log and costs the scarce thing, CPU
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  // receipts are many short statements: planning for parallel workers or compiling never pays off
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // statements and error details hold receipts and tokens; they do not belong into a log file
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** For clusters that are thrown away: a crash of the machine may destroy them. */
const NOT_DURABLE: Record<string, string> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

/** `-c name=value …` for the postgres program. */
export function settingArguments(endpoint: Endpoint, durable: boolean): string[] {
  const all = { ...SETTINGS, ...(durable ? {} : NOT_DURABLE), ...addressSettings(endpoint) }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function addressSettings(endpoint: Endpoint): Record<string, string> {
  const port = String(endpoint.port)
  if (endpoint.password !== undefined) {
    return { listen_addresses: endpoint.host, unix_socket_directories: '', port }
  }
  // the setting is a list: quotes keep a folder with a comma in one piece
  const folder = `"${endpoint.host.replaceAll('"', '""')}"`
  return { listen_addresses: '', unix_socket_directories: folder, port }
}

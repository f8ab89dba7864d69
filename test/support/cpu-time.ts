// Time that this process has worked: what a busy machine does not stretch.
/** Seconds of all its threads since then; `from` of process.cpuUsage(). */
export function workedSince(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1e6
}

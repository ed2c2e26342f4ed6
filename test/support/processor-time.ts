/** Milliseconds of processor time of this process: a busy machine makes work last longer, but hardly take more of it. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

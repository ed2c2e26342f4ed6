/** Versions and figures out of the text of other programs. */

/**
 * The version in what a program prints about itself, such as `fastmcp 4.2.3` or `v1.0.7.post2 (abc)`.
 *
 * @returns undefined when there is none.
 */
export function versionIn(text: string): string | undefined {
  return /(?<![\w.])v?(\d+\.\d+(?:\.\w+)*(?:[-+][\w.]+)?)/.exec(text)?.[1]
}

/** Resident memory in bytes, from `/proc/PID/status`; 0 when the process has ended. */
export function residentBytes(status: string): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

/**
 * The echo tool to call, however a gateway has renamed it (`echo`, `b1_echo_1`, `b1-echo-1`).
 *
 * @returns undefined without one. Never that of the tenth server, which hangs in some measurements: lists differ in order.
 */
export function echoIn(tools: readonly string[]): string | undefined {
  return tools.find((name) => /echo/.test(name) && !/(^|\D)10$/.test(name))
}

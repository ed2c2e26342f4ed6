/**
 * Milliseconds that a host waits at its end for requests that still run. The tests have read what they wait for, and a
 * fixture that hangs would keep each file for two seconds more.
 */
export const DRAIN_MS = 200

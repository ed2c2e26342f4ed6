/** What one instance may take of the host, besides its linear memory. */
import { DEFAULT_HOST_BYTES } from './host-memory-account.ts'

export interface HostShare {
  /** Bytes the host holds for one instance at once. */
  readonly hostBytes: number
  /** Bytes one instance may print while it serves one request; more is dropped. */
  readonly outputBytes: number
}

export const DEFAULT_HOST_SHARE: HostShare = {
  hostBytes: DEFAULT_HOST_BYTES,
  outputBytes: 1024 * 1024,
}

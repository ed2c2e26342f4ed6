/** What is compared: something that answers MCP over HTTP and has echo tools behind it. */
import type { Endpoint } from './connection.ts'

export interface Peer {
  /** As in `--only`. */
  name: string
  /** How it was configured and how many workers it has: for the reader of the table. */
  about: string
  /** What it does that we do not do, or do otherwise: for the reader of the table. */
  more: string
  /**
   * Installs what it needs.
   *
   * @returns the version that is there.
   * @throws {Skipped} when it cannot be measured here.
   */
  install(): Promise<string>
  /** @returns when its process is started, even if that does not answer yet. */
  start(backends: Backends): Promise<Running>
  /** Its tool is a part of it, so that no echo server works behind it. */
  ownTool?: boolean
  /** How long it serves a list of tools without asking its backends. @default 0 */
  listCacheMs?: number
  /** Why a backend of it that hangs cannot be arranged from here. */
  noHungBackend?: string
}

/** Echo servers, each with one tool. */
export interface Backends {
  /** Endpoints of MCP servers over HTTP; empty for a measurement without servers. */
  urls: readonly string[]
  /** For peers whose tools are not HTTP servers: the last of their tools hangs. */
  lastHangs: boolean
}

export interface Running extends Endpoint {
  /** `performance.now()` when its process began; undefined when that was elsewhere. */
  startedAt?: number
  /** 0 when its process is not on this machine. */
  pid: number
  /** @throws {Error} when it has ended by itself. */
  check: () => void
  stop: () => Promise<void>
}

/** A peer that is not in the table, and why. */
export class Skipped extends Error {}

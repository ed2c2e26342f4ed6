export type { Tool } from '@modelcontextprotocol/client'
export type { ApprovalRequest, Approve } from './approval.ts'
export type { Answers } from './answers-to-server.ts'
export type { CallOptions, ProgressOptions, RequestOptions, ToolResult } from './tool-call.ts'
export { Client, type ClientOptions, type ListOptions } from './client.ts'
export { parseConfig, type ParseOptions } from './config/parse-config.ts'
export type {
  AuthConfig,
  HttpConfig,
  ProcessConfig,
  ProtocolChoice,
  ServerConfig,
} from './config/server-config.ts'
export {
  AuthenticationError,
  type Challenge,
  CancelledError,
  ClientError,
  ConfigError,
  ConnectionError,
  DeniedToolError,
  type ErrorKind,
  ProcessError,
  RpcError,
  StateError,
  TimeoutError,
  UnknownServerError,
  ViolationError,
} from './errors.ts'
export type { ClientState } from './lifecycle.ts'
export type { Progress } from './jobs/progress.ts'
export {
  Manager,
  type ManagerOptions,
  type Outcomes,
  type ServerStatus,
  type ServerTool,
} from './manager.ts'
export {
  followLines,
  type FollowLinesOptions,
  type Line,
  LineError,
  readLines,
  StreamedError,
} from './ndjson.ts'
export { type FoundTools, type SearchOptions, searchTools } from './search-tools.ts'

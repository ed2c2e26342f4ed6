/**
 * The chat of the gateway, for pages and programs: `import { ChatStore } from 'ftl-client/chat'`.
 *
 * Needs nothing but `fetch`; at most 5.5 KB of script.
 *
 * @module
 */
export type {
  ChatApproval,
  ChatArtifact,
  ChatContinuation,
  ChatEnding,
  ChatError,
  ChatLastLine,
  ChatLine,
  ChatRequest,
  ChatResponse,
  ChatStatus,
  ChatStep,
  ChatToolCall,
} from './chat-lines.ts'
export { ChatFailure, sendChat, type SendOptions } from './chat-send.ts'
export type { ChatCall, ChatMessage, ChatState } from './chat-state.ts'
export { ChatStore, type ChatStoreOptions } from './chat-store.ts'

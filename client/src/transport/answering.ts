import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestId } from '@modelcontextprotocol/client'
import type { Pending } from './pending.ts'

/**
 * The request whose HTTP answer is being read. What comes in it belongs to that request, whatever id it names; the
 * official client would drop what names another, and wait.
 */
export const answering = new AsyncLocalStorage<{ id: RequestId; pending: Pending }>()

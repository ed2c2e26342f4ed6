/** A conversation as both ways of speaking to models know it. */
import type { ChatEnding } from 'ftl-client/chat'

/** A picture in the conversation. */
export type Image = { mimeType: string; data: string } | { url: string }

/** A tool the model wants to be called. */
export interface ModelCall {
  id: string
  /** The function's name, as the model was given it. */
  name: string
  /** JSON, if the model did well. */
  arguments: string
}

export type Message =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; images: Image[] }
  | { role: 'assistant'; content: string; calls: ModelCall[] }
  | { role: 'tool'; call: ModelCall; content: string }

/** A tool in the words of OpenAI, which Ollama has taken over. */
export interface ToolFunction {
  type: 'function'
  function: { name: string; description?: string; parameters?: object }
}

/** What a model says on the way. */
export type ModelEvent =
  | { type: 'content'; content: string }
  /** It thinks before it answers; what it thinks is not passed on. */
  | { type: 'thinking' }

/** What it has said at the end of a turn. */
export interface Turn {
  content: string
  calls: ModelCall[]
  /** Why the answer is not a complete one. @default it is */
  ending?: ChatEnding | undefined
  /** Of request and answer, as the server counted them. @default it does not say */
  tokens?: number | undefined
}

/** The wire of one API: what is sent, and how the answer is read. */
export interface Wire {
  /** Of the request, after the settings' path. */
  path: string
  /** Path that lists the models. */
  modelsPath: string
  body(model: string, messages: readonly Message[], tools: readonly ToolFunction[]): object
  /** Reads lines until one of them is the end. */
  reader(): TurnReader
  /** An answer that is one document, where a server does not stream. */
  whole(document: unknown): Turn | undefined
  /** Names of the models in a list of them. */
  models(list: unknown): string[]
}

export interface TurnReader {
  /** What one line says; an error of the server is thrown. @throws {ChatFailure} */
  line(text: string): ModelEvent[]
  /** The line that ends the turn has come. A body that breaks off looks complete, so this is what tells. */
  readonly done: boolean
  turn(): Turn
}

/** What a program finds besides `tools`: the same as `components/code/src/realm/inside.js` provides. */
export const PROGRAM_GLOBALS = `
declare const input: Record<string, any>
interface FoundTool { name: string; component: string; tool: string; description?: string }
declare function search(query: string, options?: { component?: string; limit?: number }): Promise<{ tools: FoundTool[]; matches: number }>
declare function describe(tools?: string | string[]): Promise<{ declarations: string; unknown?: string[] }>
declare function describe(tools: string | string[] | undefined, options: { format: 'json' }): Promise<{ tools: object[]; unknown?: string[] }>
declare function progress(progress: number, total?: number, message?: string): void
declare function sleep(ms: number): Promise<void>
declare function setTimeout<Args extends unknown[]>(callback: (...args: Args) => void, ms?: number, ...args: Args): number
declare function setInterval<Args extends unknown[]>(callback: (...args: Args) => void, ms?: number, ...args: Args): number
declare function clearTimeout(id?: number): void
declare function clearInterval(id?: number): void
declare function queueMicrotask(callback: () => void): void
declare function atob(text: string): string
declare function btoa(text: string): string
declare const console: Record<'log' | 'info' | 'debug' | 'warn' | 'error' | 'trace', (...values: unknown[]) => void>
declare class ToolError extends Error { readonly code?: string; readonly tool?: string }
`

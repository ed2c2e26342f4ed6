/** What all fields of one form share. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Json } from './schema/values.ts'

export interface FormContext {
  /** Prefix of ids, different for each form on the page. */
  id: string
  /** The whole schema, which references lead into. */
  root: Json
  /** By path. */
  problems: ReadonlyMap<string, string>
  complete?: Complete
  /**
   * Whether files may be sent to this gateway by themselves. Without it, another server could have them sent where the user did
   * not mean to, by the description of an argument.
   */
  mayUpload?: boolean
}

/** Values that the server suggests for an argument. What it throws is not shown. */
export type Complete = (
  name: string,
  typed: string,
  signal: AbortSignal,
) => Promise<readonly string[]>

const Context = createContext<FormContext>({ id: '', root: {}, problems: new Map() })
export const FormProvider = Context.Provider
export const useForm = () => useContext(Context)

/** An id may contain no white space, because others refer to several of them at once. */
export function idOf(form: string, path: string): string {
  return `${form}-${encodeURIComponent(path)}`
}

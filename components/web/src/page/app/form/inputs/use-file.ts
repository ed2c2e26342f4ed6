/** A chosen file becomes an argument: written into it, or sent by itself if it is large and the tool takes that. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../net/api.ts'
import { wordsOf } from '../../net/tools.ts'
import { inMegabytes, LARGEST_INLINE, takesUploads, upload } from '../../net/upload.ts'
import { useForm } from '../form-context.ts'
import type { TextInput } from '../schema/text-input.ts'

/** Bytes. A call may have several files, and all of them share the room of one request. */
const LARGEST_OF_SEVERAL = 500_000

export interface Sending {
  name: string
  /** From 0 to 1. */
  share: number
  stop: () => void
}

export function useFile({ encoding, uploads }: TextInput, onChange: (value: unknown) => void) {
  const { mayUpload = false } = useForm()
  const [problem, setProblem] = useState('')
  const [name, setName] = useState('')
  const [sending, setSending] = useState<Sending>()
  const running = useRef<AbortController>(undefined)
  // Other fields may have changed by the time the file is on the server.
  const change = useRef(onChange)
  change.current = onChange

  const stop = () => running.current?.abort()
  useEffect(() => stop, [])

  const inline = async (file: File, { signal }: AbortController) =>
    done(file, await read(file, encoding), signal)
  const done = (file: File, value: string, { aborted }: AbortSignal) => {
    // The user has chosen or written something else since.
    if (aborted) return
    change.current(value)
    setName(file.name)
  }
  const send = async (file: File, controller: AbortController) => {
    const show = (share: number) =>
      setSending({ name: file.name, share, stop: () => controller.abort() })
    show(0)
    try {
      done(file, await upload(file, show, controller.signal), controller.signal)
    } catch (error) {
      if (controller.signal.aborted) return
      // The user may have no right to send files, and the request has room for this one.
      const isRefused = error instanceof ApiError && [403, 404].includes(error.status)
      if (!isRefused || uploads === 'always' || file.size > LARGEST_INLINE) throw error
      await inline(file, controller)
    } finally {
      if (running.current === controller) setSending(undefined)
    }
  }
  const take = async (file: File | undefined) => {
    if (!file) return
    stop()
    setProblem('')
    setSending(undefined)
    const isSent = mayUpload && uploads && takesUploads()
    const controller = new AbortController()
    running.current = controller
    if (!isSent && file.size > LARGEST_INLINE) {
      return setProblem(
        `${file.name} has ${inMegabytes(file.size)}. ${mayUpload && uploads ? 'You may send' : 'This field takes'} at most 2.5 MB.`,
      )
    }
    if (!isSent && uploads === 'always') {
      return setProblem(
        `${file.name} was not added. You may use no tool that takes files. Enter an address instead.`,
      )
    }
    try {
      if (isSent && (uploads === 'always' || file.size > LARGEST_OF_SEVERAL))
        await send(file, controller)
      else await inline(file, controller)
    } catch (error) {
      if (controller.signal.aborted) return
      const why = error instanceof ApiError ? wordsOf(error) : 'It cannot be read.'
      setProblem(`${file.name} was not added. ${why}`)
    }
  }
  return { take, stop, name, problem, sending }
}

async function read(file: File, encoding: TextInput['encoding']): Promise<string> {
  if (encoding === 'text') return file.text()
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.onload = () => {
      // As a data URL it is always a string.
      const url = reader.result as string
      resolve(encoding === 'base64' ? url.replace(/^[^,]*,/, '') : url)
    }
    reader.onerror = () => reject(new Error('unreadable'))
    reader.readAsDataURL(file)
  })
}

/**
 * Gives the files of each job their own names.
 *
 * ComfyUI does not run a node again whose inputs have not changed: `SaveImage` then reports the file that it wrote for
 * the earlier prompt, even if that file was deleted since. With a prefix of its own, each job writes its own files.
 */

/** Not a part of another text: inside a JSON string every quotation mark is escaped. */
const PREFIX = /("filename_prefix"\s*:\s*")((?:[^"\\]|\\.)*)"/g

/**
 * Appends the beginning of the job's id to every `filename_prefix`: `mcp/image` becomes `mcp/image-1f2e3d4c`, and the
 * file `mcp/image-1f2e3d4c_00001_.png`. A prefix that another node provides is left as it is.
 *
 * @param workflow JSON text; everything else in it stays unchanged, because numbers beyond 2^53 must.
 * @param jobId UUID.
 */
export function withUniquePrefix(workflow: string, jobId: string): string {
  const [id = ''] = jobId.split('-')
  return workflow.replace(PREFIX, (_, before: string, prefix: string) => {
    const isWhole = prefix === '' || prefix.endsWith('/') || prefix.endsWith('\\\\')
    return `${before}${prefix}${isWhole ? '' : '-'}${id}"`
  })
}

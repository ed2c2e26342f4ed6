/** Files that a caller has sent by `POST /uploads`, as arguments of a tool. */
import { parseUploadId, PRINCIPAL_HEADER, UPLOADS_PATH } from 'ftl-contract'
import type { ToolContext } from 'ftl-sdk'
import { imageComponents } from './outputs-as-arguments.ts'

/** @returns the id in `/uploads/{id}`, which may be the path of an address; `undefined` for anything else. */
export function uploadIdIn(source: string): string | undefined {
  const path = source.startsWith(UPLOADS_PATH) ? source : pathOf(source)
  const id = path.startsWith(UPLOADS_PATH) ? path.slice(UPLOADS_PATH.length) : ''
  return parseUploadId(id) && id
}

/**
 * Opens an upload at the component that received it, one of those that the variable `image_components` names. That component
 * decides whether the caller may use it.
 *
 * @param accept `application/json` for what is known of the file, instead of its bytes.
 * @returns status 404 for an upload of another caller, too.
 */
export async function openAnyUpload(
  id: string,
  { platform, component, principal }: Pick<ToolContext, 'platform' | 'component' | 'principal'>,
  accept = '*/*',
): Promise<Response> {
  const headers = { accept, ...(principal !== undefined && { [PRINCIPAL_HEADER]: principal }) }
  for (const other of imageComponents(platform)) {
    if (other === component) continue
    const response = await platform
      .fetch(`http://${other}.spin.internal${UPLOADS_PATH}${id}`, { headers })
      // It is not part of this application, or not in allowed_outbound_hosts.
      .catch(() => undefined)
    // A component without uploads has a tool for no such path: 404 or 405.
    if (response?.status === 200 || response?.status === 502) return response
    await response?.body?.cancel()
  }
  return new Response(null, { status: 404 })
}

function pathOf(source: string): string {
  try {
    const { protocol, pathname } = new URL(source)
    return /^https?:$/.test(protocol) ? pathname : ''
  } catch {
    return ''
  }
}

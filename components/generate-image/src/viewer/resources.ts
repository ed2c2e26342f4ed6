/**
 * The viewer and the pictures it shows, as resources: an MCP App of these tools.
 *
 * The pictures are resources too, so that they take the way of everything else, through the client: a component does not know
 * under which address the gateway is called, so it could not name it in the page's policy, and a page of `https` could not load
 * them from an address of `http`.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
import { extensionOf, mediaTypeOf } from 'ftl-comfyui/client'
import { readLimited, TooLarge } from 'ftl-comfyui/image'
import { createResource, InvalidArguments, type Resource, type ToolContext } from 'ftl-sdk'
import { parseOutputName } from 'ftl-contract'
import { toBase64 } from 'ftl-http'

const VIEWER_URI = 'ui://generate-image/viewer.html'
const VIEWER_TYPE = 'text/html;profile=mcp-app'

/** Bytes of a picture: with the third that base64 adds it must go into an answer, of which the gateway takes 8 MiB. */
const MAX_PICTURE = 5_500_000

/** In the description of a tool whose result the viewer shows; the flat key is that of hosts before 2026. */
export const VIEWER_META = { ui: { resourceUri: VIEWER_URI }, 'ui/resourceUri': VIEWER_URI }

/** @param html the page, with everything it needs inside. */
export function viewerResource(html: string): Resource {
  // Nothing is loaded from anywhere. Previews come from the bridge, whose address the gateway puts in.
  const _meta = { ui: { csp: { connectDomains: ['ftl:bridge'] }, prefersBorder: true } }
  const description = { uri: VIEWER_URI, mimeType: VIEWER_TYPE, _meta }
  return createResource({
    metadata: {
      uri: VIEWER_URI,
      mimeType: VIEWER_TYPE,
      name: 'picture-viewer',
      title: 'Picture viewer',
      description: 'Shows what generate_image and upscale_image make, in clients with MCP Apps',
    },
    handler: async () => ({ contents: [{ ...description, text: html }] }),
  })
}

/** @param open a file of a job as the caller may see it. */
export function pictureResource(
  open: (name: string, context: ToolContext) => Promise<Response>,
): Resource {
  return createResource({
    metadata: {
      uriTemplate: 'picture://generate-image/{file}',
      name: 'picture',
      title: 'Picture',
      description: 'A picture that was made here; file is its name in /outputs/',
    },
    async handler({ file }, context) {
      if (!parseOutputName(file)) return undefined
      const response = await open(file, context)
      if (!response.ok) {
        await response.body?.cancel()
        return undefined
      }
      const blob = toBase64(await limited(response))
      return { contents: [{ uri: context.uri, mimeType: mediaTypeOf(extensionOf(file)), blob }] }
    },
  })
}

async function limited(response: Response): Promise<Uint8Array> {
  try {
    return await readLimited(response, MAX_PICTURE)
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    throw new InvalidArguments('The picture is too large to be shown here: open it.')
  }
}

/** What the builder makes of an imported page. */
interface BundledPage {
  html: string
  /** By path, without a slash in front. */
  files: Record<string, { body: string }>
}

const SCRIPT = /<script type="module" src="\.\/([^"]+)"><\/script>/g
const STYLE = /<link rel="stylesheet" href="\.\/([^"]+)"\s*\/?>/g

/**
 * A bundled page as one document, because a client receives it as text and there is no server.
 *
 * @throws {TypeError} at build time, when the page refers to what is neither a script nor a style sheet. */
export function inline({ html, files }: BundledPage): string {
  const bodyOf = (path: string) => {
    const { body } = files[path] ?? {}
    if (body === undefined) throw new TypeError(`the page refers to ${path}, which it has not`)
    return body
  }
  const page = html
    .replace(SCRIPT, (_, path: string) => {
      // Inside a string of the script the same characters mean the same, and do not end the element.
      const script = bodyOf(path)
        .replace(/<\/(?=script)/gi, '<\\/')
        .replace(/<!--/g, '<\\!--')
      return `<script type="module">${script}</script>`
    })
    .replace(STYLE, (_, path: string) => `<style>${bodyOf(path)}</style>`)
  const [, left] =
    /\s(?:src|href)="\.\/([^"]+)"/.exec(page.replace(/<script.*?<\/script>/gs, '')) ?? []
  if (left !== undefined) throw new TypeError(`the page refers to ${left}, which cannot be inlined`)
  return page
}

/**
 * Finds out why a ComfyUI server would send no previews. Previews are off by default; since version 0.5.1 a prompt can
 * ask for them, and before that only the command line of ComfyUI can.
 */
const FIRST_WITH_PREVIEW_METHOD = [0, 5, 1]
const ANSWER_LIMIT_MS = 5_000
const VERSION = /^v?(\d+)\.(\d+)\.(\d+)/

/** @returns what to set; `undefined` if nothing is needed or the server does not say. */
export async function previewHint(baseUrl: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
    const response = await fetch(`${baseUrl}/api/system_stats`, { redirect: 'manual', signal })
    const { system } = (await response.json()) as { system?: Record<string, unknown> }
    const [version, ...parts] = VERSION.exec(String(system?.['comfyui_version'])) ?? []
    if (version === undefined || !isOlder(parts.map(Number))) return undefined
    const argv = system?.['argv']
    if (Array.isArray(argv) && argv.some((word) => String(word).startsWith('--preview-method'))) {
      return undefined
    }
    return `ComfyUI ${version} sends no previews unless it was started with --preview-method auto; from version 0.5.1 on this is not needed.`
  } catch {
    return undefined
  }
}

function isOlder(parts: readonly number[]): boolean {
  const at = parts.findIndex((part, index) => part !== FIRST_WITH_PREVIEW_METHOD[index])
  return at !== -1 && (parts[at] ?? 0) < (FIRST_WITH_PREVIEW_METHOD[at] ?? 0)
}

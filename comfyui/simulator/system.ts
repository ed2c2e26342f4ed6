/** `GET /system_stats`. */
import { freemem, totalmem } from 'node:os'
import type { VersionTraits } from './version.ts'

export function systemStats({ version, modernInfo }: VersionTraits): Record<string, unknown> {
  const total = totalmem()
  const free = freemem()
  const required = modernInfo ? '1.49.6' : '1.27.10'
  return {
    system: {
      os: modernInfo ? 'linux' : 'posix',
      ram_total: total,
      ram_free: free,
      comfyui_version: version,
      required_frontend_version: required,
      installed_templates_version: null,
      required_templates_version: modernInfo ? '0.11.44' : '0.1.95',
      ...(modernInfo && {
        comfy_package_versions: [{ name: 'comfyui-frontend-package', installed: null, required }],
      }),
      python_version: 'none (simulator)',
      pytorch_version: 'none (simulator)',
      embedded_python: false,
      ...(modernInfo && { deploy_environment: 'local-git' }),
      argv: ['simulator'],
    },
    devices: [
      {
        name: 'cpu',
        type: 'cpu',
        index: null,
        vram_total: total,
        vram_free: free,
        torch_vram_total: total,
        torch_vram_free: free,
      },
    ],
  }
}

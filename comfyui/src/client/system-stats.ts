/** What a server says of its machine, without its paths and its command line. */
import { asObject } from 'ftl-contract'
import { asList, asNumber, asText } from './narrow.ts'

export interface SystemStats {
  /** Of ComfyUI. */
  version: string | undefined
  /** Bytes of main memory. */
  memoryTotal: number | undefined
  memoryFree: number | undefined
  devices: DeviceStats[]
}

interface DeviceStats {
  /** For example `cuda:0 NVIDIA GeForce RTX 4090`. */
  name: string
  type: string
  /** Bytes of the device's own memory. */
  memoryTotal: number | undefined
  memoryFree: number | undefined
}

/** @param body of `GET /system_stats`. Only what is named here is taken: the rest has paths and arguments. */
export function toSystemStats(body: unknown): SystemStats {
  const { system, devices } = asObject(body)
  const { comfyui_version, ram_total, ram_free } = asObject(system)
  return {
    version: asText(comfyui_version),
    memoryTotal: asNumber(ram_total),
    memoryFree: asNumber(ram_free),
    devices: asList(devices).map((device) => {
      const { name, type, vram_total, vram_free } = asObject(device)
      return {
        name: asText(name) ?? '',
        type: asText(type) ?? '',
        memoryTotal: asNumber(vram_total),
        memoryFree: asNumber(vram_free),
      }
    }),
  }
}

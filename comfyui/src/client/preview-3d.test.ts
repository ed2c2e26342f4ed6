import { expect, it } from 'vitest'
import { startSimulator } from '../../simulator/index.ts'
import { createComfyClient } from './client.ts'

it.each(['0.33.0', '0.3.64'] as const)(
  'the file that Preview3D shows, in a folder, can be fetched from ComfyUI %s',
  async (version) => {
    const simulator = await startSimulator({ port: 0, version })
    try {
      const form = new FormData()
      form.set('image', new Blob(['glTF']), 'm_00001_.glb')
      form.set('type', 'output')
      form.set('subfolder', '3d/a')
      await fetch(`${simulator.url}/upload/image`, { method: 'POST', body: form })

      const client = createComfyClient({ baseUrl: simulator.url, fetch })
      const { promptId } = await client.submit({
        workflow: {
          1: { class_type: 'Preview3D', inputs: { model_file: '3d/a/m_00001_.glb' } },
        },
        promptId: crypto.randomUUID(),
      })
      await expect.poll(async () => (await client.job(promptId)).status).toBe('completed')
      const { files } = await client.job(promptId)
      expect(files).toMatchObject([{ filename: 'm_00001_.glb', subfolder: '3d/a' }])
      const [file] = files
      const answer = file && (await client.view(file))
      expect([answer?.status, await answer?.text()]).toEqual([200, 'glTF'])
    } finally {
      await simulator.close()
    }
  },
)

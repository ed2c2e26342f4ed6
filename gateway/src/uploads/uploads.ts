/**
 * The feature `POST /uploads`: passes a file that is too large for the arguments of a call on to the component that takes it.
 *
 * It counts as a call of the tool whose `_meta` has `ftl/uploads`: who may use that tool may send files to its component.
 */
import type { Feature } from '../feature.ts'
import { serveUpload } from './serve-upload.ts'

export const uploads: Feature = {
  name: 'uploads',
  adapters: [
    {
      name: 'uploads',
      routes: (gateway) => [
        {
          path: '/uploads',
          methods: { POST: ({ scope, request }) => serveUpload({ gateway, scope, request }) },
        },
      ],
    },
  ],
}

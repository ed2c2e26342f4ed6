import { expect, it } from 'vitest'
import { abandonedText, progressText } from './call-progress.ts'

it.each([
  [{ message: 'Exporting', progress: 40, total: 100 }, 'Exporting (40 of 100)'],
  [{ message: 'Exporting', progress: 40 }, 'Exporting (40)'],
  [{ message: 'Exporting' }, 'Exporting'],
  [{ progress: 2, total: 3 }, '2 of 3'],
  [{ message: 'a\u001b[2J', progress: 0, total: 1 }, 'a\\x1b[2J (0 of 1)'],
])('progress %o', (progress, text) => {
  expect(progressText(progress)).toBe(text)
})

it('what is left of a job is named with the command that asks for it, at the same server', () => {
  expect(abandonedText('7', undefined)).toMatch(/job 7\..*\n {2}npx ftl call get_job job_id=7$/)
  expect(abandonedText('7', 'http://a/mcp')).toMatch(/job_id=7 --url http:\/\/a\/mcp$/)
})
